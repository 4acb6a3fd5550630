import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { container as globalContainer } from 'tsyringe';
import { bootContainer, someContext } from './boot';
import { McpContext } from '../../src/contracts/mcp-context';
import { Scope } from '../../src/contracts/scope';
import { Injectable } from '../../src/decorators/injectable';
import { McpTool } from '../../src/decorators/mcp-tool';
import { Global, Module } from '../../src/decorators/module';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

@Injectable()
class Service {
  readonly memory = new Uint8Array(100_000);
  onModuleInit(): Promise<void> {
    return Promise.resolve();
  }
}

@Injectable({ scope: Scope.REQUEST })
class Scoped {
  constructor(
    readonly service: Service,
    readonly context: McpContext,
  ) {}
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

@McpTool({ name: 'tool', description: 'x' })
class Tool {
  constructor(readonly scoped: Scoped) {}
  execute(): void {}
}

@Global()
@Module({ providers: [Service], exports: [Service] })
class ServiceModule {}

@Module({
  imports: [ServiceModule],
  providers: [Scoped, Tool, { provide: 'async', useFactory: async (one: Service) => Promise.resolve(one), inject: [Service] }],
})
class Root {}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
}

async function bootOperateClose(): Promise<WeakRef<object>[]> {
  const container = await bootContainer(Root);
  await container.init();
  const operation = container.openScope(someContext());
  const tool = container.discover()[0]?.target.provider.get(operation) as Tool;
  const kept = [container, tool.scoped, container.get(Service)].map((each) => new WeakRef<object>(each));
  await operation.close();
  await container.close();
  return kept;
}

test('C6: F4: 100 applications that were started and ended leave no instance, timer or listener behind', async () => {
  const timers = countTimers();
  const listeners = process.eventNames().length;
  const kept: WeakRef<object>[] = [];
  for (let cycle = 0; cycle < 100; cycle += 1) kept.push(...(await bootOperateClose()));
  // What a turn of the event loop looked at stays alive until the turn is over.
  await new Promise((done) => setImmediate(done));
  collectGarbage();
  expect(kept.filter((each) => each.deref() !== undefined)).toHaveLength(0);
  expect(countTimers()).toBeLessThanOrEqual(timers);
  expect(process.eventNames()).toHaveLength(listeners);
});

test("F18: nothing is registered in tsyringe's global container, and nothing of it is seen", async () => {
  globalContainer.register('global', { useValue: 1 });
  await bootContainer(Root);
  for (const token of [Service, Scoped, Tool, 'async']) expect(globalContainer.isRegistered(token as string)).toBe(false);
  await expect(bootContainer({ providers: [{ provide: 'x', useExisting: 'global' }] })).rejects.toMatchObject({
    code: 'MCP_DEPENDENCY_UNRESOLVED',
  });
  globalContainer.reset();
});
