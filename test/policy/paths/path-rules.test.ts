import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { Policy } from 'perch-mcp';
import { compilePathPattern, type PathPattern } from '../../../src/policy/paths/path-pattern';
import { makeTree, type FileTree } from '../../support/file-tree';

/** What reading and writing under one list are answered; they are the same for every path here. */
function allows(fsRead: readonly string[], asked: string): boolean {
  const policy = Policy.define({ fsRead, fsWrite: fsRead });
  expect(policy.allowsFsWrite(asked)).toBe(policy.allowsFsRead(asked));
  return policy.allowsFsRead(asked);
}

let tree: FileTree;
beforeAll(() => {
  tree = makeTree({
    'data/a/file': 'inside',
    'data/a/file.txt': 'inside',
    'data2/file': 'outside',
    'data-x/file': 'outside',
    'dat/file': 'outside',
    'outside/deep/secret': 'outside',
    'data/in': { to: 'a' },
    'data/to-file': { to: '../outside/deep/secret' },
    'data/to-dir': { to: '../outside' },
    'data/chain': { to: 'chain2' },
    'data/chain2': { to: 'to-dir' },
    'data/loop': { to: 'loop' },
    'data/loop-a': { to: 'loop-b' },
    'data/loop-b': { to: 'loop-a' },
    'data/dangling': { to: '../outside/none' },
    'data/dangling-inside': { to: 'none' },
    'data/to-proc-root': { to: '/proc/self/root' },
    'outside/back': { to: '../data' },
    'link-root': { to: 'data' },
  });
});
afterAll(() => tree[Symbol.dispose]());

test.each([
  ['data2', false],
  ['data-x', false],
  ['data-x/file', false],
  ['dat', false],
  ['dat/file', false],
  ['', false],
  ['data', true],
  ['data/', true],
  ['data/a/file', true],
])('D20: under an entry for data, "%s" is allowed: %s', (asked, expected) => {
  expect(allows([tree.at('data')], tree.at(asked))).toBe(expected);
  expect(allows([tree.at('data/')], tree.at(asked))).toBe(expected);
});

test.each([
  ['data/../outside', false],
  ['data/../outside/deep/secret', false],
  ['data/../data2/file', false],
  ['data/./a', true],
  ['/data//a//file', true],
  ['data/a/../a/file', true],
  ['data/a/../../outside', false],
  ['data/a/../../data/a', true],
  ['outside/../data/a', false],
  ['none/../data/a', false],
  ['data/in/../a', true],
  ['data/to-dir/../data/a', false],
  ['data/to-dir/../a', false],
  ['data/%2e%2e/outside', true],
  ['data/..\\outside', true],
  ['data\\..\\outside', false],
  ['data/a/file.', true],
  ['data/a/file ', true],
  ['data.', false],
  ['data ', false],
])('D21: "%s" is decided on where it goes: %s', (asked, expected) => {
  expect(allows([tree.at('data')], tree.at(asked))).toBe(expected);
});

test('D21: a way out of an allowed directory and back tells nothing about what is outside', () => {
  expect(['outside', 'none'].map((name) => allows([tree.at('data')], tree.at(`${name}/../data/a`)))).toEqual([false, false]);
});

test('D21: a path of endless ways back is refused at once', () => {
  expect(allows([tree.at('data')], tree.at(`data${'/a/..'.repeat(20)}`))).toBe(true);
  expect(allows([tree.at('data')], tree.at(`data${'/a/..'.repeat(600)}`))).toBe(false);
});

test.each([
  ['data/to-file', false],
  ['data/to-file/', false],
  ['data/to-file/.', false],
  ['data/to-file//x', false],
  ['data/to-dir', false],
  ['data/to-dir/deep/secret', false],
  ['data/chain', false],
  ['data/chain/deep/secret', false],
  ['data/loop', false],
  ['data/loop/x', false],
  ['data/loop-a', false],
  ['data/to-proc-root', false],
  ['data/to-proc-root/etc/passwd', false],
  ['data/in/file', true],
  ['outside/back/a/file', true],
  ['link-root/a/file', true],
])('D22: "%s" is decided by its real path: %s', (asked, expected) => {
  expect(allows([tree.at('data')], tree.at(asked))).toBe(expected);
});

