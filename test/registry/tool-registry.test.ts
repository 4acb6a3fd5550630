import { DuplicateRegistrationError, ToolNotFoundError, ToolRegistry } from 'perch-mcp';

const echo = { name: 'echo', description: 'Echoes', execute: (input: unknown) => input };

test('parity A1: register, has, get, list and unregister', () => {
  const tools = new ToolRegistry();
  expect([tools.has('echo'), tools.get('echo'), tools.list()]).toEqual([false, undefined, []]);
  const entry = tools.register(echo);
  expect([tools.has('echo'), tools.get('echo'), tools.list()]).toEqual([true, entry, [entry]]);
  expect([tools.unregister('echo'), tools.unregister('echo'), tools.has('echo')]).toEqual([true, false, false]);
});

test('parity A2: a registry of its own calls the tool directly', async () => {
  const tools = new ToolRegistry();
  tools.register(echo);
  expect(await tools.call('echo', { text: 'x' })).toEqual({ text: 'x' });
});

test('parity A3: a second registration throws DuplicateRegistrationError and changes nothing', () => {
  const tools = new ToolRegistry();
  const first = tools.register(echo);
  expect(() => tools.register({ ...echo })).toThrow(new DuplicateRegistrationError('Tool', 'echo'));
  expect(() => tools.register({ ...echo })).toThrow('Tool already registered: "echo"');
  expect(tools.get('echo')).toBe(first);
});

test('parity A4: an unknown name rejects with ToolNotFoundError, whose text is safe to print', async () => {
  const tools = new ToolRegistry();
  await expect(tools.call('nothing')).rejects.toBeInstanceOf(ToolNotFoundError);
  await expect(tools.call('a\n"b"\u202e')).rejects.toThrow('Unknown tool: "a\\u{a}\\"b\\"\\u{202e}"');
  await expect(tools.call('x'.repeat(500))).rejects.toThrow(/x{100}…"$/);
});

test('an entry is frozen, and a tool that is an instance keeps its this', async () => {
  class Counter {
    readonly name = 'count';
    #count = 0;
    execute(): number {
      return (this.#count += 1);
    }
  }
  const tools = new ToolRegistry();
  expect(Object.isFrozen(tools.register(new Counter()))).toBe(true);
  expect([await tools.call('count'), await tools.call('count')]).toEqual([1, 2]);
});

test('listeners hear of every change until they stop listening; a refused entry is no change', () => {
  const refuse = (): never => {
    throw new Error('refused');
  };
  let heard = 0;
  const tools = new ToolRegistry();
  const stop = tools.onChange(() => (heard += 1));
  tools.register(echo);
  tools.unregister('echo');
  tools.unregister('echo');
  expect(heard).toBe(2);
  stop();
  tools.register(echo);
  expect(heard).toBe(2);
  const strict = new ToolRegistry({ admit: refuse });
  expect(() => strict.register(echo)).toThrow('refused');
  expect(strict.has('echo')).toBe(false);
});

test.each(['', 'a b', 'a/b', 'x'.repeat(129), 'ä', 'a\nb', 5])('F16: the name %j is refused and nothing is kept', (name) => {
  const tools = new ToolRegistry();
  expect(() => tools.register({ ...echo, name: name as string })).toThrow(expect.objectContaining({ code: 'MCP_TOOL_NAME' }));
  expect(tools.list()).toEqual([]);
});

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

test.each([
  ['meta', { meta: { n: 10n } }],
  ['annotations', { annotations: cycle }],
  ['icons', { icons: [cycle] }],
  ['description', { description: 5 }],
  ['title', { title: {} }],
  ['timeoutMs', { timeoutMs: Number.POSITIVE_INFINITY }],
  ['timeoutMs', { timeoutMs: 2 ** 31 }],
  ['timeoutMs', { timeoutMs: -1 }],
])('an entry whose %s cannot be sent or used is refused, and nothing is kept', (field, wrong) => {
  const tools = new ToolRegistry();
  expect(() => tools.register({ ...echo, ...(wrong as object) })).toThrow(
    expect.objectContaining({ code: 'MCP_ENTRY_INVALID', message: expect.stringContaining(field) }),
  );
  expect(tools.list()).toEqual([]);
});
