import { isIPv4, isIPv6 } from 'node:net';

/** True for an address that only this machine can reach: 127.0.0.0/8 or ::1. A name is not an address; resolve it first. */
export function isLoopbackAddress(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  return isIPv6(address) && /^(?:0{0,4}:){1,7}0{0,3}1$/.test(address);
}
