import { PassThrough, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { Injectable, McpTool, type McpApplication, type McpContext } from 'perch-mcp';
import { closeApps, createApp, overStreams } from '../support/app';
import { HeldCalls } from '../support/held-calls';
import { INITIALIZE } from '../support/wire';

const MIB = 1024 * 1024;

let ran = 0;

@Injectable()
class Tools {
  @McpTool({ name: 'large', description: 'Twenty kilobytes' })
  large(): string {
    ran += 1;
    return 'x'.repeat(20_000);
  }

  @McpTool({ name: 'ask', description: 'Asks for the roots' })
  async ask(_input: object, context: McpContext): Promise<string> {
    return String((await context.roots('roots')).length);
  }
}

type Message = Record<string, any>;

const ASKING = { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { roots: {} } } };
const call = (id: number, name: string): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const text = (messages: readonly object[]): string => messages.map((each) => `${JSON.stringify(each)}\n`).join('');
const range = (count: number, from = 1): number[] => Array.from({ length: count }, (_, index) => from + index);

let held = new HeldCalls();

function create(limits: McpApplicationLimits = {}): Promise<McpApplication> {
  held = new HeldCalls();
  ran = 0;
  return createApp([Tools, { provide: HeldCalls, useValue: held }], { limits });
}

type McpApplicationLimits = NonNullable<NonNullable<Parameters<typeof createApp>[1]>['limits']>;

afterEach(async () => {
  held.finish('');
  await closeApps();
});

const turn = (): Promise<void> => new Promise(setImmediate);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

