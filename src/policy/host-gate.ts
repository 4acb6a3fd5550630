import { isIPv6 } from 'node:net';

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;
const ORIGIN = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;
const ANY_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/([^/?#@*\s]+)$/;

const LAST_PORT = 65_535;

/** The names by which a browser can reach this machine itself, on any port. */
export const LOOPBACK_NAMES: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '[::1]']);

/** The hosts that are served: names with or without a port; `'*'` stands for every name. */
export type AllowedHosts = readonly string[] | '*';

/**
 * Says whether a request was meant for this server, so that a web page cannot reach it by pointing a name of its own at the server's
 * address (specification: Security Warning of the Streamable HTTP transport). Both headers are compared exactly, letter case aside.
 */
export class HostGate {
  readonly #hosts: ReadonlySet<string> | '*';
  readonly #origins: ReadonlySet<string>;

  constructor(hosts: AllowedHosts = LOOPBACK_NAMES, origins: readonly string[] = []) {
    this.#hosts = hosts === '*' ? '*' : new Set(hosts.map((host) => host.toLowerCase()));
    this.#origins = new Set(origins);
  }

  /**
   * A request without `Host`, or with one that is not exactly a listed name and an optional port, is not meant for us. A name that is listed
   * with a port is served on that port only.
   */
  allowsHost(host: string | undefined): boolean {
    const read = host === undefined ? undefined : readHost(HOST, host.toLowerCase());
    if (read === undefined) return false;
    if (this.#hosts === '*') return isAddress(read.whole);
    return this.#hosts.has(read.name) || this.#hosts.has(read.whole);
  }

  /** Only browsers send `Origin`; a request without one passes. `null`, an empty value and what is neither listed nor loopback do not. */
  allowsOrigin(origin: string | undefined): boolean {
    if (origin === undefined || this.listsOrigin(origin)) return true;
    const read = readHost(ORIGIN, origin.toLowerCase());
    return read !== undefined && LOOPBACK_NAMES.includes(read.name);
  }

  /** True for an origin that the operator has listed, so that its pages may read the answers. */
  listsOrigin(origin: string): boolean {
    return this.#origins.has(origin.toLowerCase());
  }
}

interface ReadHost {
  readonly name: string;
  /** With the port, if there is one. */
  readonly whole: string;
}

function readHost(form: RegExp, text: string): ReadHost | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, name = '', port] = match;
  if (Number(port ?? 0) > LAST_PORT) return undefined;
  return { name, whole: port === undefined ? name : `${name}:${port}` };
}

/** True for a `Host` of which an address can be made. The form alone lets through 999.999.999.999 and [::::]. */
export function isAddress(host: string): boolean {
  return readHost(HOST, host.toLowerCase()) !== undefined && URL.canParse(`http://${host}`);
}

/** True for what can stand in a list of hosts: a name as a client sends it, with or without a port. */
export function isHostName(entry: unknown): entry is string {
  if (typeof entry !== 'string') return false;
  const name = readHost(HOST, entry.toLowerCase())?.name;
  if (name === undefined || /:0\d*$/.test(entry.slice(name.length)) || !URL.canParse(`http://${entry}`)) return false;
  return name.startsWith('[') ? isIPv6(name.slice(1, -1)) : /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name);
}

/** True for an origin exactly as a browser sends it: a scheme, a host, and a port unless it is the scheme's own. */
export function isOrigin(entry: unknown): entry is string {
  if (typeof entry !== 'string' || !ANY_ORIGIN.test(entry) || !URL.canParse(entry)) return false;
  const { origin, protocol, host } = new URL(entry);
  return (origin === 'null' ? `${protocol}//${host}` : origin) === entry;
}
