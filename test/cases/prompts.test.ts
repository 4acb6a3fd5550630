import { IsIn, IsOptional, IsString } from 'class-validator';
import { z } from 'zod';
import {
  embedded,
  Field,
  image,
  Injectable,
  jsonSchema,
  McpError,
  McpPrompt,
  text,
  ToolError,
  UseGuards,
  type PromptMessage,
} from 'perch-mcp';
import { closeApps, createApp, everyDoor, RecordingLogger } from '../support/app';

afterEach(closeApps);

class PlanArgs {
  @Field({ title: 'City', description: 'Where to' }) @IsString() city!: string;
  @Field({ description: 'How' }) @IsOptional() @IsIn(['train', 'bike']) by?: string;
}

const entered: unknown[] = [];

@Injectable()
class Prompts {
  @McpPrompt({
    name: 'plan',
    title: 'Plan a trip',
    description: 'Plans',
    args: PlanArgs,
    icons: [{ src: 'https://x.example/i.png' }],
    meta: { 'x.example/a': 1 },
  })
  plan(args: PlanArgs): string {
    entered.push(args);
    return `To ${args.city} by ${args.by ?? 'foot'}`;
  }

  @McpPrompt({ name: 'messages' })
  messages(): readonly PromptMessage[] {
    return [
      { role: 'user', content: image(new Uint8Array([1]), 'image/png') },
      { role: 'assistant', content: text('Seen.') },
      { role: 'user', content: embedded({ uri: 'x://1', text: 'one' }) },
    ];
  }

  @McpPrompt({ name: 'full' })
  full(): { description: string; messages: PromptMessage[] } {
    return { description: 'Whole', messages: [{ role: 'user', content: text('x', { annotations: { priority: 1 } }) }] };
  }

  @McpPrompt({ name: 'converts', args: z.object({ n: z.coerce.number().describe('A number') }) })
  converts({ n }: { n: number }): string {
    return String(n + 1);
  }

  @McpPrompt({ name: 'raw', args: jsonSchema<{ a?: string }>({ type: 'object', properties: { a: { type: 'string', title: 'A' } } }) })
  raw({ a }: { a?: string }): string {
    return a ?? 'none';
  }

  @McpPrompt({ name: 'not-a-prompt' })
  notAPrompt(): string {
    return [{ role: 'system', content: 'x' }] as never;
  }

  @McpPrompt({ name: 'cycle' })
  cycle(): { messages: PromptMessage[] } {
    const content: Record<string, unknown> & { type: string } = { type: 'text', text: 'x' };
    content['self'] = content;
    return { messages: [{ role: 'user', content }] };
  }

  @McpPrompt({ name: 'fails' })
  fails(): never {
    throw new Error('password=pw');
  }

  @McpPrompt({ name: 'refuses' })
  refuses(): never {
    throw new ToolError('Not on Sundays');
  }

  @McpPrompt({ name: 'protocol' })
  protocol(): never {
    throw new McpError(-32050, 'mine');
  }

  @McpPrompt({ name: 'hangs' })
  hangs(): Promise<string> {
    return new Promise(() => undefined);
  }

  @UseGuards({ canActivate: () => false })
  @McpPrompt({ name: 'denied' })
  denied(): string {
    entered.push('denied');
    return '';
  }
}

const userText = (content: string): object => ({ messages: [{ role: 'user', content: { type: 'text', text: content } }] });

test('prompts/list publishes names, titles, arguments, icons and _meta [prompts.list] [base.icons]', async () => {
  for (const door of await everyDoor(await createApp([Prompts]))) {
    const prompts = (await door.ask('prompts/list')).result?.['prompts'] as readonly { name: string }[];
    expect(prompts[0]).toEqual({
      name: 'plan',
      title: 'Plan a trip',
      description: 'Plans',
      arguments: [
        { name: 'city', title: 'City', description: 'Where to', required: true },
        { name: 'by', description: 'How', required: false },
      ],
      icons: [{ src: 'https://x.example/i.png' }],
      _meta: { 'x.example/a': 1 },
    });
    expect(prompts.find(({ name }) => name === 'converts')).toMatchObject({
      arguments: [{ name: 'n', description: 'A number', required: true }],
    });
    expect(prompts.find(({ name }) => name === 'raw')).toMatchObject({ arguments: [{ name: 'a', title: 'A', required: false }] });
    expect(prompts.find(({ name }) => name === 'full')).toEqual({ name: 'full', arguments: [] });
  }
});

