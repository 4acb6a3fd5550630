import type { TransportKind } from './mcp-context';

/** An open door. `app.handles` lists them. */
export interface TransportHandle {
  readonly mode: TransportKind;
  /** Host and port of HTTP, once it listens. */
  readonly host?: string;
  readonly port?: number;
  /** The address clients connect to, such as `http://127.0.0.1:3000/mcp`. */
  readonly url?: string;
  readonly socketPath?: string;
  /** Stops accepting: running calls go on, new ones find the door closed. */
  stopAccepting(): Promise<void>;
  /** Closes what is left. Called after running calls have ended or were aborted. Idempotent. */
  close(): Promise<void>;
}
