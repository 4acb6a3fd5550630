import { Injectable, McpTool, type McpApplication, type McpContext } from 'perch-mcp';
import { closeApps, createApp } from '../support/app';
import { openRawDoors } from '../support/raw-doors';

afterEach(closeApps);

const LENGTH = 50 * 1024 * 1024;

let aborted = 0;

@Injectable()
class Large {
  @McpTool({ name: 'long', description: 'd' })
  long(): string {
    return 'x'.repeat(LENGTH);
  }

  @McpTool({ name: 'deep', description: 'd' })
  deep(): unknown {
    let value: unknown = 1;
    for (let level = 0; level < 5_000; level += 1) value = [value];
    return value;
  }

  @McpTool({ name: 'hang', description: 'd', timeoutMs: 20 })
  hang(_input: object, { signal }: McpContext): Promise<never> {
    signal.addEventListener('abort', () => (aborted += 1));
    return new Promise(() => undefined);
  }
}

const create = (): Promise<McpApplication> => createApp([Large]);
const textOf = (content: unknown): string => (content as readonly { readonly text: string }[])[0]?.text ?? '';

test('B10: a result of 50 MiB arrives whole on a stream and over HTTP in both eras', async () => {
  const doors = await openRawDoors(create);
  // What is in memory has no wire, and a stream has the same one in both eras.
  for (const door of doors.filter(({ name }) => name === 'stdio legacy' || name.startsWith('HTTP'))) {
    const { answer, notifications } = await door.send({ method: 'tools/call', params: { name: 'long' } });
    expect([door.name, textOf(answer.result?.['content']).length, notifications]).toEqual([door.name, LENGTH, []]);
  }
}, 180_000);

test('B10: a result nested 5,000 levels deep is answered once, whole or with a reference, and the next request is answered', async () => {
  for (const door of await openRawDoors(create)) {
    const { answer } = await door.send({ method: 'tools/call', params: { name: 'deep' } });
    expect([door.name, textOf(answer.result?.['content'])]).toEqual([
      door.name,
      expect.stringMatching(/^\[{5000}1\]{5000}$|^Internal error \(ref/),
    ]);
    expect((await door.send({ method: 'tools/list' })).answer.result?.['tools']).toHaveLength(3);
  }
});

test('B9: a handler that never settles is told to stop, and no shutdown waits for it', async () => {
  aborted = 0;
  const doors = await openRawDoors(create);
  for (const door of doors) {
    const { answer } = await door.send({ method: 'tools/call', params: { name: 'hang' } });
    expect([door.name, textOf(answer.result?.['content'])]).toEqual([door.name, 'Timed out']);
  }
  expect(aborted).toBe(doors.length);
  const from = performance.now();
  await closeApps();
  // The grace period is ten seconds.
  expect(performance.now() - from).toBeLessThan(5_000);
});
