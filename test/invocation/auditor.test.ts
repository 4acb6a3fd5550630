import { IsInt, IsString } from 'class-validator';
import {
  AuditSink,
  Catch,
  Complete,
  Injectable,
  McpPrompt,
  McpResource,
  jsonSchema,
  McpTool,
  Policy,
  Requires,
  Roles,
  RolesGuard,
  Scopes,
  ToolError,
  UseFilters,
  UseGuards,
  type AuditRecord,
  type CanActivate,
  type ExceptionFilter,
  type McpApplicationOptions,
  type McpApplication,
  type McpContext,
  type Provider,
} from 'perch-mcp';
import { connectInMemory } from '../../src/bootstrap/mcp-application';
import { closeApps, createApp, everyDoor, RecordingLogger, type RpcAnswer } from '../support/app';
import { MemoryCaller } from '../support/memory-caller';

afterEach(closeApps);

/** Keeps every record. */
class Journal extends AuditSink {
  readonly records: AuditRecord[] = [];

  write(record: AuditRecord): void {
    this.records.push(record);
  }
}

class Adding {
  @IsInt() a!: number;
}

class Never implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Catch()
class Soothing implements ExceptionFilter {
  catch(): unknown {
    return 'All is well.';
  }
}

let started: () => void = () => undefined;

@Injectable()
class Desk {
  @McpTool({ name: 'add', description: 'Adds', input: Adding })
  add({ a }: Adding): string {
    return String(a);
  }

  @McpTool({ name: 'spoil', description: 'Changes what it is given', input: jsonSchema<{ list: string[] }>({ type: 'object' }) })
  spoil(input: { list: string[] }): string {
    input.list.push('spoilt');
    return '';
  }

  @McpTool({ name: 'fail', description: 'Fails' })
  fail(): never {
    throw new Error('wires crossed');
  }

  @McpTool({ name: 'fail_with_text', description: 'Fails' })
  failWithText(): never {
    throw 'wires crossed';
  }

  @McpTool({ name: 'decline', description: 'Declines' })
  decline(): never {
    throw new ToolError('Not today');
  }

  @McpTool({ name: 'wait', description: 'Waits', timeoutMs: 20 })
  wait(): Promise<never> {
    return new Promise(() => undefined);
  }

