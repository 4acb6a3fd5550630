const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;
const ORIGIN = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;

const LAST_PORT = 65_535;

/** The names by which a browser can reach this machine itself, on any port. */
export const LOOPBACK_NAMES: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '[::1]']);

/**
 * Says whether a request was meant for this server, so that a web page cannot reach it by pointing a name of its own at the loopback
 * address (specification: Security Warning of the Streamable HTTP transport). Both headers are compared exactly, letter case aside.
 */
export class HostGate {
  readonly #names: ReadonlySet<string>;

  constructor(names: readonly string[] = LOOPBACK_NAMES) {
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  /** A request without `Host`, or with one that is not exactly a listed name and an optional port, is not meant for us. */
  allowsHost(host: string | undefined): boolean {
    return host !== undefined && this.#lists(HOST.exec(host));
  }

  /** Only browsers send `Origin`; a request without one passes. `null`, an empty value and other schemes do not. */
  allowsOrigin(origin: string | undefined): boolean {
    return origin === undefined || this.#lists(ORIGIN.exec(origin));
  }

  #lists(match: RegExpExecArray | null): boolean {
    if (match === null) return false;
    const [, name = '', port = '0'] = match;
    return Number(port) <= LAST_PORT && this.#names.has(name.toLowerCase());
  }
}
