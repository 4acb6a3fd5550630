import { McpPrompt, McpResource, Module, PromptRegistry, UseGuards, type PromptMessage, type Type } from 'perch-mcp';
import { closeApps, createApp, everyDoor } from '../support/app';
import { DuplicateRegistrationError } from '../../src/errors/registry-errors';
import { bootContainer } from './boot';

afterEach(closeApps);

const reader = (uri: string): Type => {
  class Reader {
    read(): string {
      return uri;
    }
  }
  McpResource({ uri, name: 'x' })(Reader);
  return Reader;
};

const prompter = (name: string): Type => {
  class Prompter {
    get(): string {
      return name;
    }
  }
  McpPrompt({ name })(Prompter);
  return Prompter;
};

test.each([
  [
    'MCP_RESOURCE_DUPLICATE',
    () => [reader('x://a'), reader('x://a')],
    'Resource already registered: "x://a". It is declared by both Reader.read in',
  ],
  ['MCP_RESOURCE_DUPLICATE', () => [reader('x://{a}'), reader('x://{b}')], 'Resource already registered: "x://{b}"'],
  ['MCP_PROMPT_DUPLICATE', () => [prompter('p'), prompter('p')], 'Prompt already registered: "p". It is declared by both Prompter.get in'],
  ['MCP_RESOURCE_URI', () => [reader('no-scheme')], 'no-scheme'],
  ['MCP_RESOURCE_URI', () => [reader('x://{')], 'its braces do not match'],
  ['MCP_PROMPT_NAME', () => [prompter(' ')], 'Prompter'],
] as const)('F11, parity A3: the boot is refused with %s (%#), and it is said where', async (code, providers, text) => {
  const boot = createApp(providers());
  await expect(boot).rejects.toMatchObject({ code, message: expect.stringContaining(text) as string });
  if (code.endsWith('DUPLICATE')) await expect(boot).rejects.toMatchObject({ cause: expect.any(DuplicateRegistrationError) as object });
});

test('a tool, a resource and a prompt may have one name, and a class that two modules provide counts once', async () => {
  const [Reader, Prompter] = [reader('x://a'), prompter('same')];
  @Module({ providers: [Reader, Prompter] })
  class One {}
  @Module({ imports: [One], providers: [Reader, Prompter] })
  class Root {}
  const container = await bootContainer(Root);
  expect(container.discover().map(({ declaration, moduleName }) => [declaration.kind, moduleName])).toEqual([
    ['resource', 'Root'],
    ['prompt', 'Root'],
  ]);
});

test('one class may be a resource and a prompt, and what it inherits comes with it', async () => {
  @McpResource({ uri: 'x://both', name: 'both' })
  class Parent {
    read(): string {
      return 'read';
    }
  }
  @McpPrompt({ name: 'both' })
  class Child extends Parent {
    get(): string {
      return 'got';
    }
  }
  const app = await createApp([Child]);
  expect(await app.resources.read('x://both')).toMatchObject({ contents: [{ text: 'read' }] });
  expect(await app.prompts.getMessages('both')).toEqual([{ role: 'user', content: { type: 'text', text: 'got' } }]);
});

test('B05: resources and prompts behind a factory are found on the instance, with their guards', async () => {
  const [Reader, Prompter] = [reader('x://made'), prompter('made')];
  UseGuards({ canActivate: () => false })(Reader);
  const app = await createApp([
    { provide: 'reader', useFactory: () => new Proxy(new Reader() as object, {}) },
    { provide: 'prompter', useValue: new Prompter() },
  ]);
  await expect(app.resources.read('x://made')).rejects.toMatchObject({ code: -32602 });
  expect((await app.prompts.getMessages('made')) as PromptMessage[]).toHaveLength(1);
});

test('a key that an instance registered while it was built is a problem of its decorated owner', async () => {
  class Early {
    constructor(prompts: PromptRegistry) {
      prompts.register({ name: 'early', get: () => '' });
    }
  }
  const boot = createApp([
    { provide: 'late', useFactory: () => new (prompter('early'))() },
    { provide: Early, useFactory: (prompts: PromptRegistry) => new Early(prompts), inject: [PromptRegistry] },
  ]);
  await expect(boot).rejects.toMatchObject({
    code: 'MCP_PROMPT_DUPLICATE',
    message: expect.stringContaining('was registered while') as string,
  });
});

test('parity A12: list entries have a uri or a name, and nothing that was not given', async () => {
  const [door] = await everyDoor(await createApp([reader('x://a'), prompter('p')]));
  expect((await door?.ask('resources/list'))?.result?.['resources']).toEqual([{ uri: 'x://a', name: 'x' }]);
  expect((await door?.ask('prompts/list'))?.result?.['prompts']).toEqual([{ name: 'p', arguments: [] }]);
});
