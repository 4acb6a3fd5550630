import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  applyDecorators,
  Injectable,
  McpTool,
  RateLimit,
  Reflector,
  Requires,
  Roles,
  Scopes,
  SetMetadata,
  UseGuards,
  type ExecutionContext,
  type Security,
} from 'perch-mcp';
import { closeApps, createApp } from '../support/app';

afterEach(closeApps);

const VALUES: readonly { readonly value?: unknown }[] = [
  {},
  ...['text', ['a'], ['b', 'c'], [], { a: 1 }, { a: 2, b: 3 }, 0, false, null].map((value) => ({ value })),
];
const PAIRS = VALUES.flatMap((ofClass) => VALUES.map((ofMethod) => [ofClass, ofMethod] as const));

interface NestAnswers {
  readonly answers: Readonly<Record<string, readonly object[]>>;
  readonly order: readonly number[];
  readonly made: readonly unknown[];
}

let nest: NestAnswers;

beforeAll(() => {
  const script = join(__dirname, 'nest-reflection.mjs');
  nest = JSON.parse(execFileSync(process.execPath, [script, JSON.stringify(PAIRS)], { encoding: 'utf8' })) as NestAnswers;
});

function decorated([ofClass, ofMethod]: (typeof PAIRS)[number]): readonly object[] {
  class Decorated {
    method(): void {}
  }
  const descriptor = Object.getOwnPropertyDescriptor(Decorated.prototype, 'method') as PropertyDescriptor;
  if (ofMethod.value !== undefined) SetMetadata('key', ofMethod.value)(Decorated.prototype, 'method', descriptor);
  if (ofClass.value !== undefined) SetMetadata('key', ofClass.value)(Decorated);
  return [descriptor.value as object, Decorated];
}

test.each(['get', 'getAll', 'getAllAndOverride', 'getAllAndMerge'] as const)(
  "Reflector.%s answers what NestJS's own answers, for every pair of values on a class and its method",
  (question) => {
    const reflector = new Reflector();
    const ours = PAIRS.map((pair) => {
      const targets = decorated(pair);
      return { value: question === 'get' ? reflector.get('key', targets[0] as object) : reflector[question]('key', targets) };
    });
    const asJson = JSON.parse(JSON.stringify(ours)) as object[];
    const different = PAIRS.flatMap((pair, index) => [{ pair, ours: asJson[index], theirs: nest.answers[question]?.[index] }]).filter(
      ({ ours: our, theirs }) => JSON.stringify(our) !== JSON.stringify(theirs),
    );
    expect(different).toEqual([]);
  },
);

test("createDecorator and applyDecorators do what NestJS's own do", () => {
  const order: number[] = [];
  const Level = Reflector.createDecorator<number>({ key: 'level' });
  const Bare = Reflector.createDecorator<object>();
  @Level(3)
  @Bare()
  @applyDecorators(() => void order.push(1), () => void order.push(2))
  class Applied {}
  const reflector = new Reflector();
  const made = [reflector.get(Level, Applied), reflector.get('level', Applied), reflector.get(Bare, Applied) ?? null, Level.KEY];
  expect({ order, made }).toEqual({ order: nest.order, made: nest.made });
  expect(Reflector.createDecorator().KEY).not.toBe(Bare.KEY);
});

let seen: { readonly metadata: unknown; readonly security: Security } | undefined;

const reads = {
  canActivate: (context: ExecutionContext): boolean => {
    seen = { metadata: new Reflector().get('kind', context.getHandler()), security: context.switchToMcp().security };
    return true;
  },
};

@Scopes('parent')
@RateLimit({ points: 1, durationMs: 1 })
class Parent {
  @SetMetadata('kind', 'private')
  @Roles('a', 'b')
  @Scopes('method', { hide: true })
  @UseGuards(reads, { canActivate: () => true, enforces: ['roles', 'rates'] })
  @McpTool({ name: 'tool', description: 'd' })
  tool(): string {
    return 'done';
  }
}

@Requires({ network: 'x.example' })
@Scopes('child', 'more')
@Injectable()
class Child extends Parent {
  @Roles('c')
  override tool(): string {
    return super.tool();
  }
}

test('B10: an override without metadata of its own keeps what its parent carries, and demands of class, parent and method add up', async () => {
  const app = await createApp([Child]);
  app.tools.register({ name: 'other', execute: () => '' });
  await expect(app.tools.call('tool')).rejects.toMatchObject({ message: 'Unknown tool: "tool"' });
  const { connectInMemory } = await import('../../src/bootstrap/mcp-application');
  const { client } = await connectInMemory(app, { id: 'x', scopes: ['parent', 'method', 'child', 'more'] });
  const answered = new Promise((resolve) => (client.onmessage = resolve));
  await client.start();
  const { ENVELOPE } = await import('../support/wire');
  await client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tool', _meta: ENVELOPE } });
  expect(await answered).toMatchObject({ result: { content: [{ text: 'done' }] } });
  expect(seen).toEqual({
    metadata: 'private',
    security: {
      scopes: [
        { scopes: ['parent'], hide: false },
        { scopes: ['child', 'more'], hide: false },
        { scopes: ['method'], hide: true },
      ],
      roles: [['a', 'b'], ['c']],
      rates: [{ points: 1, durationMs: 1 }],
      requires: [{ network: 'x.example' }],
    },
  });
  for (const list of Object.values(seen?.security ?? {})) expect(Object.isFrozen(list)).toBe(true);
});

test.each<[string, () => unknown]>([
  ['@Roles() without roles', () => Roles(...([] as unknown as [string]))],
  ['@Roles() with an empty one', () => Roles('')],
  ['@Roles() with a list', () => Roles(['admin'] as never)],
  ['@Scopes() without scopes', () => Scopes(...([] as unknown as [string]))],
  ['@Scopes() with a space', () => Scopes('a b')],
  ['@Scopes() with options alone', () => Scopes({ hide: true } as never)],
  ['@RateLimit() of nothing', () => RateLimit({ points: 0, durationMs: 1 })],
  ['@RateLimit() of a part', () => RateLimit({ points: 1.5, durationMs: 1 })],
  ['@RateLimit() without a time', () => RateLimit({ points: 1 } as never)],
  ['@Requires() of nothing', () => Requires({})],
  ['@Requires() with a word it does not know', () => Requires({ fsread: '/x' } as never)],
  ['@Requires() with an empty list', () => Requires({ fsRead: [] })],
  ['@Requires() with a number', () => Requires({ fsRead: 1 as never })],
])('%s throws where it stands', (_what, decorate) => {
  expect(decorate).toThrow(TypeError);
});
