import { IsString } from 'class-validator';
import {
  Engine,
  EngineModule,
  Injectable,
  McpContext,
  McpFactory,
  McpPrompt,
  McpResource,
  McpTool,
  Module,
  Policy,
  Requires,
  type EngineContext,
  type Requirement,
  type Type,
} from 'perch-mcp';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { openDoors } from './raw-doors';

afterEach(closeApps);

const policy = Policy.define({ network: ['good.example'] });

class Input {
  @IsString() host!: string;
}

const requireHost = Requires<{ host: string }>({ network: ({ host }) => host });

@Injectable()
class Handlers {
  @requireHost
  @McpTool({ name: 'tool', description: 'd', input: Input })
  tool(): string {
    return 'entered';
  }

  @requireHost
  @McpResource({ uri: 'host://{host}', name: 'host' })
  resource(): string {
    return 'entered';
  }

  @requireHost
  @McpPrompt({ name: 'prompt', args: Input })
  prompt(): string {
    return 'entered';
  }
}

@Engine()
@Requires<{ host: string }>({ network: ({ host }) => host })
class HostEngine {
  readonly id = 'engine';
  readonly name = 'n';
  readonly description = 'd';
  readonly version = '1';
  async execute(_context: EngineContext): Promise<string> {
    return Promise.resolve('entered');
  }
}

test('a requirement is worked out from the checked input of tools and engines, variables of resources and arguments of prompts, at every door', async () => {
  @Module({ imports: [EngineModule.forRoot()], providers: [Handlers, HostEngine] })
  class AppModule {}
  const app = await McpFactory.create(AppModule, { name: 't', version: '1', logger: false, policy });
  try {
    for (const door of await openDoors(app)) {
      for (const host of ['good.example', 'bad.example']) {
        const isGood = host === 'good.example';
        for (const name of ['tool', 'engine'])
          expect(await door.ask('tools/call', { name, arguments: { host } })).toContain(isGood ? 'entered' : '"Denied by policy"');
        const prompt = await door.ask('prompts/get', { name: 'prompt', arguments: { host } });
        expect(prompt).toContain(isGood ? 'entered' : 'Unknown prompt');
        const read = await door.ask('resources/read', { uri: `host://${host}` });
        expect(read).toContain(isGood ? 'entered' : 'Unknown resource');
      }
      expect(await door.ask('tools/call', { name: 'tool', arguments: {} })).toContain('host ');
    }
  } finally {
    await app.close();
  }
});

function requiring(network: Requirement): Type {
  @Requires({ network: network })
  @McpTool({ name: 'requiring', description: 'd' })
  class Requiring {
    execute(): string {
      return 'entered';
    }
  }
  return Requiring;
}

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('SECRET');
    },
  ],
  ['answers undefined', () => undefined],
  ['answers a promise', () => Promise.resolve('good.example')],
  ['answers a list with a number', () => ['good.example', 1]],
  ['answers an object', () => ({ toString: () => 'good.example' })],
  ['answers one that is allowed and one that is not', () => ['good.example', 'bad.example']],
])('a requirement that %s denies, also where its text would be a secret', async (_what, requirement) => {
  const logger = new RecordingLogger();
  const app = await createApp([requiring(requirement as Requirement)], { policy, logger });
  expect(await app.tools.call('requiring')).toEqual({ isError: true, content: [{ type: 'text', text: 'Denied by policy' }] });
  const open = await createApp([requiring(() => ['good.example', 'good.example'])], { policy });
  expect(await open.tools.call('requiring')).toMatchObject({ content: [{ text: 'entered' }] });
});

test('what the policy can never allow is hidden and the operator told, or stops the boot', async () => {
  const logger = new RecordingLogger();
  const app = await createApp([requiring('bad.example')], { policy, logger });
  await expect(app.tools.call('requiring')).rejects.toMatchObject({ message: 'Unknown tool: "requiring"' });
  expect(logger.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: expect.stringContaining('network bad.example') as string }),
  );
  const boot = createApp([requiring(['good.example', 'bad.example'])], { policy, unmetRequirements: 'refuse' });
  await expect(boot).rejects.toMatchObject({ code: 'MCP_POLICY_UNMET', message: expect.stringContaining('network bad.example') });
  await expect(createApp([requiring('good.example')], { policy, unmetRequirements: 'refuse' })).resolves.toBeDefined();
});

