import { invalid } from '../choose-verifier';
import type { SettingSources } from './door-options';
import { readSetting, type Found, type Setting } from './read-setting';

export const PORT: Setting<number> = Object.freeze({
  options: ['port'],
  flag: 'port',
  variables: ['PERCH_PORT', 'SOX_MCP_PORT'],
  default: '3000',
  read: readPort,
} as const);

export const HOST: Setting<string> = Object.freeze({
  options: ['host', 'bindAddress'],
  flag: 'host',
  variables: ['PERCH_HOST'],
  default: '127.0.0.1',
  isBlankUnset: true,
  read: readText,
} as const);

export const SOCKET: Setting<string> = Object.freeze({
  options: ['socketPath'],
  flag: 'socket',
  variables: ['PERCH_SOCKET'],
  default: 'none; `uds` needs one',
  read: readText,
} as const);

export const HTTP_SOCKET: Setting<string> = Object.freeze({
  options: ['httpSocketPath'],
  flag: 'http-socket',
  variables: ['PERCH_HTTP_SOCKET'],
  default: 'none: host and port',
  read: readText,
} as const);

/** Where HTTP listens: on an address, or on a Unix socket in its place. */
export interface HttpPlace {
  readonly host: string;
  readonly port: number;
  readonly httpSocketPath: string | undefined;
}

/**
 * What counts of a socket and an address for HTTP is what is said first: an option over a flag, a flag over a variable. Both said in the
 * same place is refused.
 */
export function chooseHttpPlace(sources: SettingSources): HttpPlace {
  const [host, port, socket] = [readSetting(HOST, sources), readSetting(PORT, sources), readSetting(HTTP_SOCKET, sources)];
  const address = nearest(host, port);
  if (socket !== undefined && address?.level === socket.level)
    throw invalid(
      `${socket.name} and ${address.name} contradict each other: HTTP listens on a Unix socket or on a port`,
      `Leave out ${socket.name} or ${address.name}.`,
    );
  const isSocket = socket !== undefined && socket.level < (address?.level ?? Infinity);
  return { host: host?.value ?? '127.0.0.1', port: port?.value ?? 3000, httpSocketPath: isSocket ? socket.value : undefined };
}

function nearest(first: Found<unknown> | undefined, second: Found<unknown> | undefined): Found<unknown> | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return first.level <= second.level ? first : second;
}

function readPort(raw: unknown, name: string): number {
  const port = typeof raw === 'number' || (typeof raw === 'string' && /^\d{1,5}$/.test(raw)) ? Number(raw) : Number.NaN;
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw invalid(`The port "${String(raw)}" is not a whole number from 0 to 65535 (${name})`, 'Set it to one; 0 takes a free port.');
}

function readText(raw: unknown, name: string): string {
  if (typeof raw === 'string' && raw.trim() !== '') return raw;
  throw invalid(`${name} is not a text with something in it`, 'Set it, or leave it out.');
}
