import type { TransportKind } from './mcp-context';

/** An open door. `app.handles` lists them. */
export interface TransportHandle {
  readonly mode: TransportKind;
  /** Host and port of HTTP. */
  readonly host?: string;
  readonly port?: number;
  /** The address clients connect to, such as `http://127.0.0.1:3000/mcp`. */
  readonly url?: string;
  readonly socketPath?: string;
  /** Takes nothing new: requests that have come in go on, later ones find the door closed. */
  stopAccepting(): void;
  /** Resolves when every request that came in has been answered. Streams that stay open by design do not count. */
  whenAnswered(): Promise<void>;
  /** Closes what is left, after what was written has left the process. Idempotent. */
  close(): Promise<void>;
}