describe('the running calls of a stream', () => {
  test('streamCalls: what comes above the limit waits and is not refused, and goes on when one ends', async () => {
    const stream = await overStreams(await create({ streamCalls: 5 }));
    stream.send(text([ASKING, ...range(12).map((id) => call(id, 'held'))]));
    await stream.next();
    const seen = new Set<unknown>();
    for (const running of [5, 5, 2]) {
      for (let count = 0; count < running; count += 1) await held.entered();
      await turn();
      expect(held.running).toBe(running);
      held.finish('ok');
      for (let count = 0; count < running; count += 1) seen.add((await stream.next())['id']);
    }
    expect(seen.size).toBe(12);
  });

  test('streamCalls: a hundred run by default', async () => {
    const stream = await overStreams(await create());
    stream.send(text([ASKING, ...range(101).map((id) => call(id, 'held'))]));
    await stream.next();
    for (let count = 0; count < 100; count += 1) await held.entered();
    await turn();
    expect(held.running).toBe(100);
    held.finish('ok');
    await held.entered();
  });

  test('at the limit no more than one message is read ahead, and what was read is not parsed', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const app = await create({ streamCalls: 2, messageBytes: 200 });
    await app.listen({ transports: ['stdio'], stdio: { input, output }, shutdownHooks: false });
    const lines: string[] = [];
    createInterface({ input: output }).on('line', (line) => lines.push(line));
    input.write(text([ASKING, call(1, 'held'), call(2, 'held'), call(3, 'held')]) + 'not json\n');
    await held.entered();
    await held.entered();
    input.write('not json either\n');
    await turn();
    await turn();
    expect(input.isPaused()).toBe(false);
    input.write(`${'x'.repeat(199)}\n`);
    await turn();
    await turn();
    expect(input.isPaused()).toBe(true);
    expect(lines).toHaveLength(1);
    held.finish('ok');
    await held.entered();
    await turn();
    await turn();
    expect(lines.filter((line) => line.includes('-32700'))).toHaveLength(3);
    expect(input.isPaused()).toBe(false);
  });

  test('a cancellation that stands before the call above the limit is read, and makes room for it', async () => {
    const stream = await overStreams(await create({ streamCalls: 2 }));
    stream.send(text([ASKING, call(1, 'held'), call(2, 'held')]));
    const first = await held.entered();
    await held.entered();
    stream.send(text([{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, call(3, 'held')]));
    expect((await held.entered()).requestId).toBe(3);
    expect(first.signal.aborted).toBe(true);
  });

  const cancel = (requestId: number): object => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

  test('B13: a cancellation behind a call that has no room is heard at once, and makes room for it', async () => {
    const stream = await overStreams(await create({ streamCalls: 2 }));
    stream.send(text([ASKING, call(1, 'held'), call(2, 'held')]));
    await held.entered();
    const second = await held.entered();
    stream.send(text([call(3, 'held'), cancel(2)]));
    expect((await held.entered()).requestId).toBe(3);
    expect(second.signal.aborted).toBe(true);
  });

  test('an answer of the client behind a call that has no room reaches the call that asked', async () => {
    const stream = await overStreams(await create({ streamCalls: 1 }));
    stream.send(text([ASKING, call(1, 'ask')]));
    await stream.next();
    const question = await stream.next();
    stream.send(text([call(2, 'held'), call(3, 'held'), { jsonrpc: '2.0', id: question['id'], result: { roots: [] } }]));
    expect(await stream.next()).toMatchObject({ id: 1, result: { content: [{ text: '0' }] } });
    expect(held.running).toBe(1);
    held.finish('ok');
    expect([(await held.entered()).requestId, (await held.entered()).requestId]).toEqual([2, 3]);
  });

  test('B5: the end of input is noticed although a call has no room', async () => {
    const app = await create({ streamCalls: 1, graceMs: 30 });
    const stream = await overStreams(app);
    stream.send(text([ASKING, call(1, 'held'), call(2, 'held')]));
    await stream.next();
    await held.entered();
    stream.endInput();
    const ids = [(await stream.next())['id'], (await stream.next())['id']];
    expect(ids.sort()).toEqual([1, 2]);
    await until(() => !app.isStarted());
  });

  test('a call that waits for its client does not count: a hundred that each ask are all answered, at a limit of four', async () => {
    const stream = await overStreams(await create({ streamCalls: 4 }));
    stream.send(text([ASKING, ...range(100).map((id) => call(id, 'ask'))]));
    expect(await stream.next()).toMatchObject({ id: 'init' });
    const questions: unknown[] = [];
    for (let count = 0; count < 100; count += 1) questions.push((await stream.next())['id']);
    expect(new Set(questions).size).toBe(100);
    stream.send(text(questions.map((id) => ({ jsonrpc: '2.0', id, result: { roots: [] } }))));
    const answered = new Set<unknown>();
    for (let count = 0; count < 100; count += 1) {
      const answer = await stream.next();
      expect(answer).toMatchObject({ result: { content: [{ text: '0' }] } });
      answered.add(answer['id']);
    }
    expect(answered.size).toBe(100);
  });

  test('a call counts again once its question is answered or given up', async () => {
    const stream = await overStreams(await create({ streamCalls: 1, askMs: 30 }));
    stream.send(text([ASKING, call(1, 'ask'), call(2, 'held'), call(3, 'held')]));
    await stream.next();
    expect(await stream.next()).toMatchObject({ method: 'roots/list' });
    await held.entered();
    const said: Message[] = [await stream.next(), await stream.next()];
    expect(said).toMatchObject([{ method: 'notifications/cancelled' }, { id: 1, result: { isError: true } }]);
    await turn();
    expect(held.running).toBe(1);
    held.finish('ok');
    expect((await held.entered()).requestId).toBe(3);
  });

  test('subscriptions that stay open do not count', async () => {
    const stream = await overStreams(await create({ streamCalls: 1 }));
    const listen = (id: number): object => modern(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    stream.send(text([modern(1, 'tools/list'), listen(2), listen(3), modern(4, 'tools/call', { name: 'large' })]));
    const answers = [await stream.next(), await stream.next(), await stream.next(), await stream.next()];
    expect(answers.filter((each) => 'id' in each).map(({ id }) => id)).toEqual([1, 4]);
  });

  test('B5: at the end of input what has waited is begun, and every call is answered', async () => {
    const app = await create({ streamCalls: 2 });
    const stream = await overStreams(app);
    stream.send(text([ASKING, ...range(6).map((id) => call(id, 'held'))]));
    await stream.next();
    stream.endInput();
    const ids: unknown[] = [];
    for (let round = 0; round < 3; round += 1) {
      await held.entered();
      await held.entered();
      held.finish('ok');
      ids.push((await stream.next())['id'], (await stream.next())['id']);
    }
    expect(ids).toEqual(range(6));
    await app.close();
  });

  test('B1: what has waited until the grace period was over is answered `Shutting down`, and never begins', async () => {
    const app = await create({ streamCalls: 1, graceMs: 30 });
    const stream = await overStreams(app);
    stream.send(text([ASKING, call(1, 'held'), call(2, 'held')]));
    await stream.next();
    await held.entered();
    const closed = app.close();
    const answers = [await stream.next(), await stream.next()];
    expect(answers.find(({ id }) => id === 1)).toMatchObject({ result: { isError: true, content: [{ text: 'Shutting down' }] } });
    expect(answers.find(({ id }) => id === 2)).toMatchObject({ error: { code: -32603, message: 'Shutting down' } });
    expect(held.running).toBe(1);
    held.finish('');
    await closed;
  });

  test('B1: a request that comes in during the grace period is answered -32603, and an answer to a running call is read', async () => {
    const app = await create();
    const stream = await overStreams(app);
    stream.send(text([ASKING, call(1, 'ask')]));
    await stream.next();
    const question = await stream.next();
    const closed = app.close();
    stream.send(text([call(2, 'large'), { jsonrpc: '2.0', id: question['id'], result: { roots: [] } }]));
    expect(await stream.next()).toMatchObject({ id: 2, error: { code: -32603, message: 'Shutting down' } });
    expect(await stream.next()).toMatchObject({ id: 1, result: { content: [{ text: '0' }] } });
    await closed;
    expect(ran).toBe(0);
  });
});

function modern(id: number, method: string, params: object = {}): object {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
}

/** An output whose reader has stopped: it keeps what is written until it is told to go on. */
class StoppedReader extends Writable {
  readonly taken: string[] = [];
  #resume: (() => void) | undefined;
  #isReading = false;

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    const take = (): void => {
      this.taken.push(chunk);
      setImmediate(done);
    };
    if (this.#isReading) return take();
    this.#resume = take;
  }

  read(): void {
    this.#isReading = true;
    this.#resume?.();
  }
}

describe('a client that reads slowly', () => {
  async function settled(): Promise<void> {
    for (let before = -1; before !== ran;) {
      before = ran;
      for (let count = 0; count < 20; count += 1) await turn();
    }
  }

  test('B7: streamBytes bounds what waits for it; then nothing more is read, and all 3,000 results arrive in order when it reads', async () => {
    const output = new StoppedReader();
    const input = new PassThrough({ highWaterMark: 16 * MIB });
    const app = await create({ streamBytes: 2 * MIB, streamCalls: 1 });
    await app.listen({ transports: ['stdio'], stdio: { input, output }, shutdownHooks: false });
    input.write(text([INITIALIZE, ...range(3_000).map((id) => call(id, 'large'))]));
    // Nothing is taken, not even the answer to initialize.
    await settled();
    expect(ran).toBeGreaterThan(90);
    expect(ran).toBeLessThan(110);
    expect(output.writableLength).toBeLessThan(2.2 * MIB);
    output.read();
    await until(() => output.taken.length > 3_000);
    expect(output.taken.map((line) => (JSON.parse(line) as Message)['id'])).toEqual(['init', ...range(3_000)]);
  });

  describe.each([
    [
      'an error, as of a closed pipe',
      (output: Writable) => void output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    ],
    ['destruction without an error', (output: Writable) => void output.destroy()],
  ])('B6: an output that ends by %s', (_what, end) => {
    async function listening(): Promise<{ app: McpApplication; input: PassThrough; output: PassThrough }> {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const app = await create();
      await app.listen({ transports: ['stdio'], stdio: { input, output }, shutdownHooks: false });
      return { app, input, output };
    }

    test('B6: ends an idle application at once, as the end of input does', async () => {
      const { app, output } = await listening();
      end(output);
      await until(() => !app.isStarted());
    });

    test('B6: lets what runs finish first', async () => {
      const { app, input, output } = await listening();
      input.write(text([ASKING, call(1, 'held')]));
      const { signal } = await held.entered();
      end(output);
      await turn();
      await turn();
      expect([app.isStarted(), signal.aborted]).toEqual([true, false]);
      held.finish('for nobody');
      await until(() => !app.isStarted());
    });
  });

  test('B6: a write that fails as on a full disk ends the application, and no answer after it is awaited', async () => {
    const input = new PassThrough();
    const output = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space'), { code: 'ENOSPC' })) });
    let destroyed = 0;
    const app = await createApp([{ provide: 'hooks', useValue: { onModuleDestroy: () => (destroyed += 1) } }]);
    await app.listen({ transports: ['stdio'], stdio: { input, output }, shutdownHooks: false });
    input.write(text([INITIALIZE, INITIALIZE]));
    await until(() => !app.isStarted());
    expect(destroyed).toBe(1);
  });

  test('B6: an output that was destroyed before the first answer ends the application', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    output.destroy();
    const app = await create();
    await app.listen({ transports: ['stdio'], stdio: { input, output }, shutdownHooks: false });
    input.write(text([INITIALIZE]));
    await until(() => !app.isStarted());
  });

  test('progress that its client does not read is lost above streamBytes, and its answer is not', async () => {
    const output = new StoppedReader();
    const input = new PassThrough();
    const app = await create({ streamBytes: 100_000 });
    app.tools.register({
      name: 'talk',
      execute: (_input, context) => {
        for (let count = 0; count < 10_000; count += 1) void context.progress(count, { message: 'x'.repeat(100) });
        return 'said';
      },
    });
    await app.listen({ transports: ['stdio'], stdio: { input, output }, shutdownHooks: false });
    const talk = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'talk', _meta: { progressToken: 1 } } };
    input.write(text([INITIALIZE, talk]));
    await settled();
    expect(output.writableLength).toBeGreaterThan(100_000);
    expect(output.writableLength).toBeLessThan(110_000);
    output.read();
    await until(() => output.taken.some((line) => line.includes('said')));
  });

  test('a limit that is not a number refuses the boot', async () => {
    await expect(create({ streamBytes: 0 })).rejects.toThrow('streamBytes');
    await expect(create({ streamCalls: 1.5 })).rejects.toThrow('streamCalls');
  });
});
