import { IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { z } from 'zod';
import { InputDeclined, Injectable, McpContext, McpTool, type McpApplication } from 'perch-mcp';
import { closeApps, createApp, overHttp, RecordingLogger } from '../../support/app';
import { ASKING_CLIENTS, type Connect, type Form } from '../../support/asking-clients';
import type { AnyClient } from '../../support/clients';

afterEach(closeApps);

class Name {
  @IsString() name!: string;
}

class Age {
  @IsInt() @Min(0) age!: number;
}

class Nested {
  @ValidateNested() @Type(() => Name) who!: Name;
}

let effects = 0;
let entered = 0;

beforeEach(() => {
  effects = 0;
  entered = 0;
});

@Injectable()
class Tools {
  @McpTool({ name: 'introduce', description: 'd' })
  async introduce(_input: object, context: McpContext): Promise<string> {
    entered += 1;
    const { name } = await context.ask('name', { message: 'Your name?', schema: Name });
    const ticket = await context.once('ticket', () => ({ number: (effects += 1), secret: 'SECRET-OF-ONCE' }));
    const { age } = await context.ask('age', { message: 'Your age?', schema: Age });
    return `${name} is ${String(age)}, ticket ${String(ticket.number)}`;
  }

  @McpTool({ name: 'together', description: 'd' })
  async together(_input: object, context: McpContext): Promise<string> {
    entered += 1;
    const [{ name }, sample, roots] = await Promise.all([
      context.ask('name', { message: 'Your name?', schema: z.object({ name: z.string() }) }),
      context.sample('joke', { messages: [{ role: 'user', content: { type: 'text', text: 'Joke?' } }], maxTokens: 10 }),
      context.roots('roots'),
    ]);
    return `${name} ${sample.model} ${String(roots.length)}`;
  }

  @McpTool({ name: 'catches', description: 'd' })
  async catches(_input: object, context: McpContext): Promise<string> {
    try {
      const { name } = await context.ask('name', { message: 'Your name?', schema: Name });
      return `caught nothing: ${name}`;
    } catch (error) {
      return error instanceof InputDeclined ? `declined: ${error.action}` : 'swallowed';
    }
  }

  @McpTool({ name: 'nested', description: 'd' })
  async nested(_input: object, context: McpContext): Promise<string> {
    await context.ask('who', { message: 'Who?', schema: Nested });
    return 'never';
  }

  @McpTool({ name: 'slow-answer', description: 'd', timeoutMs: 60 })
  async slowAnswer(_input: object, context: McpContext): Promise<string> {
    const { name } = await context.ask('name', { message: 'Your name?', schema: Name });
    return name;
  }
}

type Answer = (form: Form) => unknown;

const SAMPLE = { role: 'assistant', content: { type: 'text', text: 'ha' }, model: 'm-1' };
const [ONE, LEGACY, MODERN] = ASKING_CLIENTS.map(([, connect]) => connect) as [Connect, Connect, Connect];

const good: Answer = ({ message }) => ({ action: 'accept', content: message.includes('name') ? { name: 'Ada' } : { age: 36 } });
const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

async function withClient(
  connect: Connect,
  answer: Answer,
  use: (client: AnyClient, app: McpApplication) => Promise<void>,
  options: { isMute?: boolean; logger?: RecordingLogger; limits?: object } = {},
): Promise<void> {
  const app = await createApp([Tools], {
    ...(options.logger ? { logger: options.logger } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
  });
  const answers = { person: answer, model: () => SAMPLE, roots: () => ({ roots: [{ uri: 'file:///r' }] }) };
  const client = await connect({ url: await overHttp(app) }, options.isMute === true ? {} : answers);
  try {
    await use(client, app);
  } finally {
    await client.close();
  }
}

describe.each(ASKING_CLIENTS)('%s', (_name, connect) => {
  test('two questions with one effect between them give one result, and the effect happens once', async () => {
    await withClient(connect, good, async (client) => {
      expect(text(await client.callTool({ name: 'introduce' }))).toBe('Ada is 36, ticket 1');
      expect(effects).toBe(1);
    });
  });

  test('questions that are awaited together are one round, of all three kinds [ask.sample] [ask.roots]', async () => {
    await withClient(connect, good, async (client) => {
      expect(text(await client.callTool({ name: 'together' }))).toBe('Ada m-1 1');
      expect(entered).toBe(connect === MODERN ? 2 : 1);
    });
  });

  test('a wrong answer is asked again, and one that never fits ends as a failed call [ask.checked]', async () => {
    let asked = 0;
    const wrongFirst: Answer = ({ message }) =>
      message.includes('age') && (asked += 1) < 3 ? { action: 'accept', content: { age: -1 } } : good({ message });
    await withClient(connect, wrongFirst, async (client) => {
      expect(text(await client.callTool({ name: 'introduce' }))).toBe('Ada is 36, ticket 1');
      expect([asked, effects]).toEqual([3, 1]);
    });
    const neverRight: Answer = () => ({ action: 'accept', content: { name: 5 } });
    await withClient(
      connect,
      neverRight,
      async (client) => {
        expect(await client.callTool({ name: 'introduce' })).toMatchObject({ isError: true });
      },
      { limits: { askRounds: 3 } },
    );
  });

  test.each(['decline', 'cancel'])('a person who answers "%s" is an InputDeclined, which the handler may catch', async (action) => {
    await withClient(
      connect,
      () => ({ action }),
      async (client) => {
        expect(text(await client.callTool({ name: 'catches' }))).toBe(`declined: ${action}`);
        expect(await client.callTool({ name: 'introduce' })).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('"name"') }],
        });
        expect(effects).toBe(0);
      },
    );
  });

  test('a schema that no form can show is refused before anything is sent, and the log says why [ask.flat]', async () => {
    const logger = new RecordingLogger();
    let asked = 0;
    await withClient(
      connect,
      () => (asked += 1),
      async (client) => {
        expect(text(await client.callTool({ name: 'nested' }))).toMatch(/^Internal error \(ref/);
        expect(asked).toBe(0);
        expect(logger.lines.filter(({ level, details }) => level === 'error' && String(details[0]).includes('"who"'))).toHaveLength(1);
      },
      { logger },
    );
  });

  test('the clock of the call stands still while the client is asked', async () => {
    const slow: Answer = async (params) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return good(params);
    };
    await withClient(connect, slow, async (client) => {
      expect(text(await client.callTool({ name: 'slow-answer' }))).toBe('Ada');
    });
  });
});

test('what swallows the pending question changes nothing: the client is asked', async () => {
  await withClient(MODERN, good, async (client) => {
    expect(text(await client.callTool({ name: 'catches' }))).toBe('caught nothing: Ada');
  });
});

test('a client that cannot be asked is a failed call in the legacy era and -32021 in the modern one [ask.capability]', async () => {
  for (const connect of [ONE, LEGACY]) {
    await withClient(
      connect,
      good,
      async (client) => {
        expect(await client.callTool({ name: 'introduce' })).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('elicitation') }],
        });
      },
      { isMute: true },
    );
  }
  await withClient(
    MODERN,
    good,
    async (client) => {
      await expect(client.callTool({ name: 'introduce' })).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { elicitation: {} } },
      });
    },
    { isMute: true },
  );
});

test('a call in process has no client to ask, and effects still run', async () => {
  const app = await createApp([Tools]);
  expect(await app.tools.call('introduce')).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('no client') }] });
});
