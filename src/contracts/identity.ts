import type { Icon } from './tool';

/** What the server says of itself, in `initialize` and in `server/discover` alike. */
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
  /** How to use the server, for the model. */
  readonly instructions?: string;
}
