import { createServer } from 'node:net';
import { once } from 'node:events';
import { Allow, IsString, ValidateNested } from 'class-validator';
import { Field, Inject, Injectable, McpFactory, McpSetupError, McpTool, Module, type McpApplication, type Type } from 'perch-mcp';
import { closeApps, createApp, overHttp } from '../support/app';

afterEach(closeApps);

interface Erased {
  readonly x: number;
}

@Injectable()
class Nowhere {}

@Injectable()
class Hidden {}

@Module({ providers: [Hidden] })
class HidingModule {}

@Injectable()
class NeedsMissing {
  constructor(
    readonly port: string,
    @Inject('CLOCK') readonly clock: unknown,
  ) {}
}

@Injectable()
class NeedsHidden {
  constructor(readonly hidden: Hidden) {}
}

@Injectable()
class NeedsErased {
  constructor(readonly erased: Erased) {}
}

@Injectable()
class NeedsUndefined {
  constructor(@Inject(undefined) readonly later: unknown) {}
}

class NoMetadata {
  readonly greeter: unknown;
  constructor(greeter: unknown) {
    this.greeter = greeter;
  }

  @McpTool({ name: 'from_method', description: 'd' })
  run(): string {
    return String(this.greeter);
  }
}
// What a compiler without decorator metadata leaves of a class.
Reflect.deleteMetadata('design:paramtypes', NoMetadata);

@Injectable()
class NeedsNowhere {
  constructor(readonly nowhere: Nowhere) {}
}

class NotExpressible {
  @ValidateNested() nested!: object;
  @Allow() anything!: unknown;
}

class Undecorated {
  @Field() @IsString() name!: string;
  count = 1;
}

function tool(name: string, label: string, input?: Type<object>): Type {
  const type = {
    [label]: class {
      execute(): string {
        return label;
      }
    },
  }[label] as Type<{ execute: () => string }>;
  McpTool({ name, description: 'd', input })(type);
  return type;
}

@Module({
  imports: [HidingModule],
  providers: [
    NeedsMissing,
    NeedsHidden,
    NeedsErased,
    NeedsUndefined,
    NoMetadata,
    NeedsNowhere,
    tool('twice', 'First'),
    tool('twice', 'Second'),
    tool('inexpressible', 'Inexpressible', NotExpressible),
    tool('undecorated', 'UndecoratedTool', Undecorated),
  ],
})
class BrokenModule {}

async function problemsOf(module: Type): Promise<McpSetupError['problems']> {
  const outcome: unknown = await McpFactory.create(module, { name: 'x', version: '1', logger: false }).catch((error: unknown) => error);
  if (!(outcome instanceof McpSetupError)) throw new Error('The boot was not refused');
  return outcome.problems;
}

test('every static problem of an application comes out together, each with what, where and how to fix it', async () => {
  const problems = await problemsOf(BrokenModule);
  const found = (code: string, ...words: string[]): boolean =>
    problems.some((each) => each.code === code && words.every((word) => `${each.problem} ${each.where} ${each.fix}`.includes(word)));
  const expected: readonly (readonly [string, ...string[]])[] = [
    ['MCP_DEPENDENCY_UNRESOLVED', 'NeedsMissing', '"CLOCK"', 'BrokenModule'],
    ['MCP_DEPENDENCY_NOT_EXPORTED', 'NeedsHidden', 'Hidden', 'HidingModule', 'exports'],
    ['MCP_DEPENDENCY_ERASED', 'NeedsErased', '@Inject('],
    ['MCP_DEPENDENCY_UNDEFINED', 'NeedsUndefined', 'forwardRef'],
    ['MCP_METADATA_MISSING', 'NoMetadata', '@Injectable()'],
    ['MCP_PROVIDER_UNREACHED', 'Nowhere', 'providers'],
    ['MCP_TOOL_DUPLICATE', 'First', 'Second', '"twice"'],
    ['MCP_SCHEMA_UNSUPPORTED', 'NotExpressible', 'nested', '@Type(() =>'],
    ['MCP_FIELD_UNDECORATED', 'Undecorated', 'count'],
  ];
  expect(expected.filter((each) => !found(...each))).toEqual([]);
  for (const { problem, where, fix } of problems) expect([problem, where, fix].every((text) => text.length > 0)).toBe(true);
});

test('the message of the error holds every problem, its place and potential solutions', async () => {
  const error = await McpFactory.create(BrokenModule, { name: 'x', version: '1', logger: false }).then(
    () => undefined,
    (reason: unknown) => reason as McpSetupError,
  );
  for (const { code, problem, where } of error?.problems ?? []) {
    expect(error?.message).toContain(`${code}: ${problem}`);
    expect(error?.message).toContain(`at ${where}`);
  }
  expect(error?.message.match(/Potential solutions:/g)).toHaveLength(error?.problems.length ?? 0);
});

test('options that cannot be served are refused with the option', async () => {
  const create = (options: object): Promise<McpApplication> => createApp([], options);
  await expect(create({ name: '' })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID', message: expect.stringContaining('"name"') });
  await expect(create({ limits: { depth: 0 } })).rejects.toMatchObject({
    code: 'MCP_OPTION_INVALID',
    message: expect.stringContaining('"depth"'),
  });
  await expect(create({ limits: { depht: 5 } })).rejects.toMatchObject({
    code: 'MCP_OPTION_INVALID',
    message: expect.stringContaining('"depht"'),
  });
});

test('B17: a port that is taken is one clear error, nothing is left open and the hooks have run', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const seen: string[] = [];
  class Hooks {
    onModuleInit(): void {
      seen.push('init');
    }
    onModuleDestroy(): void {
      seen.push('destroy');
    }
  }
  const app = await createApp([Hooks]);
  await expect(app.listen({ transports: ['http'], port, shutdownHooks: false })).rejects.toMatchObject({
    code: 'MCP_TRANSPORT_FAILED',
    message: expect.stringContaining(`127.0.0.1:${String(port)}: EADDRINUSE`),
  });
  expect([seen, app.handles, app.isStarted()]).toEqual([['init', 'destroy'], [], false]);
  taken.close();
});

test('parity A5: name and version are what the server says, and it is started between listen and close', async () => {
  const app = await createApp([], { name: 'meta', version: '2.0.0', title: 'Meta' });
  expect(app.getMetadata()).toEqual({ name: 'meta', version: '2.0.0', title: 'Meta' });
  expect(app.isStarted()).toBe(false);
  await overHttp(app);
  expect(app.isStarted()).toBe(true);
  await app.close();
  expect(app.isStarted()).toBe(false);
  await expect(app.listen()).rejects.toThrow('closed');
});

test('app.get gives the instance that was injected', async () => {
  const app = await createApp([Hidden, { provide: 'LATE', useFactory: async () => 'value' }]);
  expect(app.get(Hidden)).toBeInstanceOf(Hidden);
  expect(app.get(Hidden)).toBe(app.get(Hidden));
  expect(app.get('LATE')).toBe('value');
  expect(() => app.get('NONE')).toThrow(/NONE/);
});
