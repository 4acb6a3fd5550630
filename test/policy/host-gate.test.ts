import { HostGate } from '../../src/policy/host-gate';
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