test('D22: a root that is a link opens what lies in it, under both names, and nothing else', () => {
  const root = [tree.at('link-root')];
  expect(['link-root', 'link-root/a/file', 'data/a/file', 'data/none'].map((each) => allows(root, tree.at(each)))).toEqual(
    Array(4).fill(true),
  );
  expect(['link-root/to-dir', 'data2', 'link-root2', ''].some((each) => allows(root, tree.at(each)))).toBe(false);
});

test('D22: an entry that is a link keeps the place it had at the start', () => {
  using own = makeTree({ one: null, two: null, current: { to: 'one' } });
  const policy = Policy.define({ fsRead: [own.at('current')] });
  execFileSync('ln', ['-sfn', 'two', own.at('current')]);
  expect([policy.allowsFsRead(own.at('one/x')), policy.allowsFsRead(own.at('current/x')), policy.allowsFsRead(own.at('two/x'))]).toEqual([
    true,
    false,
    false,
  ]);
});

test('D22: no way through /proc leads anywhere, unless it is listed on purpose', () => {
  const root = [tree.at('data')];
  const ways = [
    '/proc/self/root',
    '/proc/self/cwd',
    '/proc/self/root/etc',
    `/proc/self/root${tree.at('outside')}`,
    `/proc/self/root${tree.at('data/a/file')}`,
  ];
  expect(ways.filter((each) => allows(root, each) || allows(['/'], each))).toEqual([]);
  expect(allows([...root, '/proc/self'], `/proc/self/root${tree.at('data/a/file')}`)).toBe(true);
  expect(allows([...root, '/proc/self'], `/proc/self/root${tree.at('outside')}`)).toBe(false);
});

test.each([
  ['data/none', true],
  ['data/a/none', true],
  ['data/none/none/none', true],
  ['data/a/file/none', true],
  ['data/to-dir/none', false],
  ['data/to-dir/none/none', false],
  ['outside/none', false],
  ['outside/none/none', false],
  ['data/dangling', false],
  ['data/dangling/x', false],
  ['data/dangling-inside', false],
  ['data/none/..', false],
  ['data/none/../a', false],
  ['data/none/../../outside', false],
  ['data/to-file/none', false],
])('D23: "%s", which does not exist, is decided by its deepest existing ancestor: %s', (asked, expected) => {
  expect(allows([tree.at('data')], tree.at(asked))).toBe(expected);
});

test('D24: only an absolute string is a path', () => {
  const data = tree.at('data');
  const inside = tree.at('data/a/file');
  const asked: unknown[] = [
    '',
    '.',
    'data',
    './data',
    '~',
    '~/data',
    `file://${inside}`,
    Buffer.from(inside),
    new URL(`file://${inside}`),
    [inside],
  ];
  asked.push(
    { toString: () => inside },
    new String(inside),
    `${inside}\0`,
    `${inside}\0.txt`,
    `\0${inside}`,
    ` ${inside}`,
    `${data}/${'x'.repeat(5_000)}`,
  );
  asked.push(
    `${data}/${'x/'.repeat(2_500)}`,
    `${data}/\ud800`,
    `${data}/\udc00x`,
    `C:${inside}`,
    `\\\\?\\${inside}`,
    `//?${inside}`,
    undefined,
    null,
    0,
  );
  expect(asked.filter((each) => allows([data], each as string))).toEqual([]);
  expect(allows([data], `${data}/😀`)).toBe(true);
});

