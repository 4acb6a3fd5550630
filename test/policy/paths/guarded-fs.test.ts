import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { AccessError, GuardedFs, Policy } from 'perch-mcp';
import { makeTree, type FileTree } from '../../support/file-tree';

/** How an access failed, with everything a caller could see of it. */
async function failureOf(access: Promise<unknown>): Promise<string> {
  const error: unknown = await access.then(
    () => 'no failure',
    (thrown: unknown) => thrown,
  );
  return error instanceof AccessError ? `${error.failure}: ${error.message}` : String(error);
}

function fsOver(tree: FileTree): GuardedFs {
  const policy = Policy.define({ fsRead: [tree.at('data'), `!${tree.at('data/secret')}`], fsWrite: [tree.at('data/out')] });
  return new GuardedFs(policy, { maxBytes: 1_000, maxEntries: 10 });
}

test('an allowed file is read, listed and looked at', async () => {
  using tree = makeTree({ 'data/a/file': 'inside', 'data/a/dir': null, 'data/empty': '', link: { to: 'data' } });
  const fs = fsOver(tree);
  expect((await fs.read(tree.at('data/a/file'))).toString()).toBe('inside');
  expect((await fs.read(tree.at('link/a/../a/file'))).toString()).toBe('inside');
  expect(await fs.read(tree.at('data/empty'))).toHaveLength(0);
  expect(await fs.list(tree.at('data/a'))).toEqual([
    { name: 'dir', kind: 'directory' },
    { name: 'file', kind: 'file' },
  ]);
  expect(await fs.stat(tree.at('data/a/file'))).toEqual({ kind: 'file', size: 6, modified: statSync(tree.at('data/a/file')).mtime });
  expect(await fs.stat(tree.at('data/a'))).toMatchObject({ kind: 'directory' });
});

test('a file is written whole: made, replaced by longer and by shorter content', async () => {
  using tree = makeTree({ 'data/out': null });
  const fs = fsOver(tree);
  const place = tree.at('data/out/file');
  for (const content of ['first', 'a longer one', Buffer.from('x'), '']) {
    await fs.write(place, content);
    expect(readFileSync(place, 'utf8')).toBe(content.toString());
  }
});

test('permission to write is none to read, and the other way round', async () => {
  using tree = makeTree({ 'data/file': 'inside', 'out/file': 'outside' });
  const fs = new GuardedFs(Policy.define({ fsRead: [tree.at('data')], fsWrite: [tree.at('out')] }));
  expect(await failureOf(fs.write(tree.at('data/file'), 'x'))).toBe('denied: Access denied');
  expect(await failureOf(fs.read(tree.at('out/file')))).toBe('denied: Access denied');
  expect([readFileSync(tree.at('data/file'), 'utf8'), await fs.write(tree.at('out/file'), 'x')]).toEqual(['inside', undefined]);
});

describe('E8: a refusal', () => {
  let tree: FileTree;
  beforeAll(() => {
    tree = makeTree({
      'outside/file': 'secret',
      'outside/dir/file': 'secret',
      'data/secret/file': 'secret',
      'data/to-file': { to: '../outside/file' },
      'data/to-none': { to: '../outside/none' },
      'data/to-dir': { to: '../outside/dir' },
    });
  });
  afterAll(() => tree[Symbol.dispose]());

  const places = [
    'outside/file',
    'outside/none',
    'outside/dir',
    'outside/none/none',
    'outside/file/none',
    'outside/dir/../none',
    'data/secret',
  ];
  places.push('data/secret/file', 'data/secret/none', 'data/to-file', 'data/to-none', 'data/to-dir/file', 'data/to-dir/none', '../etc', '');
  places.push('data/../outside/file', 'data/../outside/none', 'data/\0', `data/${'x'.repeat(5_000)}`);

  test.each(places)('of "%s" is the same for every operation, whatever lies there, and changes nothing', async (place) => {
    const fs = fsOver(tree);
    const before = execFileSync('find', [tree.root, '-printf', '%p %s %T@\n']).toString();
    for (const access of [fs.read(tree.at(place)), fs.write(tree.at(place), 'x'), fs.list(tree.at(place)), fs.stat(tree.at(place))])
      expect(await failureOf(access)).toBe('denied: Access denied');
    expect(execFileSync('find', [tree.root, '-printf', '%p %s %T@\n']).toString()).toBe(before);
  });

  test('has no cause and no path', async () => {
    const error = await fsOver(tree)
      .read(tree.at('outside/file'))
      .catch((thrown: unknown) => thrown as AccessError);
    expect([error, Object.keys(error), Object.hasOwn(error, 'cause')]).toEqual([new AccessError('denied'), ['name', 'failure'], false]);
  });
});

test('what is no absolute path is refused, also when nothing is enforced', async () => {
  const fs = new GuardedFs(Policy.unenforced);
  for (const asked of ['', 'package.json', './package.json', '/tmp\0', 'file:///tmp', Buffer.from('/tmp'), undefined])
    expect(await failureOf(fs.read(asked as string))).toBe('denied: Access denied');
});

test('when nothing is enforced, files are files', async () => {
  using tree = makeTree({ 'data/file': 'inside', link: { to: 'data' } });
  const fs = new GuardedFs(Policy.unenforced);
  linkSync(tree.at('data/file'), tree.at('data/second'));
  await fs.write(tree.at('link/second'), 'new');
  expect((await fs.read(tree.at('link/file'))).toString()).toBe('new');
});

