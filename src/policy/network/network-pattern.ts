import { isIPv6 } from 'node:net';
import { addressBytes, addressPrefix, contains, isPublic, type AddressBytes } from './address';
import { canonicalHost, type NetworkTarget } from './network-target';

/** One entry of a network list, compiled. */
export interface NetworkPattern {
  /** Undefined for every port. */
  readonly port: number | undefined;
  /** True for an entry that lists addresses: only such an entry opens what is not public. */
  readonly isAddress: boolean;
  /** Says whether the entry means this host, ports aside. */
  matches(target: Pick<NetworkTarget, 'host' | 'address'>): boolean;
  /** As an entry that denies: `*` then means every host. */
  covers(target: Pick<NetworkTarget, 'host' | 'address'>): boolean;
}

type HostTest = Pick<NetworkPattern, 'isAddress' | 'matches' | 'covers'>;

const LAST_PORT = 65_535;
const BRACKETED = /^\[([^\]]+)\](?::(\d{1,5}))?$/;
const PLAIN = /^([^:[\]]+)(?::(\d{1,5}))?$/;
const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

// Names that never stand for a host on the public internet.
const LOCAL_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** Compiles an entry without its `!`, or says in one sentence what is wrong with it. */
export function compileNetworkPattern(entry: string): NetworkPattern | string {
  if (entry.includes('://')) return 'is a URL; a list takes hosts and ports';
  const isBareV6 = isIPv6(entry.split('/')[0] ?? '');
  const [, host = '', portText] = BRACKETED.exec(entry) ?? PLAIN.exec(isBareV6 ? '' : entry) ?? [];
  const test = toTest(isBareV6 ? entry : host, isBareV6 || entry.startsWith('['));
  if (typeof test === 'string') return test;
  const port = portText === undefined ? undefined : Number(portText);
  if (port !== undefined && (port < 1 || port > LAST_PORT)) return 'has a port that is not between 1 and 65535';
  return Object.freeze({ port, ...test });
}

function toTest(host: string, mustBeAddress: boolean): HostTest | string {
  if (host === '*') return { isAddress: false, matches: isPublicHost, covers: () => true };
  if (host.includes('/') || addressBytes(host) !== undefined) return addressTest(host);
  if (mustBeAddress) return 'is not an address';
  const isBelow = host.startsWith('*.');
  const name = canonicalHost(isBelow ? host.slice(2) : host);
  if (name === undefined || !NAME.test(name)) return 'is not a host name, an address or a range of addresses';
  if (addressBytes(name) !== undefined) return `is another spelling of the address ${name}`;
  const matches = isBelow
    ? (target: { readonly host: string }): boolean => target.host.endsWith(`.${name}`)
    : (target: { readonly host: string }): boolean => target.host === name;
  return { isAddress: false, matches, covers: matches };
}

function addressTest(host: string): HostTest | string {
  const range = host.includes('/') ? addressPrefix(host) : toPrefix(addressBytes(host));
  if (range === undefined) return 'is not a range of addresses such as 10.0.0.0/8';
  const matches = ({ address }: { readonly address: AddressBytes | undefined }): boolean =>
    address !== undefined && contains(range, address);
  return { isAddress: true, matches, covers: matches };
}

function toPrefix(bytes: AddressBytes | undefined): { bytes: AddressBytes; bits: number } | undefined {
  return bytes === undefined ? undefined : { bytes, bits: bytes.length * 8 };
}

function isPublicHost({ host, address }: Pick<NetworkTarget, 'host' | 'address'>): boolean {
  return address === undefined ? !LOCAL_NAME.test(host) : isPublic(address);
}
