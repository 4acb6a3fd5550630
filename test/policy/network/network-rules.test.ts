import fc from 'fast-check';
import { Policy } from 'perch-mcp';

function allowed(network: readonly string[], asked: readonly string[]): string[] {
  const policy = Policy.define({ network });
  return asked.filter((each) => policy.allowsNetwork(each));
}

/** Everything that is not allowed, so that an empty list is the good answer. */
function refused(network: readonly string[], asked: readonly string[]): string[] {
  const yes = new Set(allowed(network, asked));
  return asked.filter((each) => !yes.has(each));
}

describe('D30: an entry for api.example.com', () => {
  test.each([
    'api.example.com',
    'api.example.com:443',
    'api.example.com:8080',
    'API.Example.COM',
    'api.example.com.',
    'http://api.example.com',
    'https://api.example.com/',
    'HTTPS://API.EXAMPLE.COM:8443/x?y#z',
    'wss://api.example.com/socket',
    'https://api.example.com./',
    'https://api%2eexample%2ecom/',
    'api%2eexample.com',
    'https://api．example．com/',
    'ａｐｉ.example.com',
    'https://api.example.com#@evil.example/',
    'https://api.example.com?@evil.example/',
    'https://api.example.com/@evil.example/',
  ])('allows %j, whose host it is', (asked) => {
    expect(allowed(['api.example.com'], [asked])).toEqual([asked]);
  });

  test.each([
    'example.com',
    'evilapi.example.com',
    'x.api.example.com',
    'api.example.com.evil.example',
    'api.example.comx',
    'api.example.com..',
    '.api.example.com',
    'аpi.example.com',
    'xn--pi-7kc.example.com',
    'api.example.com@evil.example',
    'user@api.example.com',
    'https://user@api.example.com/',
    'https://user:secret@api.example.com/',
    'https://@api.example.com/',
    'https://api.example.com@evil.example/',
    'https://api.example.com\\@evil.example/',
    'https://evil.example\\@api.example.com/',
    'https://evil.example#@api.example.com/',
    'https://evil.example?@api.example.com/',
    'https://evil.example/@api.example.com/',
    'https://api.exam\tple.com/',
    'https://api.example.com\n/',
    'https://api.example.com/\r\nHost: evil.example',
    ' api.example.com',
    'api.example.com ',
    'api.example.com\0',
    '//api.example.com',
    '///api.example.com',
    'https:api.example.com',
    'https:/api.example.com',
    'https:///api.example.com',
    'https:\\\\api.example.com',
    'api.example.com/path',
    'api.example.com?x',
    'api.example.com#x',
    'api.example.com:',
    'api.example.com:0',
    'api.example.com:65536',
    'api.example.com:99999999',
    'api.example.com:80:80',
    'api.example.com:http',
    'https://api.example.com:0/',
    'https://api.example.com:65536/',
    'ftp://api.example.com/',
    'file://api.example.com/etc/passwd',
    'file:///etc/passwd',
    'data:text/plain,api.example.com',
    'unix:/run/api.example.com',
    'unix://api.example.com/run',
    'javascript://api.example.com/',
    'blob:https://api.example.com/x',
    'gopher://api.example.com/',
    '93.184.216.34',
    'https://93.184.216.34/',
    'https://[::1]/',
    'https://[api.example.com]/',
    'https://',
    '',
    '*',
    '*.example.com',
  ])('denies %j', (asked) => {
    expect(allowed(['api.example.com'], [asked])).toEqual([]);
  });

  test('with a port allows that port only, also where the scheme names it', () => {
    const yes = [
      'api.example.com:443',
      'https://api.example.com',
      'wss://api.example.com/',
      'http://api.example.com:443/',
      'api.example.com:0443',
    ];
    const no = ['api.example.com', 'api.example.com:80', 'http://api.example.com', 'ws://api.example.com', 'https://api.example.com:8443'];
    expect(allowed(['api.example.com:443'], [...yes, ...no])).toEqual(yes);
  });

  test('allows nothing that is no string', () => {
    const asked: unknown[] = [new URL('https://api.example.com'), ['api.example.com'], { toString: () => 'api.example.com' }, null, 443];
    expect(allowed(['api.example.com'], asked as string[])).toEqual([]);
  });
});

test('D30: an entry in punycode and one in letters are the same', () => {
  const asked = ['bücher.example', 'xn--bcher-kva.example', 'BÜCHER.example', 'https://b%C3%BCcher.example/'];
  for (const entry of ['bücher.example', 'xn--bcher-kva.example', 'Bücher.Example.']) expect(refused([entry], asked)).toEqual([]);
});

