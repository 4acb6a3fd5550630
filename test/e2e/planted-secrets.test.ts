import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import { IsString, Validate, ValidatorConstraint } from 'class-validator';
import {
  AuditSink,
  Complete,
  Engine,
  EngineModule,
  Injectable,
  jsonSchema,
  McpError,
  McpPrompt,
  McpResource,
  McpTool,
  Module,
  ModuleRef,
  RateLimit,
  RateLimitGuard,
  Requires,
  Policy,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type McpApplication,
  type Provider,
  type StandardSchema,
} from 'perch-mcp';
import { connectInMemory } from '../../src/bootstrap/mcp-application';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { MemoryCaller } from '../support/memory-caller';
import { ask, INITIALIZE, modern, openSession } from '../support/wire';

const SECRET = `SECRET-${randomUUID()}`;

/** An error that carries the secret wherever an error can carry something. */
function planted(): Error {
  const error = new Error(`cannot reach ${SECRET}`, { cause: new Error(SECRET) });
  error.name = `Name${SECRET}`;
  error.stack = `${SECRET}\n    at ${SECRET} (/srv/${SECRET}.ts:1:1)`;
  return Object.assign(error, { data: { secret: SECRET }, code: SECRET, toJSON: () => SECRET });
}
const fail = (): never => {
  throw planted();
};

@Injectable({ scope: Scope.REQUEST })
class BrokenConstructor {
  constructor() {
    fail();
  }
  canActivate(): boolean {
    return true;
  }
}
class BrokenGuard {
  canActivate(): never {
    return fail();
  }
}
class BrokenList {
  canActivate(): boolean {
    return true;
  }
  canList(): never {
    return fail();
  }
}
@ValidatorConstraint()
class BrokenConstraint {
  validate(): never {
    return fail();
  }
}
class Validated {
  @IsString() @Validate(BrokenConstraint) a!: string;
}
const BROKEN_SCHEMA: StandardSchema = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: () => fail(),
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
} as never;
const BROKEN_LIMITER = RateLimitGuard.with({ createLimiter: () => ({ consume: () => Promise.reject(planted()) }) });

/** One tool for every place of the framework where an error can start. */
@Injectable()
class PlantedTools {
  constructor(private readonly modules: ModuleRef) {}

  @McpTool({ name: 'in_an_error', description: '' }) error(): never {
    return fail();
  }
  @McpTool({ name: 'in_a_thrown_text', description: '' }) text(): never {
    throw SECRET;
  }
  @McpTool({ name: 'in_a_thrown_object', description: '' }) object(): never {
    throw { message: SECRET, toString: () => SECRET };
  }
  @McpTool({ name: 'in_a_rejection', description: '' }) async rejection(): Promise<never> {
    return Promise.reject(planted());
  }
  @McpTool({ name: 'in_an_aggregate', description: '' }) aggregate(): never {
    throw new AggregateError([planted()], SECRET);
  }
  @McpTool({ name: 'in_dependency_injection', description: '' }) injection(): unknown {
    return this.modules.get(SECRET);
  }
  @McpTool({ name: 'in_a_getter_of_the_result', description: '' }) getter(): object {
    return {
      get text(): never {
        return fail();
      },
    };
  }
  @McpTool({
    name: 'in_a_result_that_does_not_fit',
    description: '',
    output: jsonSchema({ type: 'object', properties: { n: { type: 'number' } } }),
  })
  unfit(): Record<string, unknown> {
    return { n: SECRET };
  }
  @McpTool({ name: 'in_data_that_has_no_json', description: '' }) data(): never {
    throw new McpError(-32000, 'Refused', { size: 1n, secret: SECRET });
  }
  @McpTool({ name: 'in_a_guard', description: '' }) @UseGuards(BrokenGuard) guard(): void {}
  @McpTool({ name: 'in_a_guard_of_request_scope', description: '' }) @UseGuards(BrokenConstructor) guardConstructor(): void {}
  @McpTool({ name: 'in_can_list', description: '' }) @UseGuards(BrokenList) list(): void {}
  @McpTool({ name: 'in_a_constraint', description: '', input: Validated }) constraint(): void {}
  @McpTool({ name: 'in_a_standard_schema', description: '', input: BROKEN_SCHEMA }) standard(): void {}
  @McpTool({ name: 'in_a_pipe', description: '' }) @UsePipes({ transform: fail }) pipe(): void {}
  @McpTool({ name: 'in_an_interceptor', description: '' }) @UseInterceptors({ intercept: fail }) before(): void {}
  @McpTool({ name: 'behind_an_interceptor', description: '' })
  @UseInterceptors({ intercept: async (_, next) => (await next(), fail()) })
  after(): void {}
  @McpTool({ name: 'in_a_filter', description: '' }) @UseFilters({ catch: fail }) filter(): never {
    throw new Error('first');
  }
  @McpTool({ name: 'in_a_requirement', description: '' }) @Requires({ fsRead: fail }) requirement(): void {}
  @McpTool({ name: 'in_a_store_of_limits', description: '' })
  @RateLimit({ points: 1, durationMs: 1000 })
  @UseGuards(BROKEN_LIMITER)
  limited(): void {}

