import {
  APP_GUARD,
  buildToolDispatch,
  defineTool,
  DuplicateRegistrationError,
  formatToolError,
  McpError,
  McpSetupError,
  Policy,
  ToolError,
  ToolNotFoundError,
  type ExecutionContext,
  type OnApplicationShutdown,
  type OnModuleInit,
} from 'perch-mcp';
import { z } from 'zod';
import { RecordingLogger } from '../support/app';

const logger = new RecordingLogger();
beforeEach(() => void logger.lines.splice(0));

const add = defineTool({
  name: 'add',
  description: 'Adds',
  inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
  handler: ({ a, b }) => a + b,
});
const reads = defineTool({ name: 'reads', description: 'd', handler: (_args, ctx) => String(ctx.allowsFsRead('/etc')) });

test('parity C10: a dispatch lists and calls tools through the pipeline of an application', async () => {
  const dispatch = buildToolDispatch([add, reads], { name: 'sums', version: '2.0.0', logger: false, policy: Policy.define({}) });
  expect(dispatch.serverInfo).toEqual({ name: 'sums', version: '2.0.0' });
  expect(await dispatch.listTools()).toEqual([
    expect.objectContaining({ name: 'add', description: 'Adds', inputSchema: expect.objectContaining({ required: ['a'] }) }),
    expect.objectContaining({ name: 'reads', inputSchema: { type: 'object', additionalProperties: false } }),
  ]);
  expect(await dispatch.callTool('add', { a: 1 })).toEqual({ content: [{ type: 'text', text: '2' }] });
  expect(await dispatch.callTool('reads')).toEqual({ content: [{ type: 'text', text: 'false' }] });
  expect(await dispatch.callTool('add', { a: '1' })).toMatchObject({ isError: true });
  await expect(dispatch.callTool('none')).rejects.toThrow(ToolNotFoundError);
  await expect(dispatch.callTool('add', 'text')).rejects.toMatchObject({ code: -32602 });
  await dispatch.close();
});

test('parity C10: options are optional, and no tool at all is a list of none', async () => {
  const dispatch = buildToolDispatch([], { logger: false });
  expect(Object.keys(dispatch.serverInfo)).toEqual(['name', 'version']);
  expect(await dispatch.listTools()).toEqual([]);
  await dispatch.close();
});

test('a dispatch hides what a guard hides, and runs the hooks of what stands beside its tools, once', async () => {
  const seen: string[] = [];
  class Hooks implements OnModuleInit, OnApplicationShutdown {
    onModuleInit = (): void => void seen.push('init');
    onApplicationShutdown = (): void => void seen.push('end');
  }
  const isAdd = (context: ExecutionContext): boolean => context.switchToMcp().entry === 'add';
  const guard = { canActivate: isAdd, canList: isAdd };
  const providers = [Hooks, { provide: APP_GUARD, useValue: guard }];
  const dispatch = buildToolDispatch([add, reads], { logger: false, providers });
  expect(seen).toEqual([]);
  const [tools] = await Promise.all([dispatch.listTools(), dispatch.callTool('add', { a: 1 })]);
  expect(tools.map(({ name }) => name)).toEqual(['add']);
  await expect(dispatch.callTool('reads')).rejects.toThrow(ToolNotFoundError);
  await Promise.all([dispatch.close(), dispatch.close()]);
  expect(seen).toEqual(['init', 'end']);
});

test('tools that cannot be served are refused where the dispatch is built', () => {
  expect(() => buildToolDispatch([add, add])).toThrow(new DuplicateRegistrationError('Tool', 'add'));
  const bad = defineTool({ name: 'bad', description: 'd', inputSchema: { type: 'strong' }, handler: () => 1 });
  expect(() => buildToolDispatch([bad])).toThrow(McpSetupError);
});

const thrown = (error: unknown, options: { readonly exposeErrors?: boolean } = {}): string =>
  formatToolError(error, { tool: 'search', logger, ...options });
const REFERENCE = /^Internal error \(ref ([0-9a-f]{8})\)$/;

test('parity C11: what an author meant to show is shown, a protocol error with its whole shape', () => {
  expect(thrown(new ToolError('No such city'))).toBe('No such city');
  expect(JSON.parse(thrown(new McpError(-32050, 'Quota', { left: 0, per: ['day'] })))).toEqual({
    code: -32050,
    message: 'Quota',
    data: { left: 0, per: ['day'] },
  });
  expect(JSON.parse(thrown(new McpError(-32050, 'Quota')))).toEqual({ code: -32050, message: 'Quota' });
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  expect(JSON.parse(thrown(new McpError(-32050, 'Quota', circle)))).toEqual({ code: -32050, message: 'Quota' });
});

const HOSTILE = new Proxy(
  {},
  {
    get: () => {
      throw new Error('trap');
    },
    ownKeys: () => {
      throw new Error('trap');
    },
  },
);

test.each([
  ['an error', new Error('at /srv/app/db.ts: password=hunter2')],
  ['a structured object', { code: 'E_QUOTA', message: 'over', path: '/srv/app' }],
  ['an error of Node', Object.assign(new Error("ENOENT, open '/etc/secret'"), { code: 'ENOENT', path: '/etc/secret' })],
  ['a text', 'boom at /srv'],
  ['nothing', undefined],
  ['what will not be looked at', HOSTILE],
])('parity C11: %s that nobody meant to show is a reference to the log, never [object Object]', (_name, error) => {
  const text = thrown(error);
  expect(text).toMatch(REFERENCE);
  const [, reference = ''] = REFERENCE.exec(text) ?? [];
  expect(logger.lines.map(({ level, message }) => [level, message])).toEqual([
    ['error', `Tool "search" failed unexpectedly (ref ${reference})`],
  ]);
  expect(logger.lines[0]?.details[0]).toBe(error);
});

test.each([
  [{ code: 'E_QUOTA', details: { left: 0 } }, '{"code":"E_QUOTA","details":{"left":0}}'],
  [Object.assign(new Error('over', { cause: 'hidden' }), { code: 'E_QUOTA' }), '{"message":"over","code":"E_QUOTA"}'],
  [new Error('plain'), 'plain'],
  ['text', 'text'],
  [{ stack: 'at /srv' }, REFERENCE],
  [HOSTILE, REFERENCE],
  [{ big: 1n }, REFERENCE],
])('parity C11: exposeErrors keeps the shape of what was thrown, without stack and cause (%#)', (error, expected) => {
  const text = thrown(error, { exposeErrors: true });
  expect(text).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  expect(text).not.toContain('[object');
});