test('what is missing, of another kind, or closed by the system, is said in the words of an access', async () => {
  using tree = makeTree({ 'data/a/file': 'inside', 'data/out/dir/file': '' });
  execFileSync('mkfifo', [tree.at('data/pipe'), tree.at('data/out/pipe')]);
  const fs = fsOver(tree);
  const named = new GuardedFs(Policy.define({ fsRead: [tree.at('data/pipe')], fsWrite: [tree.at('data/out/pipe')] }));
  expect(
    await Promise.all(
      [
        fs.read(tree.at('data/none')),
        fs.read(tree.at('data/a/file/x')),
        fs.write(tree.at('data/out/none/x'), ''),
        fs.list(tree.at('data/a/file')),
        fs.stat(tree.at('data/none')),
        fs.read(tree.at('data/a')),
        fs.write(tree.at('data/out/dir'), ''),
        named.read(tree.at('data/pipe')),
        named.write(tree.at('data/out/pipe'), ''),
        named.stat(tree.at('data/pipe')),
      ].map(failureOf),
    ),
  ).toEqual([...Array(5).fill('missing: Not found'), ...Array(5).fill('unusable: Not of the kind that was asked for')]);
});

test('a file larger than the limit is neither read nor written, and one that has no size is read to its limit', async () => {
  using tree = makeTree({ 'data/at-limit': 'x'.repeat(1_000), 'data/over': 'x'.repeat(1_001), 'data/out/file': 'kept' });
  const fs = fsOver(tree);
  expect(await fs.read(tree.at('data/at-limit'))).toHaveLength(1_000);
  expect(await failureOf(fs.read(tree.at('data/over')))).toBe('too-large: Too large');
  await fs.write(tree.at('data/out/file'), 'y'.repeat(1_000));
  expect(await failureOf(fs.write(tree.at('data/out/file'), 'z'.repeat(1_001)))).toBe('too-large: Too large');
  expect(readFileSync(tree.at('data/out/file'), 'utf8')).toBe('y'.repeat(1_000));
});

test('a file without a size is read as far as it goes', async () => {
  const policy = Policy.define({ fsRead: ['/proc/version', '/proc/kallsyms', '/proc/cpuinfo'] });
  expect(statSync('/proc/version').size).toBe(0);
  expect((await new GuardedFs(policy).read('/proc/version')).toString()).toBe(readFileSync('/proc/version', 'utf8'));
  expect(await failureOf(new GuardedFs(policy, { maxBytes: 10 }).read('/proc/version'))).toBe('too-large: Too large');
});

test('a list names what may be read and nothing else, and has a limit', async () => {
  using tree = makeTree({
    'data/file': '',
    'data/secret/file': '',
    'data/inside': { to: 'file' },
    'data/to-secret': { to: 'secret' },
    'data/to-outside': { to: '../outside' },
    'data/to-none': { to: 'none' },
    'outside/x': '',
  });
  execFileSync('mkfifo', [tree.at('data/pipe')]);
  const fs = fsOver(tree);
  expect((await fs.list(tree.at('data'))).map(({ name, kind }) => `${name} ${kind}`)).toEqual(['file file', 'inside link']);
  using large = makeTree(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`data/${index}`, ''])));
  expect(await failureOf(fsOver(large).list(large.at('data')))).toBe('too-large: Too large');
});

test('D27: a file with a second name elsewhere is read, and not written', async () => {
  using tree = makeTree({ 'outside/file': 'outside', 'data/out/own': '' });
  linkSync(tree.at('outside/file'), tree.at('data/out/file'));
  const fs = fsOver(tree);
  expect((await fs.read(tree.at('data/out/file'))).toString()).toBe('outside');
  expect(await failureOf(fs.write(tree.at('data/out/file'), 'x'))).toBe('denied: Access denied');
  expect(readFileSync(tree.at('outside/file'), 'utf8')).toBe('outside');
});

test('a directory that may be passed and not listed is passed', async () => {
  using tree = makeTree({ 'data/closed/file': 'inside' });
  chmodSync(tree.at('data/closed'), 0o100);
  expect((await fsOver(tree).read(tree.at('data/closed/file'))).toString()).toBe('inside');
  chmodSync(tree.at('data/closed'), 0o700);
});

test('no access leaves a handle open', async () => {
  using tree = makeTree({ 'data/a/file': 'inside', 'data/out/file': '' });
  const fs = fsOver(tree);
  const open = () => readdirSync('/proc/self/fd').length;
  const accesses = () => [
    fs.read(tree.at('data/a/file')),
    fs.read(tree.at('data/a/b/c/d')),
    fs.read(tree.at('data/a')),
    fs.write(tree.at('data/out/file'), 'x'),
    fs.write(tree.at('data/out/none/file'), 'x'),
    fs.list(tree.at('data')),
    fs.list(tree.at('data/a/file')),
    fs.stat(tree.at('data/a')),
  ];
  await Promise.allSettled(accesses());
  const before = open();
  for (let round = 0; round < 20; round++) await Promise.allSettled(accesses());
  expect(open()).toBe(before);
});
