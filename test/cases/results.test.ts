import { inspect } from 'node:util';
import { Injectable, McpError, McpTool, ToolError } from 'perch-mcp';
import { closeApps, createApp, everyDoor, RecordingLogger } from '../support/app';

afterEach(closeApps);

const SECRET = 'ECONNREFUSED db.internal:5432 user=svc password=pw';

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

@Injectable()
class Unserialisable {
  @McpTool({ name: 'cycle', description: 'd' })
  cycle(): unknown {
    return cycle;
  }

  @McpTool({ name: 'bigint', description: 'd' })
  bigint(): unknown {
    return { n: 10n };
  }

  @McpTool({ name: 'toJSON', description: 'd' })
  toJson(): unknown {
    return {
      toJSON(): never {
        throw new Error(SECRET);
      },
    };
  }

  @McpTool({ name: 'deep', description: 'd' })
  deep(): unknown {
    return nested(5_000);
  }

  @McpTool({ name: 'deep-content', description: 'd' })
  deepContent(): unknown {
    return { content: [{ type: 'text', text: 'x' }], _meta: { deep: nested(5_000) } };
  }

  @McpTool({ name: 'cyclic-content', description: 'd' })
  cyclicContent(): unknown {
    return { content: [{ type: 'text', text: 'x', annotations: cycle }] };
  }

  @McpTool({ name: 'cyclic-data', description: 'd' })
  cyclicData(): never {
    throw new McpError(-32000, 'with data', cycle);
  }
}

const NAMES = ['cycle', 'bigint', 'toJSON', 'deep', 'deep-content', 'cyclic-content', 'cyclic-data'];

test.each(NAMES)('B23, A: the result of "%s" cannot be serialised, and is answered exactly once on every transport', async (name) => {
  const logger = new RecordingLogger();
  const doors = await everyDoor(await createApp([Unserialisable], { logger }));
  for (const door of doors) {
    const before = logger.lines.filter(({ level }) => level === 'error').length;
    const answer = await door.ask('tools/call', { name });
    const isOneAnswer = answer.result !== undefined || answer.error?.code === -32603;
    expect([door.name, isOneAnswer]).toEqual([door.name, true]);
    expect(JSON.stringify(answer)).not.toContain('password');
    const logged = logger.lines.filter(({ level }) => level === 'error').length - before;
    expect([door.name, logged]).toEqual([door.name, answer.result?.['isError'] === true || answer.error !== undefined ? 1 : 0]);
    expect(await door.ask('ping').then(({ error }) => error?.code ?? 'answered')).toBe(door.name.includes('2026') ? -32601 : 'answered');
  }
});

@Injectable()
class Throwing {
  @McpTool({ name: 'error', description: 'd' })
  error(): never {
    throw new Error(SECRET);
  }

  @McpTool({ name: 'tool-error', description: 'd' })
  toolError(): never {
    throw new ToolError('date must be in the future');
  }

  @McpTool({ name: 'string', description: 'd' })
  string(): never {
    throw SECRET;
  }

  @McpTool({ name: 'null', description: 'd' })
  nothing(): never {
    throw null;
  }

  @McpTool({ name: 'getter', description: 'd' })
  getter(): never {
    const error = new Error();
    Object.defineProperty(error, 'message', {
      get() {
        throw new Error(SECRET);
      },
    });
    throw error;
  }

  @McpTool({ name: 'protocol', description: 'd' })
  protocol(): never {
    throw new McpError(-32050, 'a code of my own', { retryAfter: 3 });
  }

  @McpTool({ name: 'rejects', description: 'd' })
  rejects(): Promise<never> {
    return Promise.reject(new Error(SECRET));
  }
}

test('B26: a ToolError reaches the caller with its text [tools.failure]', async () => {
  for (const door of await everyDoor(await createApp([Throwing]))) {
    expect(await door.ask('tools/call', { name: 'tool-error' })).toMatchObject({
      result: { isError: true, content: [{ type: 'text', text: 'date must be in the future' }] },
    });
  }
});

test.each(['error', 'string', 'null', 'getter', 'rejects'])(
  'B26: what "%s" throws is answered with nothing but a reference, which stands in the log with the cause',
  async (name) => {
    const logger = new RecordingLogger();
    for (const door of await everyDoor(await createApp([Throwing], { logger }))) {
      const { result } = await door.ask('tools/call', { name });
      const [{ text }] = result?.['content'] as [{ text: string }];
      expect(result).toMatchObject({ isError: true });
      const [, reference = ''] = /^Internal error \(ref ([0-9a-f]{8})\)$/.exec(text) ?? [];
      expect(reference).not.toBe('');
      const logged = logger.lines.filter(({ message }) => message.includes(reference));
      expect(logged).toHaveLength(1);
      if (name === 'error' || name === 'string' || name === 'rejects') expect(inspect(logged[0]?.details)).toContain('password=pw');
    }
  },
);

test('an McpError is answered as a protocol error with its own code, message and data', async () => {
  for (const door of await everyDoor(await createApp([Throwing]))) {
    expect((await door.ask('tools/call', { name: 'protocol' })).error).toEqual({
      code: -32050,
      message: 'a code of my own',
      data: { retryAfter: 3 },
    });
  }
});
