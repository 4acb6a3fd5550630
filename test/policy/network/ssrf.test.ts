import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccessError, GuardedFetch, Policy } from 'perch-mcp';

// A server on every loopback address: whatever reaches it has got past the policy.
const server = createServer((request, response) => {
  arrivals++;
  response.end(`internal ${request.socket.localAddress}`);
});
let arrivals = 0;
let port = 0;
beforeAll(async () => {
  await once(server.listen(0, '0.0.0.0'), 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '0x7f000001',
  '0x7f.0.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '%31%32%37.0.0.1',
  '①②⑦.⓪.⓪.①',
  '１２７.0.0.1',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '0x0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::7f00:1]',
  '169.254.169.254',
  '[::ffff:169.254.169.254]',
  '2852039166',
  '168.63.129.16',
  '100.100.100.200',
  '[fd00:ec2::254]',
  'metadata.google.internal',
  '[fe80::1]',
  '[fc00::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[ff02::1]',
];

/** Every public host is allowed; names resolve to what the test says. */
function fetchResolving(...answers: readonly (readonly string[])[]): { readonly fetch: GuardedFetch; readonly lookups: () => number } {
  let lookups = 0;
  const lookup = () =>
    Promise.resolve((answers[lookups++] ?? answers.at(-1)!).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  return {
    fetch: new GuardedFetch(Policy.define({ network: ['*', '*.evil.example'] }), { lookup, timeoutMs: 5_000 }),
    lookups: () => lookups,
  };
}

async function failureOf(fetching: Promise<unknown>): Promise<string> {
  return fetching.then(
    () => 'no failure',
    (thrown: unknown) => (thrown instanceof AccessError ? thrown.failure : String(thrown)),
  );
}

test.each(HOSTS)('D31: http://%s is denied where everything public is allowed', async (host) => {
  const policy = Policy.define({ network: ['*'] });
  expect([`http://${host}:${port}/`, `https://${host}/`, `${host}:${port}`, host].filter((asked) => policy.allowsNetwork(asked))).toEqual(
    [],
  );
  arrivals = 0;
  const { fetch } = fetchResolving(['127.0.0.1']);
  expect(await failureOf(fetch.fetch(`http://${host}:${port}/`))).toBe('denied');
  expect(arrivals).toBe(0);
});

const ADDRESSES = [
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '169.254.169.254',
  'fe80::1',
  'fe80::1%lo',
  'fc00::1',
];
ADDRESSES.push('10.0.0.1', '192.168.0.1', '2002:7f00:1::', 'not an address', '');

test.each(ADDRESSES)('D31: a name that resolves to "%s" is denied', async (address) => {
  arrivals = 0;
  expect(await failureOf(fetchResolving([address]).fetch.fetch(`http://name.evil.example:${port}/`))).toBe('denied');
  expect(arrivals).toBe(0);
});

test('D31: a name with one good address and a bad one is denied', async () => {
  arrivals = 0;
  for (const answer of [
    ['203.0.112.1', '127.0.0.1'],
    ['127.0.0.1', '203.0.112.1'],
  ]) {
    const { fetch } = fetchResolving(answer);
    expect(await failureOf(fetch.fetch(`http://name.evil.example:${port}/`))).toBe('denied');
  }
  expect(arrivals).toBe(0);
});

test('D31: a name that answers otherwise the second time is asked once, and connected to as it was decided', async () => {
  arrivals = 0;
  let lookups = 0;
  const lookup = () => Promise.resolve([{ address: lookups++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }]);
  const fetch = new GuardedFetch(Policy.define({ network: ['*', '127.0.0.2'] }), { lookup });
  const url = `http://rebinding.evil.example:${port}/`;
  expect(await (await fetch.fetch(url)).text()).toBe('internal 127.0.0.2');
  expect(await failureOf(fetch.fetch(url))).toBe('denied');
  expect([lookups, arrivals]).toEqual([2, 1]);
});

test('D31: a redirect to an internal place is denied before it is connected to', async () => {
  const front = createServer((request, response) => response.writeHead(302, { location: decodeURIComponent(request.url!.slice(1)) }).end());
  await once(front.listen(0, '127.0.0.1'), 'listening');
  const { port: frontPort } = front.address() as AddressInfo;
  const policy = Policy.define({ network: ['*', `127.0.0.1:${frontPort}`] });
  const fetch = new GuardedFetch(policy, { lookup: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });
  arrivals = 0;
  for (const host of [...HOSTS, 'name.evil.example']) {
    const place = encodeURIComponent(new URL(`http://${host}:${port}/`).href);
    expect([host, await failureOf(fetch.fetch(`http://front.evil.example:${frontPort}/${place}`))]).toEqual([host, 'denied']);
  }
  expect(arrivals).toBe(0);
  await new Promise((resolve) => front.close(resolve));
});

test('the same set gets past a check of the text', async () => {
  arrivals = 0;
  const looksInternal = /^https?:\/\/(?:localhost|127\.0\.0\.1|169\.254\.169\.254|10\.|192\.168\.|\[::1\])/i;
  const past = HOSTS.filter((host) => !looksInternal.test(`http://${host}`) && /^(?:127|0|2130706433|\[::ffff:(?:127|7f))/.test(host));
  for (const host of past) await fetch(`http://${host}:${port}/`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  expect(arrivals).toBeGreaterThan(5);
});