test('*.example.com means what is below example.com, at any depth, and no address', () => {
  const yes = ['a.example.com', 'a.b.example.com:1', 'https://A.example.com.'];
  const no = ['example.com', 'aexample.com', 'a.example.com.evil.example', '.example.com', '93.184.216.34', 'a.example.co'];
  expect(allowed(['*.example.com'], [...yes, ...no])).toEqual(yes);
});

describe('addresses', () => {
  test('an entry for an address means its bytes, however they are spelled', () => {
    const asked = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.0.0.1.',
      '[::ffff:127.0.0.1]',
      '::ffff:7f00:1',
      'http://①27.0.0.1/',
    ];
    expect(refused(['127.0.0.1'], asked)).toEqual([]);
    expect(refused(['::ffff:127.0.0.1'], asked)).toEqual([]);
    expect(allowed(['127.0.0.1'], ['127.0.0.2', 'localhost', '::1', '[::127.0.0.1]', '0.0.0.0', '1.0.0.127'])).toEqual([]);
  });

  test('a range means what begins with it, on its port', () => {
    const entries = ['10.0.0.0/8', '192.168.1.0/24:80', '[fd00::/8]:443', '2606:4700::/32', '[::1]:3000'];
    const yes = ['10.255.0.1:9', '192.168.1.7:80', 'https://[fd12::1]/', '2606:4700::1111', '[::1]:3000', 'http://[0:0::1]:3000/'];
    const no = ['11.0.0.1', '192.168.1.7', '192.168.1.7:81', 'http://[fd12::1]/', '[fe00::1]:443', '2606:4701::1', '::1', '[::1]:3001'];
    expect(allowed(entries, [...yes, ...no])).toEqual(yes);
  });

  test('what is not public is opened by an address only: * and names do not', () => {
    const local = [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '[64:ff9b::7f00:1]',
      '0',
      '0.0.0.0',
    ];
    const names = ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'printer.local', 'metadata.google.internal', 'db', 'x.home.arpa'];
    expect(allowed(['*', '*.example.com', 'localhost.example'], [...local, ...names])).toEqual([]);
    expect(allowed(['*'], ['example.com', '1.1.1.1', 'https://[2606:4700::1111]/', 'internal.example'])).toHaveLength(4);
    expect(refused(['localhost', '*.localhost', 'db:5432'], ['localhost', 'a.localhost', 'db:5432'])).toEqual([]);
  });

  test('a denied address is denied in every spelling', () => {
    const asked = ['8.8.8.8', '::ffff:8.8.8.8', '0x08080808', '8.8.2056', 'https://8.8.8.8:53/'];
    expect(allowed(['*', '!8.8.8.8'], asked)).toEqual([]);
    expect(allowed(['*', '!8.0.0.0/8'], asked)).toEqual([]);
    expect(allowed(['*', '!*'], [...asked, 'example.com'])).toEqual([]);
  });
});

describe('an address that a name resolved to', () => {
  const policy = Policy.define({ network: ['api.example.com', '10.0.0.0/8:80', '!9.9.9.9', '!*:25'] });

  test('is allowed when it is public or listed as an address, and not denied', () => {
    const decided = (address: string, port = 80) => policy.allowsAddress(address, port);
    expect(['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1', '10.1.2.3'].every((each) => decided(each))).toBe(true);
    expect(
      ['127.0.0.1', '::1', 'fe80::1%eth0', '9.9.9.9', '::ffff:9.9.9.9', '', 'api.example.com', '127.1'].some((each) => decided(each)),
    ).toBe(false);
    expect([decided('10.1.2.3', 443), decided('8.8.8.8', 25)]).toEqual([false, false]);
  });
});

test('no text makes a question throw, and what one entry allows has that host for the URL parser', () => {
  const policy = Policy.define({ network: ['api.example.com'] });
  const piece = fc.constantFrom(
    'api.example.com',
    'evil.example',
    'http://',
    'https:',
    '//',
    '@',
    '\\',
    '#',
    '?',
    ':',
    '80',
    '%',
    '%2e',
    '.',
    '[',
    ']',
    '\t',
    ' ',
    '＠',
    '。',
    'x',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
      ),
      (text) => {
        if (!policy.allowsNetwork(text)) return;
        const url = new URL(text.includes('://') ? text : `http://${text}`);
        expect(url.hostname.replace(/\.$/, '')).toBe('api.example.com');
        expect([url.username, url.password]).toEqual(['', '']);
      },
    ),
    { numRuns: 5_000, seed: 6 },
  );
});
