import { setTimeout as sleep } from 'node:timers/promises';
import { IsString, Validate, ValidatorConstraint } from 'class-validator';
import {
  McpTool,
  ToolError,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ExecutionContext,
  type LoggerService,
  type StandardSchema,
  type Type,
} from 'perch-mcp';
import { closeApps, createApp, everyDoor } from '../support/app';

afterEach(closeApps);

const stray: unknown[] = [];
const onStray = (reason: unknown): void => void stray.push(reason);

beforeAll(() => process.on('unhandledRejection', onStray));
afterAll(() => void process.off('unhandledRejection', onStray));

beforeEach(() => {
  stray.length = 0;
});

/** Gives a rejection that nobody handles the time to show. */
async function nothingStray(): Promise<void> {
  await sleep(20);
  expect(stray).toEqual([]);
}

const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

@ValidatorConstraint({ async: true })
class Rejects {
  async validate(): Promise<boolean> {
    throw new Error('db down');
  }
}

@ValidatorConstraint()
class Throws {
  validate(): boolean {
    throw new TypeError('nope');
  }
}

class Mixed {
  @IsString() @Validate(Rejects) a!: string;
  @IsString() @Validate(Throws) b!: string;
}

test('B14: a constraint that throws beside one that rejects is answered once, and nothing is left unhandled', async () => {
  class Tool {
    execute(): string {
      return '';
    }
  }
  McpTool({ name: 'mixed', description: 'd', input: Mixed })(Tool);
  const app = await createApp([Tool]);
  expect(text(await app.tools.call('mixed', { a: 'x', b: 'y' }))).toMatch(/^Internal error \(ref/);
  await nothingStray();
});

type Next = () => Promise<unknown>;

test.each([
  [
    'goes on twice and waits once',
    (next: Next) => {
      void next();
      return next();
    },
  ],
  [
    'goes on without waiting',
    (next: Next) => {
      void next();
      return 'early';
    },
  ],
  [
    'goes on after it answered',
    (next: Next) => {
      setTimeout(() => void next(), 1);
      return 'early';
    },
  ],
])('F20: an interceptor that %s gives one answer, and a failing handler leaves nothing unhandled', async (_how, intercept) => {
  class Failing {
    execute(): never {
      throw new ToolError('no');
    }
  }
  UseInterceptors({ intercept: (_context: ExecutionContext, next: Next) => intercept(next) })(Failing);
  McpTool({ name: 'failing', description: 'd' })(Failing);
  for (const door of await everyDoor(await createApp([Failing]))) {
    expect(['no', 'early']).toContain(text((await door.ask('tools/call', { name: 'failing' })).result));
  }
  await nothingStray();
});

test.each([
  ['guard', (type: Type) => UseGuards({ canActivate: async () => (await sleep(60), true) })(type)],
  ['pipe', (type: Type) => UsePipes({ transform: async (value: unknown) => (await sleep(60), value) })(type)],
  [
    'interceptor',
    (type: Type) => UseInterceptors({ intercept: async (_context: ExecutionContext, next: Next) => (await sleep(60), next()) })(type),
  ],
])('F8: behind a slow %s the handler is not entered once the call was answered "Timed out"', async (_what, use) => {
  let entered = 0;
  class Slow {
    execute(): void {
      entered += 1;
    }
  }
  use(Slow);
  McpTool({ name: 'slow', description: 'd', timeoutMs: 20 })(Slow);
  const app = await createApp([Slow]);
  expect(text(await app.tools.call('slow'))).toBe('Timed out');
  await sleep(80);
  expect(entered).toBe(0);
  await nothingStray();
});

test('E1: a logger that throws, or lacks a method, loses its line and leaks nothing', async () => {
  const broken = {
    log: 5,
    error: () => {
      throw new Error('SECRET logger');
    },
  } as unknown as LoggerService;
  class Tool {
    execute(): never {
      throw new Error('SECRET handler');
    }
  }
  McpTool({ name: 'tool', description: 'd' })(Tool);
  for (const door of await everyDoor(await createApp([Tool], { logger: broken }))) {
    const answer = await door.ask('tools/call', { name: 'tool' });
    expect(text(answer.result)).toMatch(/^Internal error \(ref/);
    expect(JSON.stringify(answer)).not.toContain('SECRET');
  }
});

test('a Standard Schema that answers with a thenable is waited for', async () => {
  const refusing = {
    '~standard': {
      version: 1,
      vendor: 'x',
      validate: () => ({ then: (done: (value: unknown) => void) => done({ issues: [{ message: 'no' }] }) }),
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  } as unknown as StandardSchema<object>;
  let entered = 0;
  class Tool {
    execute(): void {
      entered += 1;
    }
  }
  McpTool({ name: 'tool', description: 'd', input: refusing })(Tool as never);
  const app = await createApp([Tool]);
  expect(await app.tools.call('tool', {})).toMatchObject({ isError: true });
  expect(entered).toBe(0);
});

test('B10: a result that turns into something else when it is written, or is too long to be written, is answered once', async () => {
  class Turning {
    execute(): unknown {
      return { content: [], toJSON: () => 5 };
    }
  }
  class Long {
    execute(): string {
      return '\u0000'.repeat(95_000_000);
    }
  }
  McpTool({ name: 'turning', description: 'd' })(Turning);
  McpTool({ name: 'long', description: 'd' })(Long);
  for (const door of await everyDoor(await createApp([Turning, Long]))) {
    for (const name of ['turning', 'long']) {
      expect([door.name, name, text((await door.ask('tools/call', { name })).result)]).toEqual([
        door.name,
        name,
        expect.stringMatching(/^Internal error \(ref/),
      ]);
    }
  }
}, 120_000);

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
  'a limit of %p is refused, since a timer cannot keep it',
  async (callTimeoutMs) => {
    await expect(createApp([], { limits: { callTimeoutMs } })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  },
);

/** Settles a second time, and throws, after it has settled. */
const twice = (value: unknown): unknown => ({
  then: (resolve: (value: unknown) => void) => {
    resolve(value);
    resolve('again');
    throw new Error('after the answer');
  },
});
const never = (): Promise<never> => new Promise(() => undefined);

test.each([
  ['a pipe that settles twice and then throws', UsePipes({ transform: (value: unknown) => twice(value) }), 'done'],
  ['a pipe that never settles', UsePipes({ transform: never }), 'Timed out'],
  ['a filter that settles twice and then throws', UseFilters({ catch: () => twice('done') }), 'done'],
  ['a filter that never settles', UseFilters({ catch: never }), 'Timed out'],
])('F20: %s gives one answer', async (what, use, answer) => {
  class Behind {
    execute(): string {
      if (what.startsWith('a filter')) throw new ToolError('no');
      return 'done';
    }
  }
  use(Behind);
  McpTool({ name: 'behind', description: 'd', timeoutMs: 50 })(Behind);
  for (const door of await everyDoor(await createApp([Behind]))) {
    expect(text((await door.ask('tools/call', { name: 'behind' })).result)).toBe(answer);
  }
  await nothingStray();
});