// On a system whose disk folds names the real path is the name as it is stored.
test('D25: names are compared byte for byte', () => {
  using own = makeTree({ 'd\u00e9j\u00e0/x': '', 'D\u00e9j\u00e0/x': '' });
  const root = [own.at('d\u00e9j\u00e0')];
  expect(allows(root, own.at('d\u00e9j\u00e0/x'))).toBe(true);
  const others = [
    'D\u00e9j\u00e0/x',
    'd\u00e9j\u00e0'.normalize('NFD'),
    'D\u00c9J\u00c0',
    '\uff44\u00e9j\u00e0',
    'd\u00e9j\u00e0\u200b',
    'd\u200b\u00e9j\u00e0',
  ];
  expect(others.filter((each) => allows(root, own.at(each)))).toEqual([]);
});

test('D25: where the disk folds names, a name that is denied is denied in every case and composition', () => {
  const pattern = compilePathPattern(tree.at('data/D\u00e9j\u00e0'), (text) => text.normalize('NFC').toLowerCase()) as PathPattern;
  const others = ['data/D\u00e9j\u00e0', 'data/d\u00c9J\u00c0/x', 'DATA/De\u0301ja\u0300'];
  expect(others.filter((each) => !pattern.covers(tree.at(each)))).toEqual([]);
  expect(pattern.covers(tree.at('data/Deja'))).toBe(false);
});

