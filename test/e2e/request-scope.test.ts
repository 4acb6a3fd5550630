import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { IsInt } from 'class-validator';
import {
  Catch,
  Injectable,
  McpContext,
  McpTool,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type Interceptor,
  type McpApplication,
  type PipeTransform,
} from 'perch-mcp';
import { connect } from 'perch-mcp/testing';
import { closeApps, createApp, RecordingLogger } from '../support/app';

afterEach(closeApps);

let constructed = 0;
const disposed: string[] = [];

/** Holds who calls. One instance belongs to one call. */
@Injectable({ scope: Scope.REQUEST })
class Caller {
  readonly name: string;
  readonly serial = (constructed += 1);
  readonly seenBy = new Set<string>();

  constructor(context: McpContext) {
    this.name = context.client?.name ?? 'nobody';
  }

  onModuleDestroy(): void {
    disposed.push(`${this.name} ${String(this.serial)}`);
  }
}

/** Injected at the start of a call, compared at its end. */
function nameIn(context: ExecutionContext): string {
  return context.switchToMcp().context.client?.name ?? 'nobody';
}

@Injectable()
class CallerGuard implements CanActivate {
  constructor(private readonly caller: Caller) {}
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await sleep(this.caller.serial % 3);
    this.caller.seenBy.add('guard');
    return this.caller.name === nameIn(context);
  }
}

@Injectable()
class CallerPipe implements PipeTransform {
  constructor(private readonly caller: Caller) {}
  transform(value: unknown): unknown {
    this.caller.seenBy.add('pipe');
    return value;
  }
}

@Injectable()
class CallerInterceptor implements Interceptor {
  constructor(private readonly caller: Caller) {}
  async intercept(context: ExecutionContext, next: () => Promise<unknown>): Promise<unknown> {
    this.caller.seenBy.add('interceptor');
    const before = this.caller.name;
    const result = await next();
    if (this.caller.name !== before || before !== nameIn(context)) throw new Error('another caller');
    return result;
  }
}

class Refused extends Error {}

@Catch(Refused)
@Injectable()
class CallerFilter implements ExceptionFilter<Refused> {
  constructor(private readonly caller: Caller) {}
  catch(): string {
    return `${this.caller.name} ${[...this.caller.seenBy].join(' ')} filter`;
  }
}

class Input {
  @IsInt() call!: number;
}

@UseGuards(CallerGuard)
@UsePipes(CallerPipe)
@UseInterceptors(CallerInterceptor)
@UseFilters(CallerFilter)
@Injectable()
class Tools {
  constructor(private readonly caller: Caller) {}

  @McpTool({ name: 'whoami', description: 'd', input: Input })
  async whoami({ call }: Input, context: McpContext): Promise<string> {
    await sleep(call % 4);
    await new Promise((resolve) => setImmediate(resolve));
    await once(Readable.from(['chunk']), 'data');
    if (call % 5 === 0) throw new Refused();
    if (context.client?.name !== this.caller.name) throw new Error('another caller');
    return `${this.caller.name} ${[...this.caller.seenBy].join(' ')}`;
  }
}

const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

async function clients(app: McpApplication, count: number): Promise<readonly Client[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      connect(app, { name: `caller-${String(index)}`, era: index % 2 === 0 ? 'modern' : 'legacy' }),
    ),
  );
}

test('F1, B14: in 500 interleaved calls by 10 callers nobody sees the instance of another, and every instance is disposed once', async () => {
  constructed = 0;
  disposed.length = 0;
  const app = await createApp([Caller, Tools]);
  const callers = await clients(app, 10);
  const calls = Array.from({ length: 500 }, async (_, call) => {
    const index = call % callers.length;
    const answer = text(await callers[index]?.callTool({ name: 'whoami', arguments: { call } }));
    return [answer, `caller-${String(index)} guard interceptor pipe${call % 5 === 0 ? ' filter' : ''}`];
  });
  for (const [answer, expected] of await Promise.all(calls)) expect(answer).toBe(expected);
  await app.close();
  expect(constructed).toBe(500);
  expect(new Set(disposed).size).toBe(500);
  expect(disposed).toHaveLength(500);
});

@Injectable({ scope: Scope.REQUEST })
class Resource {
  readonly events = events;
  constructor(readonly context: McpContext) {}

  [Symbol.asyncDispose](): Promise<void> {
    events.push('async disposed');
    return Promise.resolve();
  }
}

@Injectable({ scope: Scope.REQUEST })
class Failing {
  [Symbol.dispose](): void {
    events.push('failed to dispose');
    throw new Error('on purpose');
  }
}

const events: string[] = [];
let release: () => void = () => undefined;
let entered: () => void = () => undefined;

@Injectable()
class Endings {
  constructor(
    private readonly resource: Resource,
    readonly failing: Failing,
  ) {}

  @McpTool({ name: 'returns', description: 'd' })
  returns(): string {
    return String(this.resource.context.requestId !== undefined);
  }

  @McpTool({ name: 'throws', description: 'd' })
  throws(): never {
    throw new Error('on purpose');
  }

  @McpTool({ name: 'times-out', description: 'd', timeoutMs: 20 })
  timesOut(): Promise<never> {
    return new Promise<never>(() => undefined);
  }

  @McpTool({ name: 'waits', description: 'd' })
  async waits(_input: object, context: McpContext): Promise<void> {
    const aborted = once(context.signal, 'abort');
    entered();
    await aborted;
    events.push('aborted');
    release();
  }
}

test.each(['returns', 'throws', 'times-out'])(
  'F1, F4: a call that "%s" disposes its instances after the answer, and one failing stops no other',
  async (name) => {
    events.length = 0;
    const logger = new RecordingLogger();
    const app = await createApp([Resource, Failing, Endings], { logger });
    const client = await connect(app);
    await client.callTool({ name });
    await app.close();
    expect(events).toEqual(['failed to dispose', 'async disposed']);
    expect(logger.lines.filter(({ message }) => message.includes('Failing'))).toHaveLength(1);
  },
);

test('F1: a call that its client cancels aborts its signal and disposes its instances', async () => {
  events.length = 0;
  const app = await createApp([Resource, Failing, Endings]);
  const client = await connect(app);
  const cancel = new AbortController();
  const started = new Promise<void>((resolve) => (entered = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const call = client.callTool({ name: 'waits' }, { signal: cancel.signal });
  call.catch(() => undefined);
  await started;
  cancel.abort();
  await expect(call).rejects.toThrow();
  await released;
  await app.close();
  expect(events).toEqual(['aborted', 'failed to dispose', 'async disposed']);
});

test('F5: a request-scoped instance that is used after its call says so instead of giving stale data', async () => {
  const app = await createApp([Caller, Tools]);
  expect(() => app.get(Caller)).toThrow(/Caller/);
  expect(() => app.get(Tools)).toThrow(/Tools/);
  await expect(app.resolve(Tools)).rejects.toThrow();
});

test('F3: a tool class is a singleton by default, and two sessions share what it keeps', async () => {
  @Injectable()
  class Counter {
    #count = 0;

    @McpTool({ name: 'count', description: 'd' })
    count(): number {
      return (this.#count += 1);
    }
  }
  const app = await createApp([Counter]);
  const [first, second] = await clients(app, 2);
  expect([text(await first?.callTool({ name: 'count' })), text(await second?.callTool({ name: 'count' }))]).toEqual(['1', '2']);
});
