import { DuplicateRegistrationError, McpError, ResourceNotFoundError, ResourceRegistry } from 'perch-mcp';

const today = { uri: 'notes://today', name: 'today', read: () => 'Nothing yet' };
const note = { uri: 'notes://{id}', name: 'note', read: (variables: object) => variables };

test('parity A1: resources are registered, found, listed and unregistered by URI', () => {
  const resources = new ResourceRegistry();
  expect([resources.has(today.uri), resources.get(today.uri), resources.list()]).toEqual([false, undefined, []]);
  const entry = resources.register(today);
  expect([resources.has(today.uri), resources.get(today.uri), resources.list()]).toEqual([true, entry, [entry]]);
  expect([resources.unregister(today.uri), resources.unregister(today.uri), resources.has(today.uri)]).toEqual([true, false, false]);
});

test('parity A2: a registry of its own reads directly: the exact URI first, then the first template that matches', async () => {
  const resources = new ResourceRegistry();
  resources.register(note);
  resources.register(today);
  expect(await resources.read('notes://today')).toBe('Nothing yet');
  expect(await resources.read('notes://tomorrow')).toEqual({ id: 'tomorrow' });
});

test('parity A3: a second registration of a URI throws DuplicateRegistrationError and changes nothing', () => {
  const resources = new ResourceRegistry();
  const first = resources.register(today);
  expect(() => resources.register({ ...today })).toThrow(new DuplicateRegistrationError('Resource', 'notes://today'));
  expect(() => resources.register({ ...today })).toThrow('Resource already registered: "notes://today"');
  expect(resources.get(today.uri)).toBe(first);
});

test('F11: a template that matches what another one matches is a duplicate, until that one is gone', () => {
  const resources = new ResourceRegistry();
  resources.register(note);
  expect(() => resources.register({ ...note, uri: 'notes://{name}' })).toThrow('Resource already registered: "notes://{name}"');
  resources.unregister(note.uri);
  expect(resources.register({ ...note, uri: 'notes://{name}' }).uri).toBe('notes://{name}');
});

test('parity A4: an unknown URI rejects with ResourceNotFoundError, a -32602 with the URI', async () => {
  const reading = new ResourceRegistry().read('notes://nothing');
  await expect(reading).rejects.toBeInstanceOf(ResourceNotFoundError);
  await expect(reading).rejects.toBeInstanceOf(McpError);
  await expect(reading).rejects.toMatchObject({
    code: -32602,
    data: { uri: 'notes://nothing' },
    message: 'Unknown resource: "notes://nothing"',
  });
});

test.each(['notes/today', '', 'notes://{', 'notes://{id:3}', 5])('the URI %j is refused and nothing is kept', (uri) => {
  const resources = new ResourceRegistry();
  expect(() => resources.register({ ...today, uri: uri as string })).toThrow(expect.objectContaining({ code: 'MCP_RESOURCE_URI' }));
  expect(resources.list()).toEqual([]);
});

test('a resource without a name is refused', () => {
  expect(() => new ResourceRegistry().register({ ...today, name: '' })).toThrow(/has no name/);
});

test('those who follow updates hear of every URI until they stop', () => {
  const resources = new ResourceRegistry();
  const heard: string[] = [];
  const stop = resources.onUpdate((uri) => heard.push(uri));
  resources.notifyUpdated('notes://today');
  stop();
  resources.notifyUpdated('notes://today');
  expect(heard).toEqual(['notes://today']);
});
