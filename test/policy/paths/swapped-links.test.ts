import { readFileSync, readdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { GuardedFs, Policy } from 'perch-mcp';
import type { FsPolicy } from '../../../src/policy/paths/guarded-fs';
import { makeTree, type FileTree } from '../../support/file-tree';

const TRIES = 10_000;

/** What a tree looks like in which an attacker may change everything under data, and nothing else. */
function makeStage(): FileTree {
  return makeTree({ 'data/one/two/file': 'inside', 'outside/two/file': 'outside', 'outside/file': 'outside' });
}

/** The names an attacker can swap for a link to the same thing outside. */
const SWAPS = [
  ['data/one', 'outside'],
  ['data/one/two', 'outside/two'],
  ['data/one/two/file', 'outside/two/file'],
] as const;

type Access = Pick<GuardedFs, 'read' | 'write' | 'list'>;

/** Reads, writes and lists with one policy, its question and the access apart, as a handler does that asks and then opens. */
function unguarded(policy: FsPolicy): Access {
  const admit = (place: string, allowed: boolean): void => {
    if (!allowed || !policy.allowsRealPath('fsRead', place)) throw new Error('denied');
  };
  return {
    async read(place) {
      admit(place, policy.allowsFsRead(place));
      return readFile(place);
    },
    async write(place, content) {
      admit(place, policy.allowsFsWrite(place));
      await writeFile(place, content);
    },
    async list(place) {
      admit(place, policy.allowsFsRead(place));
      return (await readdir(place)).map((name) => ({ name, kind: 'file' }));
    },
  };
}

/** True when something of what lies outside was read, listed or changed. */
async function escapes(access: Access, tree: FileTree, kind: number): Promise<boolean> {
  const file = tree.at('data/one/two/file');
  if (kind === 0) {
    const content = await access.read(file).catch(() => undefined);
    return content?.toString() === 'outside';
  }
  if (kind === 1) {
    await access.write(tree.at('data/one/two/new'), 'x').catch(() => undefined);
    return readdirSync(tree.at('outside/two')).length > 1;
  }
  if (kind === 2) {
    await access.write(file, 'inside').catch(() => undefined);
    return readFileSync(tree.at('outside/two/file'), 'utf8') !== 'outside';
  }
  const names = await access.list(tree.at('data/one')).catch(() => []);
  return names.some(({ name }) => name === 'file');
}

/** A policy that swaps a name right after it gave its answer: in the middle of an access, at the worst moment there is. */
function swappingPolicy(tree: FileTree, policy: Policy) {
  let swapAfter: { readonly question: 'first' | 'last'; readonly name: string; readonly target: string } | undefined;
  const swap = (question: 'first' | 'last', answer: boolean): boolean => {
    if (swapAfter?.question === question && !isSwapped) {
      renameSync(tree.at(swapAfter.name), tree.at('data/away'));
      symlinkSync(tree.at(swapAfter.target), tree.at(swapAfter.name));
      isSwapped = true;
    }
    return answer;
  };
  let isSwapped = false;
  return {
    enforced: true,
    allowsFsRead: (place: string) => swap('first', policy.allowsFsRead(place)),
    allowsFsWrite: (place: string) => swap('first', policy.allowsFsWrite(place)),
    allowsRealPath: (list: 'fsRead' | 'fsWrite', real: string) => swap('last', policy.allowsRealPath(list, real)),
    arm(question: 'first' | 'last', [name, target]: readonly [string, string]) {
      swapAfter = { question, name, target };
    },
    /** Puts the name back; false when it was not swapped. */
    restore(): boolean {
      if (swapAfter === undefined || !isSwapped) return false;
      unlinkSync(tree.at(swapAfter.name));
      renameSync(tree.at('data/away'), tree.at(swapAfter.name));
      isSwapped = false;
      return true;
    },
  };
}

async function countEscapes(make: (policy: FsPolicy) => Access, tries: number): Promise<{ swaps: number; escapes: number }> {
  using tree = makeStage();
  const policy = swappingPolicy(tree, Policy.define({ fsRead: [tree.at('data')], fsWrite: [tree.at('data')] }));
  const access = make(policy);
  const count = { swaps: 0, escapes: 0 };
  for (let index = 0; index < tries; index++) {
    policy.arm(index % 2 === 0 ? 'first' : 'last', SWAPS[Math.floor(index / 2) % SWAPS.length]!);
    if (await escapes(access, tree, Math.floor(index / 6) % 4)) count.escapes++;
    if (policy.restore()) count.swaps++;
  }
  return count;
}

test(`D28: ${TRIES} swaps of a name for a link between the check and the open: 0 escapes`, async () => {
  expect(await countEscapes((policy) => new GuardedFs(policy), TRIES)).toEqual({ swaps: TRIES, escapes: 0 });
});

test('where a system opens nothing through handles, the place is looked at again', async () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
  Object.defineProperty(process, 'platform', { ...platform, value: 'freebsd' });
  try {
    expect(await countEscapes((policy) => new GuardedFs(policy), 240)).toEqual({ swaps: 240, escapes: 0 });
    using tree = makeStage();
    const fs = new GuardedFs(Policy.define({ fsRead: [tree.at('data')], fsWrite: [tree.at('data')] }));
    await fs.write(tree.at('data/one/two/new'), 'written');
    expect((await fs.read(tree.at('data/one/two/new'))).toString()).toBe('written');
  } finally {
    Object.defineProperty(process, 'platform', platform);
  }
});

test('a handler that asks and then opens is led out by most swaps', async () => {
  const { swaps, escapes: led } = await countEscapes(unguarded, 240);
  expect(swaps).toBe(240);
  expect(led).toBeGreaterThan(120);
});

/** Swaps the first directory for a link and back, as fast as it can, until it is told to stop. */
const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { parentPort, workerData: { name, away, target, stop } } = require('node:worker_threads');
  const flag = new Int32Array(stop);
  let count = 0;
  parentPort.postMessage('started');
  while (Atomics.load(flag, 0) === 0) {
    renameSync(name, away); symlinkSync(target, name); unlinkSync(name); renameSync(away, name);
    count++;
  }
  parentPort.postMessage(count);
`;

test('D28: a second thread that swaps all the time leads no access out', async () => {
  using tree = makeStage();
  const stop = new SharedArrayBuffer(4);
  const workerData = { name: tree.at('data/one'), away: tree.at('data/away'), target: tree.at('outside'), stop };
  const worker = new Worker(SWAPPER, { eval: true, workerData });
  await once(worker, 'message');
  const fs = new GuardedFs(Policy.define({ fsRead: [tree.at('data')], fsWrite: [tree.at('data')] }));
  let led = 0;
  for (let index = 0; index < 2_000; index++) if (await escapes(fs, tree, index % 4)) led++;
  const swaps = once(worker, 'message');
  Atomics.store(new Int32Array(stop), 0, 1);
  const [count] = await swaps;
  await worker.terminate();
  expect(count).toBeGreaterThan(100);
  expect(led).toBe(0);
});