test.each([
  [{ name: 'plan', arguments: { city: 'Rome' } }, userText('To Rome by foot')],
  [{ name: 'plan', arguments: { city: 'Rome', by: 'bike' } }, userText('To Rome by bike')],
  [{ name: 'converts', arguments: { n: '41' } }, userText('42')],
  [{ name: 'raw' }, userText('none')],
  [
    { name: 'full' },
    { description: 'Whole', messages: [{ role: 'user', content: { type: 'text', text: 'x', annotations: { priority: 1 } } }] },
  ],
  [
    { name: 'messages' },
    {
      messages: [
        { role: 'user', content: { type: 'image', data: 'AQ==', mimeType: 'image/png' } },
        { role: 'assistant', content: { type: 'text', text: 'Seen.' } },
        { role: 'user', content: { type: 'resource', resource: { uri: 'x://1', text: 'one' } } },
      ],
    },
  ],
])(
  'prompts/get with %j gives a string as one message of the user, a list as the messages, and everything as it is',
  async (params, expected) => {
    for (const door of await everyDoor(await createApp([Prompts]))) {
      expect([door.name, (await door.ask('prompts/get', params)).result]).toEqual([door.name, expect.objectContaining(expected)]);
    }
  },
);

test.each([
  [{ name: 'plan' }, /city/],
  [{ name: 'plan', arguments: {} }, /city/],
  [{ name: 'plan', arguments: { city: 5 } }, /object of strings/],
  [{ name: 'plan', arguments: { city: 'Rome', by: 'boat' } }, /by/],
  [{ name: 'plan', arguments: { city: 'Rome', other: 'x' } }, /other/],
  [{ name: 'plan', arguments: null }, /must be an object/],
  [{ name: 'full', arguments: { a: 'x' } }, /a is not allowed/],
  [{ name: 'converts', arguments: { n: 'x' } }, /n/],
  [{ name: 5 }, /"name"/],
  [{}, /"name"/],
])('A32: prompts/get with %j is answered -32602, and the prompt is not entered [prompts.invalid]', async (params, message) => {
  entered.length = 0;
  for (const door of await everyDoor(await createApp([Prompts]))) {
    const { error } = await door.ask('prompts/get', params);
    expect([door.name, error]).toEqual([door.name, { code: -32602, message: expect.stringMatching(message) as string }]);
  }
  expect(entered).toEqual([]);
});

test.each(['nothing', 'denied'])('A16: the prompt "%s" is unknown to its caller', async (name) => {
  entered.length = 0;
  for (const door of await everyDoor(await createApp([Prompts]))) {
    expect([door.name, (await door.ask('prompts/get', { name })).error]).toEqual([
      door.name,
      { code: -32602, message: `Unknown prompt: "${name}"` },
    ]);
  }
  expect(entered).toEqual([]);
});

test.each([
  ['refuses', { code: -32603, message: 'Not on Sundays' }],
  ['protocol', { code: -32050, message: 'mine' }],
  ['hangs', { code: -32603, message: 'Timed out' }],
])('B9: the prompt "%s" is answered %j', async (name, expected) => {
  for (const door of await everyDoor(await createApp([Prompts], { limits: { callTimeoutMs: 100 } }))) {
    expect([door.name, (await door.ask('prompts/get', { name })).error]).toEqual([door.name, expected]);
  }
});

test.each(['fails', 'cycle', 'not-a-prompt'])(
  'B9, B10: the prompt "%s" is answered once with a reference, which stands in the log',
  async (name) => {
    const logger = new RecordingLogger();
    for (const door of await everyDoor(await createApp([Prompts], { logger }))) {
      const { error } = await door.ask('prompts/get', { name });
      const [, reference = ''] = /^Internal error \(ref ([0-9a-f]{8})\)$/.exec(error?.message ?? '') ?? [];
      expect([door.name, error?.code, reference === '']).toEqual([door.name, -32603, false]);
      expect(logger.lines.filter(({ message }) => message.includes(reference))).toHaveLength(1);
    }
  },
);

test('parity A2: app.prompts.getMessages checks the arguments and gives the messages', async () => {
  const app = await createApp([Prompts]);
  expect(await app.prompts.getMessages('plan', { city: 'Rome' })).toEqual([
    { role: 'user', content: { type: 'text', text: 'To Rome by foot' } },
  ]);
  await expect(app.prompts.getMessages('plan', {})).rejects.toMatchObject({ code: -32602 });
  expect(entered.at(-1)).toBeInstanceOf(PlanArgs);
});
