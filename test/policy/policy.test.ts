import path from 'node:path';
import { McpSetupError, Policy, type PolicyLists } from 'perch-mcp';

/** The codes, problems and places of the error that this throws. */
function problemsOf(build: () => unknown): string[] {
  try {
    build();
  } catch (error) {
    if (error instanceof McpSetupError) return error.problems.map(({ code, problem, where }) => `${code} ${problem} at ${where}`);
    throw error;
  }
  return [];
}

const enforcing = (env: Record<string, string>): Policy => Policy.fromEnv({ PERCH_PERM_ENFORCE: '1', ...env });

describe('the environment', () => {
  test('parity C13: nothing is enforced, and every question is answered yes, until PERM_ENFORCE is present', () => {
    const policy = Policy.fromEnv({ SOX_PERM_FS_READ: '["/srv"]', PERCH_PERM_NETWORK: 'malformed entry' });
    expect(policy.enforced).toBe(false);
    expect([policy.allowsFsRead('/etc'), policy.allowsFsWrite('/etc')]).toEqual([true, true]);
    expect([policy.allowsNetwork('127.0.0.1'), policy.allowsSocket('/run/x')]).toEqual([true, true]);
  });

  test.each(
    ['PERCH_PERM_ENFORCE', 'SOX_PERM_ENFORCE'].flatMap((name) => ['1', 'true', '', '0', 'false', ' '].map((value) => [name, value])),
  )('parity C13: %s=%j enforces, whatever its value, and then what is not listed is denied', (name, value) => {
    const policy = Policy.fromEnv({ [name]: value });
    expect(policy.enforced).toBe(true);
    expect([policy.allowsFsRead('/etc'), policy.allowsFsWrite('/etc')]).toEqual([false, false]);
    expect([policy.allowsNetwork('example.com'), policy.allowsSocket('/run/x')]).toEqual([false, false]);
  });

  test.each(['PERCH_PERM_', 'SOX_PERM_'])('parity C13: the lists of %s* decide, as JSON or separated', (prefix) => {
    const policy = Policy.fromEnv({
      [`${prefix}ENFORCE`]: '1',
      [`${prefix}FS_READ`]: '["/srv/read:here","/srv/b"]',
      [`${prefix}FS_WRITE`]: ['/srv/w', '/srv/x'].join(path.delimiter),
      [`${prefix}NETWORK`]: 'example.com:443, [2606:4700::1]:53',
      [`${prefix}SOCKET`]: '/run/a.sock',
    });
    expect(['/srv/read:here', '/srv/b/c', '/srv/w'].map((each) => policy.allowsFsRead(each))).toEqual([true, true, false]);
    expect(['/srv/w', '/srv/x/y', '/srv/b'].map((each) => policy.allowsFsWrite(each))).toEqual([true, true, false]);
    expect(['https://example.com', '[2606:4700::1]:53', 'http://example.com'].map((each) => policy.allowsNetwork(each))).toEqual([
      true,
      true,
      false,
    ]);
    expect(['/run/a.sock', '/run/b.sock', '/srv/b'].map((each) => policy.allowsSocket(each))).toEqual([true, false, false]);
  });

  test('D19: an empty and an unset list allow nothing', () => {
    const policy = enforcing({ PERCH_PERM_FS_READ: '', PERCH_PERM_FS_WRITE: '[]', PERCH_PERM_NETWORK: ' ' });
    expect(
      ['/', '/srv', '.', ''].some((each) => policy.allowsFsRead(each) || policy.allowsFsWrite(each) || policy.allowsSocket(each)),
    ).toBe(false);
    expect(policy.allowsNetwork('example.com')).toBe(false);
  });

  test('a JSON list of hosts that begins with a bracketed address is no JSON', () => {
    expect(enforcing({ PERCH_PERM_NETWORK: '[::1]:80,example.com' }).allowsNetwork('[::1]:80')).toBe(true);
  });

  test.each([
    ['FS_READ', 'data'],
    ['FS_READ', '~/data'],
    ['FS_READ', './data'],
    ['FS_READ', '["/srv",]'],
    ['FS_READ', '["/srv",1]'],
    ['FS_READ', '["/srv",null]'],
    ['FS_READ', '[["/srv"]]'],
    ['FS_READ', '{"allow":["/srv"]}'],
    ['FS_READ', '/srv::/data'],
    ['FS_READ', '/srv:'],
    ['FS_READ', '!'],
    ['FS_READ', '!!/srv'],
    ['FS_READ', '/srv/../etc'],
    ['FS_READ', '/srv/./data'],
    ['FS_READ', '/srv/a**b'],
    ['FS_READ', '/srv/\nx'],
    ['FS_WRITE', 'C:\\data'],
    ['SOCKET', '@abstract'],
    ['SOCKET', 'unix:/run/a.sock'],
    ['NETWORK', 'https://example.com'],
    ['NETWORK', 'example.com/path'],
    ['NETWORK', 'user@example.com'],
    ['NETWORK', 'a*.example.com'],
    ['NETWORK', '**'],
    ['NETWORK', '*.'],
    ['NETWORK', 'exa mple.com'],
    ['NETWORK', 'example.com:0'],
    ['NETWORK', 'example.com:65536'],
    ['NETWORK', 'example.com:http'],
    ['NETWORK', 'example.com:'],
    ['NETWORK', '127.1'],
    ['NETWORK', '2130706433'],
    ['NETWORK', '0x7f.1'],
    ['NETWORK', '10.0.0.1/8'],
    ['NETWORK', '10.0.0.0/33'],
    ['NETWORK', '::ffff:10.0.0.0/104'],
    ['NETWORK', 'fe80::1%eth0'],
    ['NETWORK', '[example.com]'],
    ['NETWORK', '["a.com"'],
    ['NETWORK', 'a.com,,b.com'],
  ])('D19: once enforcing, the list %s=%j refuses to start', (name, value) => {
    const problems = problemsOf(() =>
      enforcing({ [`PERCH_PERM_${name}`]: value.replaceAll(':', name === 'FS_READ' ? path.delimiter : ':') }),
    );
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every((each) => each.startsWith('MCP_POLICY_INVALID') && each.includes(`PERCH_PERM_${name}, index [`))).toBe(true);
  });

  test('D19: a misspelt name refuses to start, also when nothing is enforced, for it may be the one that enforces', () => {
    expect(problemsOf(() => Policy.fromEnv({ PERCH_PERM_ENFORCED: '1' }))).toEqual([
      'MCP_POLICY_INVALID There is no variable "PERCH_PERM_ENFORCED" at the environment',
    ]);
    expect(problemsOf(() => enforcing({ PERCH_PERM_FS_REED: '/srv' }))).toHaveLength(1);
  });

  test('two names of one list that disagree refuse to start, two that say the same do not', () => {
    expect(problemsOf(() => enforcing({ PERCH_PERM_FS_READ: '/srv', SOX_PERM_FS_READ: '/etc' }))).toEqual([
      'MCP_POLICY_CONFLICT PERCH_PERM_FS_READ and SOX_PERM_FS_READ disagree at the environment, PERCH_PERM_FS_READ and SOX_PERM_FS_READ',
    ]);
    expect(problemsOf(() => enforcing({ PERCH_PERM_FS_READ: '', SOX_PERM_FS_READ: '/etc' }))).toHaveLength(1);
    expect(problemsOf(() => enforcing({ PERCH_PERM_FS_READ: '["/b","/a"]', SOX_PERM_FS_READ: '["/a","/b"]' }))).toEqual([]);
  });

  test('all that is wrong is said at once', () => {
    const problems = problemsOf(() => enforcing({ PERCH_PERM_FS_READ: 'a', PERCH_PERM_NETWORK: 'b c', PERCH_PERM_X: '' }));
    expect(problems.map((each) => each.replace(/^MCP_POLICY_INVALID (.*) at .*$/, '$1'))).toEqual([
      'There is no variable "PERCH_PERM_X"',
      '"a" is not an absolute path',
      '"b c" is not a host name, an address or a range of addresses',
    ]);
  });
});

