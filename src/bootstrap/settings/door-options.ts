import type { TokenVerifier } from '../../contracts/token-verifier';

/** The transports, by the name under which `listen` opens them. */
export const TRANSPORTS = Object.freeze(['stdio', 'uds', 'http'] as const);

/** A transport that `listen` can open. */
export type TransportName = (typeof TRANSPORTS)[number];

/** The options of `listen` that say what is opened where, and who may enter. docs/configuration.md has their flags and variables. */
export interface DoorOptions {
  /** What is opened; default `['stdio']`. `'sse'` is taken as `'http'`, with a warning. */
  readonly transports?: readonly (TransportName | 'sse')[];
  /** One transport; the same as `transports` with that one. Both are refused unless they say the same. */
  readonly mode?: TransportName | 'sse';
  /** The address HTTP binds; default `127.0.0.1`. One that other machines can reach is refused without a token or a verifier. */
  readonly host?: string;
  /** Another name of `host`. Both are refused unless they say the same. */
  readonly bindAddress?: string;
  /** The port of HTTP; default 3000, and 0 takes a free one. */
  readonly port?: number;
  /** The path of the Unix socket that the transport `uds` listens on. */
  readonly socketPath?: string;
  /** The path of a Unix socket that HTTP listens on, in the place of host and port. Besides one of them it is refused. */
  readonly httpSocketPath?: string;
  /**
   * A token that every request over HTTP must bring (`Authorization: Bearer …`); default `PERCH_AUTH_TOKEN`. Whoever has it is the principal
   * `{ id: 'token', scopes: [] }`, which no `@Scopes()` and no `@Roles()` lets in. Never a flag: other users of a machine can read those.
   */
  readonly authToken?: string;
  /** Says whom a token belongs to, over HTTP; in the place of a `TokenVerifier` that a module provides. */
  readonly verifier?: TokenVerifier;
}

/** Where a setting may be said, in the order in which it is looked for: options, flags of the command line, environment. */
export interface SettingSources {
  /** Default `{}`. */
  readonly options?: DoorOptions | undefined;
  /** Default `process.argv` from its third word on. */
  readonly argv?: readonly string[] | undefined;
  /** Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}
