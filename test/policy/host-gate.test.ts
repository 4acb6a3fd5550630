import { HostGate, isHostName, isOrigin } from '../../src/policy/host-gate';
import { isLoopbackAddress } from '../../src/policy/loopback';

test('only exactly listed names pass, on any port, whatever their case', () => {
  const gate = new HostGate(['api.example']);
  expect(['api.example', 'API.example:443'].every((host) => gate.allowsHost(host))).toBe(true);
  expect(
    ['localhost', 'api.example.', 'x.api.example', 'api.example:1:2', 'api.example:999999', '', 'a@api.example'].some((host) =>
      gate.allowsHost(host),
    ),
  ).toBe(false);
});

test('a request without Host does not pass, one without Origin does', () => {
  const gate = new HostGate();
  expect([gate.allowsHost(undefined), gate.allowsOrigin(undefined)]).toEqual([false, true]);
});

test('an Origin passes only as scheme, listed name and port', () => {
  const gate = new HostGate();
  expect(['http://localhost', 'https://127.0.0.1:8443', 'http://[::1]:3000'].every((origin) => gate.allowsOrigin(origin))).toBe(true);
  expect(
    ['localhost', 'http://localhost/', 'ftp://localhost', 'null', '', 'http://localhost:1 ', 'http://u@localhost'].some((origin) =>
      gate.allowsOrigin(origin),
    ),
  ).toBe(false);
});

test('M5: a port must be one that a socket can have', () => {
  const gate = new HostGate();
  expect(['localhost:65535', 'localhost:0'].every((host) => gate.allowsHost(host))).toBe(true);
  expect(['localhost:65536', 'localhost:99999', '[::1]:70000'].some((host) => gate.allowsHost(host))).toBe(false);
  expect([gate.allowsOrigin('http://localhost:65535'), gate.allowsOrigin('http://localhost:65536')]).toEqual([true, false]);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['::11', false],
  ['10.0.0.1', false],
  ['128.0.0.1', false],
  ['::ffff:127.0.0.1', false],
  ['localhost', false],
  ['', false],
])('the address "%s" is loopback: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});

test('D1: a name that is listed with a port is served on that port only', () => {
  const gate = new HostGate(['api.example:8443', '[2001:db8::1]']);
  expect(['api.example:8443', 'API.EXAMPLE:8443', '[2001:db8::1]', '[2001:DB8::1]:9'].every((host) => gate.allowsHost(host))).toBe(true);
  expect(['api.example', 'api.example:443', 'api.example:84430', 'localhost', '[2001:db8::2]'].some((host) => gate.allowsHost(host))).toBe(
    false,
  );
});

test('D1: where every name is served, what is no name is still refused', () => {
  const gate = new HostGate('*');
  expect(['a.example', 'localhost:1', '[::1]'].every((host) => gate.allowsHost(host))).toBe(true);
  expect([undefined, '', 'a@b', 'a b', 'a:99999', 'a:', 'http://a', 'a,b', 'ü'].some((host) => gate.allowsHost(host))).toBe(false);
});

test('D3: a listed origin passes besides the loopback ones, exactly as it is listed', () => {
  const gate = new HostGate(['api.example'], ['https://app.example', 'http://dev.example:8080', 'chrome-extension://abcdef']);
  const good = ['https://app.example', 'HTTPS://APP.EXAMPLE', 'http://dev.example:8080', 'chrome-extension://abcdef'];
  expect(good.map((origin) => [gate.allowsOrigin(origin), gate.listsOrigin(origin)])).toEqual(good.map(() => [true, true]));
  expect([gate.allowsOrigin('http://localhost:3000'), gate.listsOrigin('http://localhost:3000')]).toEqual([true, false]);
  const bad = [
    'http://app.example',
    'https://app.example:443',
    'https://app.example.',
    'https://app.example/',
    'https://x.app.example',
    'http://dev.example',
    'https://api.example',
    'null',
    '',
  ];
  expect(bad.filter((origin) => gate.allowsOrigin(origin))).toEqual([]);
});

test.each([
  'mcp.example',
  'MCP.example',
  'mcp.example:8443',
  'localhost',
  '10.0.0.1',
  '[::1]',
  '[2001:db8::1]:443',
  'a_b',
  'xn--bcher-kva.example',
])('"%s" can stand in a list of hosts', (entry) => {
  expect(isHostName(entry)).toBe(true);
});

test.each([
  [''],
  ['*'],
  ['*.example'],
  ['mcp.example.'],
  ['.example'],
  ['a..b'],
  ['https://mcp.example'],
  ['mcp.example/'],
  ['mcp.example:'],
  ['mcp.example:0'],
  ['mcp.example:080'],
  ['mcp.example:65536'],
  ['user@mcp.example'],
  ['::1'],
  ['[::x]'],
  ['[1.2.3.4]'],
  ['1.2.3.4.5'],
  ['bücher.example'],
  [' mcp.example'],
  ['a,b'],
  [7],
  [null],
])('%p cannot stand in a list of hosts', (entry) => {
  expect(isHostName(entry)).toBe(false);
});

test.each(['https://app.example', 'http://localhost:5173', 'http://[::1]:3000', 'vscode-webview://abc', 'moz-extension://0-1-2'])(
  '"%s" is an origin',
  (entry) => {
    expect(isOrigin(entry)).toBe(true);
  },
);

test.each([
  ['null'],
  ['*'],
  [''],
  ['app.example'],
  ['https://app.example/'],
  ['https://app.example:443'],
  ['http://app.example:80'],
  ['HTTPS://app.example'],
  ['https://App.example'],
  ['https://u@app.example'],
  ['https://app.example?x'],
  ['https://app.example#x'],
  ['https://*.example'],
  ['file:///x'],
  ['https://app.example:99999'],
  ['https://a, https://b'],
  [5],
])('%p is no origin', (entry) => {
  expect(isOrigin(entry)).toBe(false);
});
