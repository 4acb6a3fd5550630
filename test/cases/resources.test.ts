import { Injectable, McpError, McpResource, ToolError, UseGuards, type ExecutionContext, type McpContext } from 'perch-mcp';
import { closeApps, createApp, everyDoor, RecordingLogger, type RpcAnswer } from '../support/app';

afterEach(closeApps);

const SECRET = 'password=pw';
const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

@Injectable()
class Shapes {
  @McpResource({ uri: 'x://text', name: 'text', mimeType: 'text/markdown' })
  text(): string {
    return '# Text';
  }

  @McpResource({ uri: 'x://bytes', name: 'bytes', mimeType: 'image/png' })
  bytes(): Uint8Array {
    return new Uint8Array([1, 2, 255]).subarray(1);
  }

  @McpResource({ uri: 'x://object', name: 'object' })
  object(): object {
    return { n: 1, at: new Date(0) };
  }

  @McpResource({ uri: 'x://full', name: 'full', mimeType: 'text/plain' })
  full(): object {
    return { contents: [{ text: 'mine' }, { uri: 'x://other', mimeType: 'a/b', blob: 'AA==' }], _meta: { seen: true } };
  }

  @McpResource({ uri: 'x://gone', name: 'gone' })
  gone(): undefined {
    return undefined;
  }

  @McpResource({ uri: 'list://x{?page,limit}', name: 'pages' })
  pages(variables: { page?: string | undefined; limit?: string | undefined }): object {
    return { page: variables.page ?? 'absent', limit: variables.limit ?? 'absent' };
  }

  @McpResource({ uri: 'path://{+path}', name: 'path' })
  path({ path }: { path: string }): string {
    return path;
  }

  @McpResource({ uri: 'ids:{/id*}', name: 'ids' })
  ids({ id }: { id?: readonly string[] | undefined }): object {
    return id ?? [];
  }
}

const contentsOf = ({ result }: RpcAnswer): unknown => result?.['contents'];

test('what read returns becomes text, a blob, JSON, or goes through as it is, on every transport [resources.read]', async () => {
  for (const door of await everyDoor(await createApp([Shapes]))) {
    const read = async (uri: string): Promise<unknown> => contentsOf(await door.ask('resources/read', { uri }));
    expect([door.name, await read('x://text')]).toEqual([door.name, [{ uri: 'x://text', mimeType: 'text/markdown', text: '# Text' }]]);
    expect(await read('x://bytes')).toEqual([{ uri: 'x://bytes', mimeType: 'image/png', blob: 'Av8=' }]);
    expect(await read('x://object')).toEqual([
      { uri: 'x://object', mimeType: 'application/json', text: '{"n":1,"at":"1970-01-01T00:00:00.000Z"}' },
    ]);
    expect((await door.ask('resources/read', { uri: 'x://full' })).result).toMatchObject({
      contents: [
        { uri: 'x://full', mimeType: 'text/plain', text: 'mine' },
        { uri: 'x://other', mimeType: 'a/b', blob: 'AA==' },
      ],
      _meta: { seen: true },
    });
  }
});

test.each([
  ['list://x', { page: 'absent', limit: 'absent' }],
  ['list://x?limit=1&page=2', { page: '2', limit: '1' }],
  ['list://x?page=2&other=9', { page: '2', limit: 'absent' }],
  ['ids:/a/b', ['a', 'b']],
])('B29: %s is read through its template [resources.templates]', async (uri, expected) => {
  for (const door of await everyDoor(await createApp([Shapes]))) {
    const [{ text }] = contentsOf(await door.ask('resources/read', { uri })) as [{ text: string }];
    expect([door.name, JSON.parse(text)]).toEqual([door.name, expected]);
  }
});

test.each(['x://nothing', 'x://gone', 'list://y', '', 'x://Text'])(
  'A16, B29: %j is answered as unknown, with its URI, in both eras [resources.unknown]',
  async (uri) => {
    for (const door of await everyDoor(await createApp([Shapes]))) {
      const { error } = await door.ask('resources/read', { uri });
      expect([door.name, error]).toEqual([door.name, { code: -32602, message: `Unknown resource: "${uri}"`, data: { uri } }]);
    }
  },
);

test('A28: 100 kB of URI that no template matches is answered as unknown', async () => {
  for (const door of await everyDoor(await createApp([Shapes]))) {
    // Over HTTP a modern client repeats the URI in a header, and no server takes so long a header.
    if (door.name === 'HTTP 2026-07-28') continue;
    for (const uri of [`ids:${'/b'.repeat(50_000)}?`, `list://x${'?'.repeat(100_000)}x{`, `path:/${'a'.repeat(100_000)}`]) {
      const { error, result } = await door.ask('resources/read', { uri });
      // What a modern result has besides is the protocol's.
      expect([door.name, error?.code ?? Object.keys(result ?? {})[0]]).toEqual([door.name, uri.startsWith('list') ? 'contents' : -32602]);
    }
  }
});

test.each([[{}], [{ uri: 5 }], [{ uri: null }]])('A17: resources/read with params %j is answered -32602', async (params) => {
  for (const door of await everyDoor(await createApp([Shapes]))) {
    expect([door.name, (await door.ask('resources/read', params)).error?.code]).toEqual([door.name, -32602]);
  }
});

@Injectable()
class Failing {
  @McpResource({ uri: 'f://tool-error', name: 'n' })
  toolError(): never {
    throw new ToolError('Come back tomorrow');
  }

