import { execFileSync } from 'node:child_process';
import { makeTree } from '../support/file-tree';

type Access = typeof import('../../src/policy/check-access');

/** The functions in a process that has this environment and has not asked anything yet. */
function under(env: Readonly<Record<string, string>>, use: (access: Access) => void): void {
  const replaced = jest.replaceProperty(process, 'env', { ...process.env, ...env });
  try {
    jest.isolateModules(() => use(require('../../src/policy/check-access') as Access));
  } finally {
    replaced.restore();
  }
}

test('parity C14: what is allowed gives null, what is not gives a denial with a reason', () => {
  using tree = makeTree({ 'data/file': '', 'other/file': '' });
  const env = {
    SOX_PERM_ENFORCE: '1',
    SOX_PERM_FS_READ: JSON.stringify([tree.at('data'), tree.at('read')]),
    SOX_PERM_FS_WRITE: JSON.stringify([tree.at('data')]),
    SOX_PERM_NETWORK: JSON.stringify(['example.com']),
    SOX_PERM_SOCKET: JSON.stringify(['/run/a.sock']),
  };
  under(env, ({ checkFsAccess, checkNetworkAccess, checkSocketAccess, getPolicy }) => {
    expect(getPolicy().enforced).toBe(true);
    expect([checkFsAccess(tree.at('data/file')), checkFsAccess(tree.at('read/x'), 'read')]).toEqual([null, null]);
    expect([checkNetworkAccess('https://example.com/'), checkSocketAccess('/run/a.sock')]).toEqual([null, null]);
    const other = tree.at('other/file');
    expect(checkFsAccess(other)).toEqual({ denied: true, reason: `Access to "${other}" is not allowed by the policy` });
    expect(checkFsAccess(other, 'read')).toEqual({ denied: true, reason: `Reading "${other}" is not allowed by the policy` });
    expect(checkFsAccess(tree.at('read/x'), 'write')).toMatchObject({ denied: true, reason: expect.stringMatching(/^Writing /) });
    expect(checkNetworkAccess('evil.example')).toEqual({
      denied: true,
      reason: 'Connecting to "evil.example" is not allowed by the policy',
    });
    expect(checkSocketAccess('/run/b.sock')).toEqual({
      denied: true,
      reason: 'Connecting to the socket "/run/b.sock" is not allowed by the policy',
    });
  });
});

test('parity C14: without a kind of access, both reading and writing must be allowed', () => {
  under({ PERCH_PERM_ENFORCE: '', PERCH_PERM_FS_READ: '/srv/r:/srv/rw', PERCH_PERM_FS_WRITE: '/srv/w:/srv/rw' }, ({ checkFsAccess }) => {
    expect(['/srv/r', '/srv/w', '/srv/rw'].map((place) => checkFsAccess(place) === null)).toEqual([false, false, true]);
    expect(['/srv/r', '/srv/w', '/srv/rw'].map((place) => checkFsAccess(place, 'read') === null)).toEqual([true, false, true]);
    expect(['/srv/r', '/srv/w', '/srv/rw'].map((place) => checkFsAccess(place, 'write') === null)).toEqual([false, true, true]);
  });
});

test('parity C14: nothing is denied while nothing is enforced', () => {
  under({}, ({ checkFsAccess, checkNetworkAccess, checkSocketAccess, getPolicy }) => {
    expect([getPolicy().enforced, checkFsAccess('/etc'), checkNetworkAccess('127.0.0.1'), checkSocketAccess('/run/x')]).toEqual([
      false,
      null,
      null,
      null,
    ]);
  });
});

test('E8: the reason is the same whether the thing exists or not', () => {
  using tree = makeTree({
    'data/x': '',
    'outside/there': '',
    'data/link': { to: '../outside/there' },
    'data/link2': { to: '../outside/none' },
  });
  under({ PERCH_PERM_ENFORCE: '1', PERCH_PERM_FS_READ: tree.at('data') }, ({ checkFsAccess }) => {
    const reason = (name: string) => checkFsAccess(tree.at(name), 'read')?.reason.replace(name, '…');
    expect(reason('outside/there')).toMatch(/^Reading ".*…" is not allowed by the policy$/);
    expect(
      new Set(['outside/there', 'outside/none', 'data/link', 'data/link2', 'outside/../etc', 'outside/there/..'].map(reason)).size,
    ).toBe(1);
  });
});

test('D33: the environment is read at the first question, and later changes of it change nothing', () => {
  under({ PERCH_PERM_ENFORCE: '1', PERCH_PERM_FS_READ: '/srv' }, ({ checkFsAccess, getPolicy }) => {
    const policy = getPolicy();
    process.env['PERCH_PERM_FS_READ'] = '/etc';
    delete process.env['PERCH_PERM_ENFORCE'];
    expect([getPolicy() === policy, checkFsAccess('/etc', 'read') === null, checkFsAccess('/srv', 'read')]).toEqual([true, false, null]);
  });
});

test('lists that cannot be used deny everything, and getPolicy says why', () => {
  under({ PERCH_PERM_ENFORCE: '1', PERCH_PERM_FS_READ: 'data' }, ({ checkFsAccess, checkNetworkAccess, checkSocketAccess, getPolicy }) => {
    expect(() => getPolicy()).toThrow('MCP_POLICY_INVALID');
    expect([checkFsAccess('/srv'), checkNetworkAccess('a.com'), checkSocketAccess('/s')].every((each) => each?.denied === true)).toBe(true);
  });
});

test('no question throws, and what is asked is shown cut and escaped', () => {
  under({ PERCH_PERM_ENFORCE: '1', PERCH_PERM_NETWORK: '*' }, ({ checkFsAccess, checkNetworkAccess, checkSocketAccess }) => {
    const strange = [
      undefined,
      null,
      1,
      Symbol('x'),
      {},
      {
        toString: () => {
          throw new Error('no');
        },
      },
      '\0',
      '\ud800',
      '\u202e',
    ] as string[];
    for (const asked of strange)
      expect([checkFsAccess(asked), checkNetworkAccess(asked), checkSocketAccess(asked)].every((each) => each?.denied)).toBe(true);
    expect(checkFsAccess(`/\n\u001b[31m${'x'.repeat(1_000)}`)?.reason).toMatch(/^Access to "\/\\u\{a\}\\u\{1b\}\[31mx{90,}…" is not/);
    expect(checkNetworkAccess(Buffer.from('a.com') as unknown as string)?.reason).toBe(
      'Connecting to what is no string is not allowed by the policy',
    );
  });
});

test('a denial cannot be made into none', () => {
  under({ PERCH_PERM_ENFORCE: '1' }, ({ checkFsAccess }) => expect(Object.isFrozen(checkFsAccess('/srv'))).toBe(true));
});

test('importing the package reads no environment and touches no disk', () => {
  const script = "require('reflect-metadata'); require('./src/policy/check-access.ts'); console.log('loaded')";
  const env = { ...process.env, PERCH_PERM_ENFORCE: '1', PERCH_PERM_FS_READ: 'malformed' };
  const args = ['-r', 'ts-node/register/transpile-only', '-e', script];
  expect(execFileSync(process.execPath, args, { env, cwd: `${__dirname}/../..`, encoding: 'utf8' })).toBe('loaded\n');
});