  @McpTool({ name: 'wait_for_cancel', description: 'Waits' })
  waitForCancel(_: object, context: McpContext): Promise<never> {
    started();
    return new Promise((_resolve, reject) => {
      context.signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  }

  @McpTool({ name: 'guarded', description: 'Guarded' })
  @UseGuards(Never)
  guarded(): string {
    return '';
  }

  @McpTool({ name: 'soothed', description: 'Guarded, and its refusal is answered by a filter' })
  @UseGuards(Never)
  @UseFilters(Soothing)
  soothed(): string {
    return '';
  }

  @McpTool({ name: 'scoped', description: 'Scoped' })
  @Scopes('desk:use')
  scoped(): string {
    return '';
  }

  @McpTool({ name: 'reading', description: 'Reads' })
  @Requires({ fsRead: () => '/nowhere' })
  reading(): string {
    return '';
  }

  @McpTool({ name: 'hidden', description: 'Hidden' })
  @Roles('admin')
  @UseGuards(RolesGuard)
  hidden(): string {
    return '';
  }

  @McpResource({ uri: 'desk://{drawer}', name: 'drawer' })
  drawer({ drawer }: { drawer: string }): string {
    if (drawer === 'stuck') throw new Error('wires crossed');
    return drawer;
  }

  @McpResource({ uri: 'desk://safe', name: 'safe' })
  @UseGuards(Never)
  safe(): string {
    return '';
  }
}

class LetterArgs {
  @IsString() to!: string;
}

@McpPrompt({ name: 'letter', args: LetterArgs })
class Letter {
  get(): string {
    return 'Dear';
  }

  @Complete('to')
  to(): readonly string[] {
    return ['Ada'];
  }
}

const PROVIDERS: readonly Provider[] = [Desk, Letter, Never, Soothing, RolesGuard];

async function audited(
  options: Partial<McpApplicationOptions> = {},
  providers = PROVIDERS,
): Promise<{ app: McpApplication; journal: Journal }> {
  const journal = new Journal();
  const policy = Policy.define({ fsRead: ['/tmp'] });
  return { app: await createApp([...providers, { provide: AuditSink, useValue: journal }], { policy, ...options }), journal };
}

async function caller(app: McpApplication, principal?: Parameters<typeof connectInMemory>[1]): Promise<MemoryCaller> {
  return MemoryCaller.open((await connectInMemory(app, principal)).client);
}

const UUID_START = /^[0-9a-f]{8}$/;
const refIn = (answer: RpcAnswer): string => /\(ref ([0-9a-f]+)\)/.exec(JSON.stringify(answer))?.[1] ?? 'no ref';

describe('E9: the audit says how every operation ended', () => {
  const ENDS: readonly (readonly [string, string, Record<string, unknown>, Partial<AuditRecord>])[] = [
    ['well', 'tools/call', { name: 'add', arguments: { a: 1 } }, { operation: 'call', name: 'add', outcome: 'ok' }],
    ['denied by a guard', 'tools/call', { name: 'guarded' }, { operation: 'call', name: 'guarded', outcome: 'denied' }],
    ['denied, though a filter answered', 'tools/call', { name: 'soothed' }, { name: 'soothed', outcome: 'denied' }],
    ['denied for want of a scope', 'tools/call', { name: 'scoped' }, { name: 'scoped', outcome: 'denied' }],
    ['denied by the policy', 'tools/call', { name: 'reading' }, { name: 'reading', outcome: 'denied' }],
    ['hidden', 'tools/call', { name: 'hidden' }, { operation: 'call', name: 'hidden', outcome: 'hidden' }],
    ['unknown', 'tools/call', { name: 'no_such' }, { operation: 'call', name: 'no_such', outcome: 'unknown' }],
    ['with invalid arguments', 'tools/call', { name: 'add', arguments: { a: 'x' } }, { name: 'add', outcome: 'invalid' }],
    ['by failing', 'tools/call', { name: 'fail' }, { name: 'fail', outcome: 'failed' }],
    ['by failing on purpose', 'tools/call', { name: 'decline' }, { name: 'decline', outcome: 'failed' }],
    ['late', 'tools/call', { name: 'wait' }, { name: 'wait', outcome: 'timed-out' }],
    ['well, by a template', 'resources/read', { uri: 'desk://left' }, { operation: 'read', name: 'desk://left', outcome: 'ok' }],
    ['denied, as a resource', 'resources/read', { uri: 'desk://safe' }, { operation: 'read', name: 'desk://safe', outcome: 'denied' }],
    ['unknown, as a resource', 'resources/read', { uri: 'shed://x' }, { operation: 'read', name: 'shed://x', outcome: 'unknown' }],
    ['unknown, as a prompt', 'prompts/get', { name: 'no_such' }, { operation: 'get', name: 'no_such', outcome: 'unknown' }],
    [
      'unknown, as a completion',
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'no_such' }, argument: { name: 'to', value: '' } },
      { operation: 'complete', name: 'no_such', outcome: 'unknown' },
    ],
    [
      'well, as a completion',
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'letter' }, argument: { name: 'to', value: '' } },
      { operation: 'complete', name: 'letter', outcome: 'ok' },
    ],
  ];

  test.each(ENDS)('E9: %s', async (_how, method, params, record) => {
    const { app, journal } = await audited();
    const client = await caller(app, { id: 'ada', scopes: [] });
    await client.ask(method, params);
    expect(journal.records).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        transport: 'memory',
        principal: 'ada',
        operation: 'call',
        durationMs: expect.any(Number),
        ref: expect.stringMatching(UUID_START),
        ...record,
      },
    ]);
  });

  test('E9: cancelled by its client', async () => {
    const { app, journal } = await audited();
    const client = await caller(app);
    const running = new Promise<void>((resolve) => (started = resolve));
    void client.ask('tools/call', { name: 'wait_for_cancel' }, 'slow');
    await running;
    client.notify('notifications/cancelled', { requestId: 'slow' });
    await client.ask('tools/call', { name: 'add', arguments: { a: 1 } });
    expect(journal.records.map(({ name, outcome }) => [name, outcome])).toContainEqual(['wait_for_cancel', 'cancelled']);
    expect(journal.records).not.toContainEqual(expect.objectContaining({ principal: expect.anything() }));
  });

  test('E9: on every transport, one record for one call', async () => {
    const { app, journal } = await audited();
    const doors = await everyDoor(app);
    for (const { ask } of doors) await ask('tools/call', { name: 'guarded' });
    expect(journal.records.map(({ transport, outcome }) => [transport, outcome])).toEqual([
      ['http', 'denied'],
      ['http', 'denied'],
      ['stdio', 'denied'],
      ['uds', 'denied'],
    ]);
  });
});