  @McpResource({ uri: 'f://protocol', name: 'n' })
  protocol(): never {
    throw new McpError(-32050, 'mine', { retry: 1 });
  }

  @McpResource({ uri: 'f://error', name: 'n' })
  error(): never {
    throw new Error(SECRET);
  }

  @McpResource({ uri: 'f://cycle', name: 'n' })
  cycle(): object {
    return cycle;
  }

  @McpResource({ uri: 'f://bigint', name: 'n' })
  bigint(): object {
    return { n: 1n };
  }

  @McpResource({ uri: 'f://function', name: 'n' })
  function(): unknown {
    return () => 1;
  }

  @McpResource({ uri: 'f://hangs', name: 'n' })
  hangs(): Promise<string> {
    return new Promise(() => undefined);
  }
}

test.each([
  ['f://tool-error', { code: -32603, message: 'Come back tomorrow' }],
  ['f://protocol', { code: -32050, message: 'mine', data: { retry: 1 } }],
  ['f://hangs', { code: -32603, message: 'Timed out' }],
])('B10: %s is answered %j', async (uri, expected) => {
  for (const door of await everyDoor(await createApp([Failing], { limits: { callTimeoutMs: 100 } }))) {
    expect([door.name, (await door.ask('resources/read', { uri })).error]).toEqual([door.name, expected]);
  }
});

test.each(['f://error', 'f://cycle', 'f://bigint', 'f://function'])(
  'B9, B10: %s is answered once with a reference, which stands in the log',
  async (uri) => {
    const logger = new RecordingLogger();
    for (const door of await everyDoor(await createApp([Failing], { logger }))) {
      const { error } = await door.ask('resources/read', { uri });
      const [, reference = ''] = /^Internal error \(ref ([0-9a-f]{8})\)$/.exec(error?.message ?? '') ?? [];
      expect([door.name, error?.code, reference === '']).toEqual([door.name, -32603, false]);
      expect(logger.lines.filter(({ message }) => message.includes(reference))).toHaveLength(1);
      expect(JSON.stringify(error)).not.toContain(SECRET);
    }
  },
);

const entered: string[] = [];

@UseGuards({ canActivate: (context: ExecutionContext) => context.switchToMcp().name.endsWith('/mine') })
@McpResource({ uri: 'guarded://{id}/{owner}', name: 'guarded' })
class Guarded {
  read({ id }: { id: string; owner: string }): string {
    entered.push(id);
    return id;
  }

  list(): { uri: string; name: string }[] {
    return [{ uri: 'guarded://1/mine', name: '1' }];
  }
}

test('a guard sees the URI that was asked for; who is denied gets the answer of an unknown resource', async () => {
  for (const door of await everyDoor(await createApp([Guarded]))) {
    expect(contentsOf(await door.ask('resources/read', { uri: 'guarded://1/mine' }))).toEqual([{ uri: 'guarded://1/mine', text: '1' }]);
    entered.length = 0;
    const uri = 'guarded://1/theirs';
    expect((await door.ask('resources/read', { uri })).error).toEqual({
      code: -32602,
      message: `Unknown resource: "${uri}"`,
      data: { uri },
    });
    expect(entered).toEqual([]);
    // The guard admits no list either, and says nothing of it.
    expect((await door.ask('resources/list')).result?.['resources']).toEqual([]);
  }
});

@McpResource({ uri: 'mine://{id}', name: 'mine' })
class PerCaller {
  read({ id }: { id: string }): string {
    return id;
  }

  list({ era }: McpContext): { uri: string; name: string; title: string }[] {
    return [{ uri: `mine://${era}`, name: era, title: era }];
  }
}

@McpResource({ uri: 'bad://{id}', name: 'bad' })
class BadList {
  read(): string {
    return '';
  }

  list(): never[] {
    return [{ uri: 5 }] as never[];
  }
}

test('the lists show resources and templates apart, and what a template lists for its caller', async () => {
  for (const door of await everyDoor(await createApp([Shapes, PerCaller]))) {
    const era = door.name.includes('2026') ? 'modern' : 'legacy';
    const { resources } = (await door.ask('resources/list')).result as { resources: { uri: string }[] };
    expect([door.name, resources.map(({ uri }) => uri)]).toEqual([
      door.name,
      ['x://text', 'x://bytes', 'x://object', 'x://full', 'x://gone', `mine://${era}`],
    ]);
    expect(resources[0]).toEqual({ uri: 'x://text', name: 'text', mimeType: 'text/markdown' });
    const { resourceTemplates } = (await door.ask('resources/templates/list')).result as { resourceTemplates: object[] };
    expect(resourceTemplates).toEqual([
      { uriTemplate: 'list://x{?page,limit}', name: 'pages' },
      { uriTemplate: 'path://{+path}', name: 'path' },
      { uriTemplate: 'ids:{/id*}', name: 'ids' },
      { uriTemplate: 'mine://{id}', name: 'mine' },
    ]);
  }
});

test('a list that is no list is answered -32603', async () => {
  for (const door of await everyDoor(await createApp([BadList]))) {
    expect([door.name, (await door.ask('resources/list')).error?.code]).toEqual([door.name, -32603]);
  }
});

test('parity A2: app.resources.read goes through the guards and gives the whole result', async () => {
  const app = await createApp([Guarded]);
  expect(await app.resources.read('guarded://2/mine')).toEqual({ contents: [{ uri: 'guarded://2/mine', text: '2' }] });
  await expect(app.resources.read('guarded://2/theirs')).rejects.toMatchObject({ code: -32602 });
});