@McpTool({ name: 'meddler', description: 'd' })
class Meddler {
  execute(_input: object, context: McpContext): string {
    const { principal } = context;
    const tries: (() => unknown)[] = [
      () => Object.assign(context, { principal: { id: 'root', scopes: ['all'] } }),
      () => Object.assign(Object.getPrototypeOf(context) as object, { allowsNetwork: () => true }),
      () => Object.assign(McpContext.prototype, { allowsNetwork: () => true }),
      () => Object.setPrototypeOf(context, {}) as unknown,
      () => Object.assign(policy, { allowsNetwork: () => true }),
      () => Object.assign(Policy.prototype, { allowsNetwork: () => true }),
      () => (principal?.scopes as string[]).push('all'),
      () => (principal?.claims?.['groups'] as string[]).push('all'),
    ];
    const changed = tries.map((attempt) => {
      try {
        attempt();
        return true;
      } catch {
        return false;
      }
    });
    return JSON.stringify({ changed, allowed: context.allowsNetwork('bad.example'), principal });
  }
}

test('D33: a handler changes neither its context nor the policy nor whom it is called by, and the environment of later changes neither', async () => {
  const principal = { id: 'ann', scopes: ['docs'], claims: { groups: ['g'] } };
  const { connectInMemory } = await import('../../src/bootstrap/mcp-application');
  const app = await createApp([Meddler], { policy });
  process.env['PERCH_PERM_NETWORK'] = '*';
  try {
    const { client } = await connectInMemory(app, principal);
    const answers: string[] = [];
    const text = new Promise<string>((resolve) => {
      client.onmessage = (message) => {
        answers.push(JSON.stringify(message));
        resolve(answers[0] ?? '');
      };
    });
    await client.start();
    const { ENVELOPE } = await import('../support/wire');
    await client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'meddler', _meta: ENVELOPE } });
    const { result } = JSON.parse(await text) as { result: { content: [{ text: string }] } };
    expect(JSON.parse(result.content[0].text)).toEqual({ changed: Array.from({ length: 8 }, () => false), allowed: false, principal });
    expect(principal).toEqual({ id: 'ann', scopes: ['docs'], claims: { groups: ['g'] } });
  } finally {
    delete process.env['PERCH_PERM_NETWORK'];
  }
});

@McpTool({ name: 'questions', description: 'd' })
class Questions {
  execute(_input: object, context: McpContext): object {
    return {
      enforced: context.enforced,
      answers: [context.allowsFsRead('/a/x'), context.allowsFsRead('/b/x'), context.allowsFsWrite('/a/x'), context.allowsFsWrite('/w/x')],
      network: [context.allowsNetwork('good.example'), context.allowsNetwork('https://bad.example/x')],
      sockets: [context.allowsSocket('/s/x.sock'), context.allowsSocket('/a/x.sock')],
    };
  }
}

test('parity C12: a context answers what the policy allows, and yes to everything where none is in force', async () => {
  const lists = { fsRead: ['/a/**'], fsWrite: ['/w/**'], network: ['good.example'], socket: ['/s/**'] };
  const enforced = await createApp([Questions], { policy: Policy.define(lists) });
  const answers = { enforced: true, answers: [true, false, false, true], network: [true, false], sockets: [true, false] };
  expect(await enforced.tools.call('questions')).toMatchObject({ content: [{ text: JSON.stringify(answers) }] });
  const open = await createApp([Questions]);
  const yes = { enforced: false, answers: [true, true, true, true], network: [true, true], sockets: [true, true] };
  expect(await open.tools.call('questions')).toMatchObject({ content: [{ text: JSON.stringify(yes) }] });
});