  @McpResource({ uri: 'planted://one', name: 'one' }) read(): never {
    return fail();
  }
  @McpPrompt({ name: 'in_a_prompt' }) prompt(): never {
    return fail();
  }
}
@McpTool({ name: 'in_a_constructor', description: '' })
class PlantedConstructor {
  constructor(readonly broken: BrokenConstructor) {}
  execute(): void {}
}
class BrokenMade {}
@Injectable({ scope: Scope.REQUEST })
@McpTool({ name: 'in_a_factory', description: '' })
class PlantedFactory {
  constructor(readonly made: BrokenMade) {}
  execute(): void {}
}
@McpResource({ uri: 'listed://{id}', name: 'listed' })
class PlantedTemplate {
  read(): never {
    return fail();
  }
  list(): never {
    return fail();
  }
  @Complete('id') complete(): never {
    return fail();
  }
}
@Engine({ id: 'in_an_engine' })
class PlantedEngine {
  execute(): never {
    return fail();
  }
}
@Module({ imports: [EngineModule.forRoot({ exposeErrors: false })], providers: [PlantedEngine], exports: [PlantedEngine] })
class PlantedEngines {}

/** A sink that fails with every record. */
class PlantedSink extends AuditSink {
  write(): never {
    return fail();
  }
}

const PROVIDERS: readonly Provider[] = [
  PlantedTools,
  PlantedConstructor,
  PlantedFactory,
  PlantedTemplate,
  BrokenConstructor,
  BrokenGuard,
  BrokenList,
  { provide: BrokenMade, useFactory: fail, scope: Scope.REQUEST },
  { provide: AuditSink, useClass: PlantedSink },
];

const TOOLS = [
  'in_an_error',
  'in_a_thrown_text',
  'in_a_thrown_object',
  'in_a_rejection',
  'in_an_aggregate',
  'in_dependency_injection',
  'in_a_getter_of_the_result',
  'in_a_result_that_does_not_fit',
  'in_data_that_has_no_json',
  'in_a_guard',
  'in_a_guard_of_request_scope',
  'in_can_list',
  'in_a_constraint',
  'in_a_standard_schema',
  'in_a_pipe',
  'in_an_interceptor',
  'behind_an_interceptor',
  'in_a_filter',
  'in_a_requirement',
  'in_a_store_of_limits',
  'in_a_constructor',
  'in_a_factory',
  'in_an_engine',
];

type Ask = readonly [method: string, params: Record<string, unknown>];

const PLACES: readonly (readonly [string, Ask])[] = [
  ...TOOLS.map((name): readonly [string, Ask] => [name, ['tools/call', { name, arguments: name === 'in_a_constraint' ? { a: '' } : {} }]]),
  ['in a read', ['resources/read', { uri: 'planted://one' }]],
  ['in a read of a template', ['resources/read', { uri: 'listed://7' }]],
  ['in the list of a template', ['resources/list', {}]],
  ['in a prompt', ['prompts/get', { name: 'in_a_prompt' }]],
  [
    'in a completion',
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'listed://{id}' }, argument: { name: 'id', value: '' } }],
  ],
];