describe('what is no file', () => {
  const machine = [
    '/dev',
    '/dev/null',
    '/dev/mem',
    '/proc',
    '/proc/1/environ',
    '/proc/self/status',
    '/proc/self/mem',
    '/sys',
    '/sys/kernel',
  ];

  test.each([['/'], ['*'], ['**'], ['/**'], ['/*'], ['/*/**']])('D26: %s does not list devices and the kernel', (entry) => {
    expect(machine.filter((each) => allows([entry], each))).toEqual([]);
    expect(allows([entry], '/devices') && allows([entry], '/etc')).toBe(true);
  });

  test('D26: they are listed on purpose', () => {
    expect(allows(['/dev/null'], '/dev/null')).toBe(true);
    expect(allows(['/dev'], '/dev/null')).toBe(true);
    expect(allows(['/proc/uptime'], '/proc/uptime')).toBe(true);
    expect(allows(['/dev/null', '/'], '/dev/zero')).toBe(false);
    expect(allows(['/dev', '/'], '/proc/uptime')).toBe(false);
  });

  test('D26: a pipe or a socket among files is allowed only by its own entry', async () => {
    using own = makeTree({ 'data/file': '' });
    execFileSync('mkfifo', [own.at('data/pipe')]);
    const server = createServer().listen(own.at('data/socket'));
    await once(server, 'listening');
    for (const name of ['data/pipe', 'data/socket']) {
      expect(allows([own.at('data')], own.at(name))).toBe(false);
      expect(allows([own.at('data/*')], own.at(name))).toBe(false);
      expect(allows([own.at(name)], own.at(name))).toBe(true);
    }
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('patterns', () => {
  test.each<[string, string, boolean]>([
    ['data/*', 'data/a', true],
    ['data/*', 'data', false],
    ['data/*', 'data/a/file', false],
    ['data/*/file', 'data/a/file', true],
    ['data/*/file', 'data/a/b/file', false],
    ['data/*.txt', 'data/x.txt', true],
    ['data/*.txt', 'data/.txt', true],
    ['data/*.txt', 'data/x.txt.exe', false],
    ['data/*.txt', 'data/x.txt\n', false],
    ['data/*.txt', 'data/xatxt', false],
    ['data/r*p*t', 'data/report', true],
    ['data/r*p*t', 'data/rept', true],
    ['data/r*p*t', 'data/reprot2', false],
    ['data/r*p*p*t', 'data/rept', false],
    ['data/ab*ba', 'data/aba', false],
    ['data/ab*ba', 'data/abba', true],
    ['data/a*a*a', 'data/aa', false],
    ['data/*ab*', 'data/xabx', true],
    ['data/*ab*', 'data/xaxb', false],
    ['data/**', 'data', true],
    ['data/**', 'data/a/b/c', true],
    ['data/**', 'data2', false],
    ['data/**/*.txt', 'data/x.txt', true],
    ['data/**/*.txt', 'data/a/b/x.txt', true],
    ['data/**/*.txt', 'data/a/b', false],
    ['data/**/a/**/b', 'data/x/a/y/z/b', true],
    ['data/**/a/**/b', 'data/x/a/y/z/c', false],
    ['*/a', 'data/a', true],
    ['*/a', 'data2/a', true],
    ['*/a', 'data/b', false],
    ['data/[ab]?{x,y}+(z)', 'data/[ab]?{x,y}+(z)', true],
    ['data/[ab]', 'data/a', false],
    ['data/?', 'data/x', false],
    ['data/[ab]*', 'data/[ab]c', true],
    ['data/[ab]*', 'data/a', false],
  ])('"%s" and "%s": %s', (entry, asked, expected) => {
    expect(allows([tree.at(entry)], tree.at(asked))).toBe(expected);
  });

  test('a pattern follows no link out of the place it is for', () => {
    expect(['data/to-dir/deep/secret', 'data/to-file', 'data/chain'].filter((each) => allows([tree.at('data/**')], tree.at(each)))).toEqual(
      [],
    );
    expect(allows([tree.at('link-root/**/*.txt')], tree.at('data/a/file.txt'))).toBe(true);
  });

  test('an entry that denies means also what lies below, and the path as it is written', () => {
    const entries = [tree.at('data'), `!${tree.at('data/*/file')}`, `!${tree.at('data/in')}`];
    expect(['data/a', 'data/a/file', 'data/x/file/y', 'data/x/files'].map((each) => allows(entries, tree.at(each)))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test('a name that is denied stays denied when a link is put there later', () => {
    using own = makeTree({ 'data/public': null });
    const policy = Policy.define({ fsRead: [own.at('data'), `!${own.at('data/secret')}`] });
    symlinkSync('public', own.at('data/secret'));
    writeFileSync(own.at('data/public/x'), '');
    mkdirSync(own.at('data/secrets'));
    expect(
      ['data/secret', 'data/secret/x', 'data/./secret/x', 'data/public/x', 'data/secrets'].map((each) => policy.allowsFsRead(own.at(each))),
    ).toEqual([false, false, false, true, true]);
  });

  test('no path makes a pattern slow', () => {
    const policy = Policy.define({ fsRead: [tree.at('data/**/a/**/a/**/a/**/b')] });
    const started = performance.now();
    expect(policy.allowsRealPath('fsRead', tree.at(`data${'/a'.repeat(1_900)}`))).toBe(false);
    const stars = Policy.define({ fsRead: [tree.at(`data/${'*a'.repeat(20)}*b`)] });
    expect(stars.allowsRealPath('fsRead', tree.at(`data/${'a'.repeat(3_900)}`))).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('sockets', () => {
  test('D29: a socket is decided by its real path, and no other permission stands in for it', () => {
    using own = makeTree({ 'run/a.sock': '', 'run/to-a': { to: 'a.sock' }, 'run/to-b': { to: '../b.sock' }, 'b.sock': '' });
    const policy = Policy.define({ socket: [own.at('run/a.sock')], network: ['*', '127.0.0.0/8'], fsRead: ['/'], fsWrite: ['/'] });
    expect(['run/a.sock', 'run/to-a', 'run/./a.sock'].map((each) => policy.allowsSocket(own.at(each)))).toEqual([true, true, true]);
    const others = ['run/b.sock', 'run/a.sock2', 'run', 'run/to-b', 'b.sock'].map((each) => own.at(each));
    others.push(
      '/var/run/docker.sock',
      '/run/docker.sock',
      `\0${own.at('run/a.sock')}`,
      '\0abstract',
      '@abstract',
      'a.sock',
      '',
      `unix:${own.at('run/a.sock')}`,
    );
    expect(others.filter((each) => policy.allowsSocket(each))).toEqual([]);
    expect([own.at('run/a.sock'), `unix:${own.at('run/a.sock')}`].some((each) => policy.allowsNetwork(each))).toBe(false);
  });
});
