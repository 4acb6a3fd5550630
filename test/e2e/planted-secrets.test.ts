import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
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
import { openDoors, type RawDoor } from '../decision/raw-doors';
import { SessionEvents } from '../../src/transport/http/session-events';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { ask, INITIALIZE, JSON_HEADERS, modern, type HttpAnswer } from '../support/wire';

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

const DOORS = ['HTTP 2025-11-25', 'HTTP 2026-07-28', 'memory, legacy, nobody', 'memory, modern, nobody'].concat(
  ['stdio', 'uds'].flatMap((name) => ['legacy', 'modern'].map((era) => `${name}, ${era}`)),
);

let app: McpApplication;
let logger: RecordingLogger;
let doors: readonly RawDoor[];

beforeAll(async () => {
  process.env['PLANTED_IN_ENV'] = SECRET;
  logger = new RecordingLogger();
  const policy = Policy.define({ fsRead: ['/srv'] });
  app = await createApp(PROVIDERS, { logger, policy, stateKey: `${SECRET}-long-enough-for-a-key` }, [PlantedEngines]);
  doors = (await openDoors(app)).filter(({ principal }) => principal === undefined);
});

afterAll(async () => {
  delete process.env['PLANTED_IN_ENV'];
  await closeApps();
});

const AUDIT_FAILED = 'The audit sink failed';

/** What the log says, of the audit sink or of everything else. */
const logged = (ofSink: boolean): string =>
  inspect(
    logger.lines.filter(({ message }) => (message === AUDIT_FAILED) === ofSink),
    { depth: 8, maxStringLength: null, maxArrayLength: null },
  );

describe.each(PLACES)('a secret %s', (place, asked) => {
  test('E1, E2, E7: is in the log, and in no byte that is sent on any transport', async () => {
    expect(doors.map(({ name }) => name).sort()).toEqual(DOORS);
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

/** An application that fails in every place, over HTTP behind a token that is the secret. */
async function behindToken(
  log: RecordingLogger,
): Promise<{ url: string; admitted: Record<string, string>; session: Record<string, string> }> {
  const guarded = await createApp(PROVIDERS, { logger: log, policy: Policy.define({ fsRead: ['/srv'] }) }, [PlantedEngines]);
  await guarded.listen({ transports: ['http'], port: 0, authToken: SECRET, sessions: { replay: true }, shutdownHooks: false });
  const url = guarded.handles[0]?.url ?? '';
  const admitted = { ...JSON_HEADERS, authorization: `Bearer ${SECRET}` };
  const begun = await ask(url, { headers: admitted, body: JSON.stringify(INITIALIZE) });
  const session = { ...admitted, 'mcp-session-id': String(begun.headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
  return { url, admitted, session };
}

const legacy = (method: string, params: object, id = 1): string => JSON.stringify({ jsonrpc: '2.0', id, method, params });

test('E1: the bearer token and the id of the session come back in no byte, wherever it fails, and stand in no log', async () => {
  const log = new RecordingLogger();
  const { url, admitted, session } = await behindToken(log);
  const id = session['mcp-session-id'] ?? '';
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const sent: HttpAnswer[] = [];
  for (const [, [method, params]] of PLACES) {
    const question = modern(method, params);
    sent.push(await ask(url, { ...question, headers: { ...question.headers, ...admitted } }));
    sent.push(await ask(url, { headers: session, body: legacy(method, params) }));
  }
  const ping = legacy('ping', {});
  for (const headers of [
    { ...session, authorization: `Bearer ${SECRET}x` },
    { ...session, authorization: `Bearer ${SECRET}, Bearer ${SECRET}` },
    { ...session, accept: 'text/html' },
    { ...session, 'content-type': 'text/plain' },
    { ...session, 'mcp-protocol-version': '1999-01-01' },
    { ...session, 'mcp-session-id': `${id}, ${id}` },
    { ...session, host: `${SECRET}.example` },
    { ...session, origin: `http://${SECRET}.example` },
  ])
    sent.push(await ask(url, { headers, body: ping }));
  sent.push(await ask(url, { headers: session, body: '{' }), await ask(url, { method: 'PUT', headers: session }));
  sent.push(await ask(url, { method: 'GET', headers: { ...session, 'last-event-id': SECRET } }));
  sent.push(await ask(url, { method: 'DELETE', headers: session }), await ask(url, { headers: session, body: ping }));
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 403, 404, 405, 406, 415]));
  for (const { status, headers, text } of sent) {
    // The session's own streams name it in the header that handed it out.
    const { 'mcp-session-id': _own, ...others } = headers;
    const bytes = JSON.stringify([others, text]);
    expect({ status, leaks: [SECRET, id].filter((each) => bytes.includes(each)) }).toEqual({ status, leaks: [] });
  }
  expect(inspect(log.lines, { depth: 8, maxStringLength: null, maxArrayLength: null })).not.toContain(id);
});

test.each(['storeEvent', 'replayEventsAfter', 'resumption'] as const)(
  'E1: what the store of events throws from %s comes back in no byte, and the next call is answered',
  async (method) => {
    const { url, session } = await behindToken(new RecordingLogger());
    const first = await ask(url, { headers: session, body: legacy('ping', {}, 1) });
    const [, lastId = ''] = /^id: (.+)$/m.exec(first.text) ?? [];
    expect(lastId).not.toBe('');
    const spy = jest.spyOn(SessionEvents.prototype, method).mockImplementation(fail);
    const broken = [
      await ask(url, { headers: session, body: legacy('ping', {}, 2) }),
      await ask(url, { method: 'GET', headers: { ...session, 'last-event-id': lastId } }),
    ];
    expect(spy).toHaveBeenCalled();
    spy.mockRestore();
    expect(JSON.stringify(broken)).not.toMatch(/SECRET|node_modules|\.ts:| at .*:\d+:\d+/);
    expect((await ask(url, { headers: session, body: legacy('ping', {}, 3) })).text).toContain('"result":{}');
  },
);