describe('Policy.define', () => {
  test('enforces, and a list that is left out allows nothing', () => {
    const policy = Policy.define({});
    expect([policy.enforced, policy.allowsFsRead('/'), policy.allowsNetwork('a.com'), policy.allowsSocket('/s')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test.each<[string, unknown]>([
    ['a list that does not exist', { fsReed: ['/srv'] }],
    ['a list that is a string', { fsRead: '/srv' }],
    ['a list that is null', { fsRead: null }],
    ['an entry that is no string', { network: [/example/] }],
    ['an entry that is empty', { network: [''] }],
    ['no lists', undefined],
    ['an array', ['/srv']],
  ])('%s refuses to start', (_, lists) => {
    expect(problemsOf(() => Policy.define(lists as PolicyLists))).toEqual([
      expect.stringMatching(/^MCP_POLICY_INVALID .* at Policy\.define/),
    ]);
  });

  test('D19: deny beats allow, in every list and whatever the order', () => {
    const policy = Policy.define({
      fsRead: ['!/srv/secret', '/srv'],
      fsWrite: ['/srv', '!/srv/secret'],
      network: ['*.example.com', '!evil.example.com', '10.0.0.0/8', '!10.1.0.0/16', '!*:25', 'mail.example.com:25'],
      socket: ['/run', '!/run/docker.sock'],
    });
    expect(['/srv/a', '/srv/secret', '/srv/secret/key', '/srv/secrets'].map((each) => policy.allowsFsRead(each))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(['/srv/a', '/srv/secret/key'].map((each) => policy.allowsFsWrite(each))).toEqual([true, false]);
    expect(['/run/a', '/run/docker.sock'].map((each) => policy.allowsSocket(each))).toEqual([true, false]);
    const hosts = ['a.example.com:1', 'evil.example.com:1', 'x.evil.example.com:1', '10.2.3.4:1', '10.1.2.3:1', 'mail.example.com:25'];
    expect(hosts.map((each) => policy.allowsNetwork(each))).toEqual([true, false, true, true, false, false]);
  });

  test('D19: a denied port is denied to a question that names no port', () => {
    const policy = Policy.define({ network: ['example.com', '!example.com:22'] });
    expect(['example.com:22', 'example.com', 'example.com:443'].map((each) => policy.allowsNetwork(each))).toEqual([false, false, true]);
  });
});

describe('two policies', () => {
  const option = Policy.define({ fsRead: ['/srv', '/opt'], network: ['example.com', '10.0.0.1'] });
  const env = enforcing({ PERCH_PERM_FS_READ: '/srv/data:/var', PERCH_PERM_NETWORK: '*' });

  test('an option and the environment must both allow', () => {
    for (const both of [Policy.both(option, env), Policy.both(env, option)]) {
      expect(['/srv/data/x', '/srv/x', '/opt', '/var'].map((each) => both.allowsFsRead(each))).toEqual([true, false, false, false]);
      expect(['example.com', 'other.com', '10.0.0.1'].map((each) => both.allowsNetwork(each))).toEqual([true, false, false]);
      expect([both.enforced, both.allowsRealPath('fsRead', '/opt'), both.allowsAddress('10.0.0.1', 80)]).toEqual([true, false, false]);
    }
  });

  test('one that enforces nothing changes nothing', () => {
    const both = Policy.both(option, Policy.fromEnv({}));
    expect([both.enforced, both.allowsFsRead('/opt'), both.allowsFsRead('/var')]).toEqual([true, true, false]);
    expect(Policy.both(Policy.unenforced, Policy.unenforced).enforced).toBe(false);
  });
});

test('D33: a policy cannot be changed by who holds it, nor by the lists and the environment it was made from', () => {
  'use strict';
  const fsRead = ['/srv'];
  const env: Record<string, string> = { PERCH_PERM_ENFORCE: '1', PERCH_PERM_FS_READ: '/srv' };
  const policies = [Policy.define({ fsRead }), Policy.fromEnv(env)];
  fsRead.push('/etc');
  env['PERCH_PERM_FS_READ'] = '/etc';
  delete env['PERCH_PERM_ENFORCE'];
  for (const policy of policies) {
    expect(() => Object.assign(policy, { allowsFsRead: () => true })).toThrow(TypeError);
    expect(() => Object.assign(policy, { enforced: false })).toThrow(TypeError);
    expect(() => Object.assign(Object.getPrototypeOf(policy), { allowsFsRead: () => true })).toThrow(TypeError);
    expect(() => Object.assign(Policy, { unenforced: policy })).toThrow(TypeError);
    expect(() => Object.setPrototypeOf(policy, { allowsFsRead: () => true })).toThrow(TypeError);
    expect([policy.enforced, policy.allowsFsRead('/etc')]).toEqual([true, false]);
  }
});

test('a policy answers the four questions, and throws for no question', () => {
  const lists = { fsRead: ['/srv'], fsWrite: ['/srv'], network: ['*'], socket: ['/run'] };
  const strange: unknown[] = [
    undefined,
    null,
    1,
    {},
    [],
    ['/srv'],
    Symbol('x'),
    Buffer.from('/srv'),
    new URL('file:///srv'),
    { toString: () => '/srv' },
  ];
  strange.push('', ' ', '\0', '/srv\0', '\ud800', '/'.repeat(100_000), 'http://', 'http://[', '://', `http://${'a'.repeat(70_000)}.com`);
  for (const policy of [Policy.define(lists), Policy.define({})]) {
    for (const asked of strange as string[]) {
      expect([policy.allowsFsRead(asked), policy.allowsFsWrite(asked), policy.allowsNetwork(asked), policy.allowsSocket(asked)]).toEqual([
        false,
        false,
        false,
        false,
      ]);
    }
  }
});
