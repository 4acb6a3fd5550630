import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { addressBytes, addressPrefix, contains, isPublic } from '../../../src/policy/network/address';

test.each([
  ['127.0.0.1', [127, 0, 0, 1]],
  ['::ffff:127.0.0.1', [127, 0, 0, 1]],
  ['::ffff:7f00:1', [127, 0, 0, 1]],
  ['0:0:0:0:0:FFFF:7f00:0001', [127, 0, 0, 1]],
  ['::', Array(16).fill(0)],
  ['::1', [...Array(15).fill(0), 1]],
  ['fe80::1', [0xfe, 0x80, ...Array(13).fill(0), 1]],
  ['1:2:3:4:5:6:7:8', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
  ['1::', [0, 1, ...Array(14).fill(0)]],
])('%s has the bytes %j', (text, expected) => {
  expect([...(addressBytes(text) ?? [])]).toEqual(expected);
});

test.each([
  '',
  'localhost',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '127.0.0.1.',
  '127.0.0.256',
  '[::1]',
  'fe80::1%eth0',
  ':::1',
  '1.2.3.4:80',
])('"%s" is no address', (text) => {
  expect(addressBytes(text)).toBeUndefined();
});

test.each([
  '10.0.0.0',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.1/8',
  '10.0.0.0/-1',
  '10.0.0.0/08x',
  'a/8',
  '::1/127',
  'fe80::/129',
  '::ffff:0:0/96',
])('"%s" is no range', (text) => {
  expect(addressPrefix(text)).toBeUndefined();
});

test.each([
  '0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.255 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255',
  '192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255',
  ':: ::1 ::7f00:1 ::ffff:10.0.0.1 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:20::1 2001:db8::1 2002:7f00:1:: 3fff::1',
  '4000::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1',
])('no host on the internet has one of %s', (texts) => {
  expect(texts.split(' ').filter((text) => isPublic(addressBytes(text)!))).toEqual([]);
});

test('a host on the internet may have any other address', () => {
  const texts =
    '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.1.1.1 128.0.0.1 169.253.1.1 172.15.0.1 172.32.0.1 192.0.1.1';
  const others = '192.167.1.1 192.169.0.1 198.17.1.1 198.20.0.1 223.255.255.255 2001:200::1 2003::1 2606:4700::1111 2a00::1 ::ffff:8.8.8.8';
  expect(`${texts} ${others}`.split(' ').filter((text) => !isPublic(addressBytes(text)!))).toEqual([]);
});

// Node lets ::/0 hold every IPv4 address too; here a range holds addresses of its own family.
test('a range holds exactly the addresses of its family that node says it holds', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(address, address, fc.nat(128), (base, other, length) => {
      const bytes = addressBytes(base)!;
      const bits = Math.min(length, bytes.length * 8);
      if (isIPv6(base) && bytes.length === 4) return;
      const asked = addressBytes(other)!;
      const list = new BlockList();
      list.addSubnet(base, bits, isIPv6(base) ? 'ipv6' : 'ipv4');
      const family = isIPv6(other) ? 'ipv6' : 'ipv4';
      expect(contains({ bytes, bits }, asked)).toBe(asked.length === bytes.length && list.check(other, family));
    }),
    { numRuns: 2_000, seed: 6 },
  );
});
