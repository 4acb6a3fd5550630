/** How sessions of the legacy era are kept over HTTP. */
export interface SessionOptions {
  /**
   * Keeps what each session is sent for a while (`limits.replayEvents`, `replayMs`, `replayBytes`), so that a client whose stream broke off,
   * or was ended by `context.http.closeStream()`, comes back with `Last-Event-ID` and gets the rest. In memory: it ends with the process.
   * Default false.
   */
  readonly replay?: boolean;
  /** With `replay`: the milliseconds after which clients are asked to come back. Default 1,000. */
  readonly retryMs?: number;
}