/** A way in that keeps every byte that came out of it. */
interface RawDoor {
  readonly name: string;
  readonly ask: (...asked: Ask) => Promise<string>;
}

let app: McpApplication;
let logger: RecordingLogger;
let doors: readonly RawDoor[];

beforeAll(async () => {
  process.env['PLANTED_IN_ENV'] = SECRET;
  logger = new RecordingLogger();
  const policy = Policy.define({ fsRead: ['/srv'] });
  app = await createApp(PROVIDERS, { logger, policy, stateKey: `${SECRET}-long-enough-for-a-key` }, [PlantedEngines]);
  doors = await rawDoors(app);
});

afterAll(async () => {
  delete process.env['PLANTED_IN_ENV'];
  await closeApps();
});

async function rawDoors(served: McpApplication): Promise<readonly RawDoor[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  await served.listen({ transports: ['http', 'stdio'], port: 0, stdio: { input, output }, shutdownHooks: false });
  const url = served.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  const session = await openSession(url);
  const lines: string[] = [];
  let wake = (): void => undefined;
  output.setEncoding('utf8').on('data', (text: string) => {
    lines.push(text);
    wake();
  });
  const overStreams = async (message: object & { id: unknown }): Promise<string> => {
    lines.length = 0;
    input.write(`${JSON.stringify(message)}\n`);
    while (!lines.join('').includes(`"id":${JSON.stringify(message.id)}`)) await new Promise<void>((resolve) => (wake = resolve));
    return lines.join('');
  };
  await overStreams(INITIALIZE);
  const memory = await MemoryCaller.open((await connectInMemory(served)).client);
  let id = 0;
  const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: (id += 1), method, params });
  return [
    { name: 'HTTP 2026-07-28', ask: async (method, params) => JSON.stringify(await ask(url, modern(method, params))) },
    {
      name: 'HTTP 2025-11-25',
      ask: async (method, params) => JSON.stringify(await ask(url, { headers: session, body: JSON.stringify(message(method, params)) })),
    },
    { name: 'stdio', ask: (method, params) => overStreams(message(method, params)) },
    { name: 'memory', ask: async (method, params) => JSON.stringify(await memory.ask(method, params)) },
  ];
}

const AUDIT_FAILED = 'The audit sink failed';

/** What the log says, of the audit sink or of everything else. */
const logged = (ofSink: boolean): string =>
  inspect(
    logger.lines.filter(({ message }) => (message === AUDIT_FAILED) === ofSink),
    { depth: 8, maxStringLength: null, maxArrayLength: null },
  );

describe.each(PLACES)('a secret %s', (place, asked) => {
  test('E1, E2, E7: is in the log, and in no byte that is sent on any transport', async () => {
    for (const door of doors) {
      logger.lines.length = 0;
      const sent = await door.ask(...asked);
      expect(sent).toMatch(/isError|error/);
      expect({ door: door.name, leaks: sent.includes(SECRET) }).toEqual({ door: door.name, leaks: false });
      expect(sent).not.toMatch(/SECRET|node_modules|\.ts:| at .*:\d+:\d+|Planted|Broken/);
      expect(sent).not.toContain(process.cwd());
      expect(sent).not.toContain(homedir());
      expect(sent.replaceAll('\\', '')).not.toMatch(/"data":/);
      // What a result must be is logged, and not what it is.
      if (place !== 'in_a_result_that_does_not_fit') expect(logged(false)).toContain(SECRET);
      expect(logged(true)).toContain(SECRET);
    }
  });
});

test('E1, E2: lists tell of names and schemas only, and what belongs to the process is told by nothing', async () => {
  for (const door of doors) {
    for (const method of ['tools/list', 'prompts/list', 'resources/templates/list', 'server/discover', 'ping', 'no/such']) {
      const sent = await door.ask(method, {});
      expect(sent).not.toMatch(/SECRET|node_modules|\.ts:|Planted|Broken/);
      expect(sent).not.toContain('in_can_list');
    }
  }
});
