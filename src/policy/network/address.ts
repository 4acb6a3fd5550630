import { isIPv4, isIPv6 } from 'node:net';

/** The bytes of an IP address: 4 or 16. IPv6 that only wraps an IPv4 address (`::ffff:…`) is that IPv4 address. */
export type AddressBytes = Uint8Array;

/** All addresses that begin with the same bits. */
export interface AddressPrefix {
  readonly bytes: AddressBytes;
  readonly bits: number;
}

const MAPPED = Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0]);

// Whatever the internet does not route to one host elsewhere, and 168.63.129.16, behind which a cloud keeps its metadata.
const NOT_PUBLIC_V4 = prefixes(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
);

// All that is routed lies in 2000::/3. Inside it: tunnels that hide an IPv4 address, and ranges for protocols and examples.
const ROUTED_V6 = prefixes('2000::/3');
const NOT_PUBLIC_V6 = prefixes('2001::/23 2001:db8::/32 2002::/16 3fff::/20');

/** Reads an address in its usual spellings. Undefined for names, for anything with a zone, and for the short and octal forms of IPv4. */
export function addressBytes(text: string): AddressBytes | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split('.').map(Number));
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const bytes = bytesOfV6(text);
  return contains({ bytes: MAPPED, bits: 96 }, bytes) ? bytes.slice(12) : bytes;
}

/** Reads `address/bits`. Undefined for anything else, and when bits beyond the prefix are set. */
export function addressPrefix(text: string): AddressPrefix | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const bytes = addressBytes(address);
  const bits = Number(length);
  if (bytes === undefined || bits > bytes.length * 8) return undefined;
  return bytes.some((byte, index) => (byte & ~maskAt(index, bits) & 0xff) !== 0) ? undefined : { bytes, bits };
}

/** True when the address begins with the prefix. */
export function contains({ bytes, bits }: AddressPrefix, address: AddressBytes): boolean {
  return bytes.length === address.length && bytes.every((byte, index) => (((address[index] ?? 0) ^ byte) & maskAt(index, bits)) === 0);
}

/** True for an address of one host on the public internet: not private, loopback, link-local, metadata, multicast or a tunnel. */
export function isPublic(address: AddressBytes): boolean {
  const isIn = (prefix: AddressPrefix): boolean => contains(prefix, address);
  if (address.length === 4) return !NOT_PUBLIC_V4.some(isIn);
  return ROUTED_V6.some(isIn) && !NOT_PUBLIC_V6.some(isIn);
}

/** The URL parser writes every IPv6 address as groups of hexadecimal digits with at most one `::`. */
function bytesOfV6(text: string): Uint8Array {
  const [left = '', right = ''] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const head = groupsOf(left);
  const tail = groupsOf(right);
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function maskAt(index: number, bits: number): number {
  return (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))) & 0xff;
}

function prefixes(...lines: readonly string[]): readonly AddressPrefix[] {
  return lines.flatMap((line) => line.split(' ')).flatMap((text) => addressPrefix(text) ?? []);
}