test.each([
  ['an error', 'tools/call', { name: 'fail' }],
  ['a text', 'tools/call', { name: 'fail_with_text' }],
  ['an error of a resource', 'resources/read', { uri: 'desk://stuck' }],
])('E9: the reference in the record of %s is the one in the answer and in the log', async (_what, method, params) => {
  const logger = new RecordingLogger();
  const { app, journal } = await audited({ logger });
  const ref = refIn(await (await caller(app)).ask(method, params));
  expect(journal.records).toEqual([expect.objectContaining({ ref, outcome: 'failed' })]);
  expect(logger.lines.filter(({ message }) => message.includes(ref))).toHaveLength(1);
});

test('E9: two failures have two references, also for one and the same value that is thrown', async () => {
  const { app, journal } = await audited();
  const client = await caller(app);
  const answers = await Promise.all([
    client.ask('tools/call', { name: 'fail_with_text' }),
    client.ask('tools/call', { name: 'fail_with_text' }),
  ]);
  expect(new Set(answers.map(refIn)).size).toBe(2);
  expect(journal.records.map(({ ref }) => ref)).toEqual(answers.map(refIn));
});

describe('E9: what the records hold', () => {
  const SENT = { name: 'add', arguments: { a: 4711 } };

  test('E9: never the arguments, unless they are asked for', async () => {
    const { app, journal } = await audited({ audit: 'all' });
    const client = await caller(app);
    await client.ask('tools/call', SENT);
    await client.ask('tools/call', { name: 'add', arguments: { a: 'four-711' } });
    expect(JSON.stringify(journal.records)).not.toMatch(/arguments|711/);
    expect(journal.records.map(({ outcome }) => outcome)).toEqual(['ok', 'invalid']);
  });

  test('E9: the arguments as they were sent, where they are asked for', async () => {
    const { app, journal } = await audited({ audit: { arguments: true } });
    await (await caller(app)).ask('tools/call', SENT);
    expect(journal.records).toEqual([expect.objectContaining({ outcome: 'ok', arguments: { a: 4711 } })]);
  });

  test('E9: the arguments as they were sent, whatever the handler makes of its own, and nothing of what cannot be copied', async () => {
    const { app, journal } = await audited({ audit: { arguments: true } });
    await (await caller(app)).ask('tools/call', { name: 'spoil', arguments: { list: ['sent'] } });
    let deep: unknown = [];
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    await app.tools.call('add', { a: deep });
    expect(journal.records).toEqual([
      expect.objectContaining({ name: 'spoil', outcome: 'ok', arguments: { list: ['sent'] } }),
      expect.not.objectContaining({ arguments: expect.anything() as unknown }),
    ]);
    const kept = (journal.records[0]?.arguments ?? {}) as { readonly list: string[] };
    expect(() => kept.list.push('later')).toThrow(TypeError);
  });

  test('E9: a sink that is provided hears of successes, unless they are switched off', async () => {
    const { app, journal } = await audited({ audit: { successes: false } });
    const client = await caller(app);
    await client.ask('tools/call', SENT);
    await client.ask('tools/call', { name: 'guarded' });
    expect(journal.records.map(({ outcome }) => outcome)).toEqual(['denied']);
  });

  test('E9: at most 200 characters of a name', async () => {
    const { app, journal } = await audited();
    await (await caller(app)).ask('tools/call', { name: 'x'.repeat(5_000) });
    expect(journal.records[0]?.name).toBe('x'.repeat(200));
  });
});

class Throwing extends AuditSink {
  write(): void {
    throw new Error('disk full');
  }
}
class Rejecting extends AuditSink {
  write(): Promise<void> {
    return Promise.reject(new Error('disk full'));
  }
}
class Hanging extends AuditSink {
  write(): Promise<void> {
    return new Promise(() => undefined);
  }
}

test.each([
  ['throws', Throwing, 1],
  ['rejects', Rejecting, 1],
  ['never ends', Hanging, 0],
])('E9: a sink that %s changes no answer, and what it says stands in the log', async (_what, sink, logged) => {
  const logger = new RecordingLogger();
  const app = await createApp([...PROVIDERS, { provide: AuditSink, useClass: sink }], { logger });
  const client = await caller(app);
  expect(await client.ask('tools/call', { name: 'add', arguments: { a: 1 } })).toMatchObject({ result: { content: [{ text: '1' }] } });
  expect(await client.ask('tools/call', { name: 'guarded' })).toMatchObject({
    result: { isError: true, content: [{ text: 'Forbidden' }] },
  });
  expect(logger.lines.filter(({ message }) => message === 'The audit sink failed')).toHaveLength(2 * logged);
});
