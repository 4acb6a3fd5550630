/** Bounds that keep one caller from taking the server away from the others. The README's table lists them. */
export interface Limits {
  /** Milliseconds one call may take, unless the tool says otherwise. Default 120,000. */
  readonly callTimeoutMs: number;
  /** Milliseconds that running calls are given at shutdown before they are aborted. Default 10,000. */
  readonly graceMs: number;
  /** Bytes of one message: an HTTP body, or a line on stdio. Default 4 MiB. */
  readonly messageBytes: number;
  /** Levels of nesting in arguments and other params. Default 64. */
  readonly depth: number;
  /** Array elements and object members in one call's arguments, as many in the rest of its params, and elements of a batch. Default 10,000. */
  readonly elements: number;
  /** Elements of one JSON-RPC batch: together they are one answer, which is held in memory until the last of them is done. Default 100. */
  readonly batchElements: number;
  /** Requests of one stream, or of one batch over HTTP, that run at once; above it the next waits, and reading with it. Default 100. */
  readonly streamCalls: number;
  /** Bytes of answers that the client of a stream may leave waiting; above it, nothing more is read from it. Default 64 MiB. */
  readonly streamBytes: number;
  /** Legacy HTTP sessions at once; above it, new ones get 503. Default 1,000. */
  readonly sessions: number;
  /** Requests that HTTP answers at once; above it, others get 503 with `Retry-After`. Streams that stay open do not count. Default 1,000. */
  readonly httpCalls: number;
  /** Milliseconds after which a modern HTTP call that has sent nothing is answered as an event stream, if its client takes one. Default 1,000. */
  readonly silentMs: number;
  /** Bytes that may wait for an HTTP client that does not read its event stream, which is then closed. Default 16 MiB. */
  readonly unreadBytes: number;
  /** Resources one legacy client may subscribe to. Default 1,024. */
  readonly subscriptions: number;
  /** Entries on one page of a list. Default 100. */
  readonly listPage: number;
  /** Milliseconds after which an unused legacy HTTP session ends. Default 30 minutes. */
  readonly sessionIdleMs: number;
  /** Events that one legacy HTTP session can have sent again, where `listen` is told to keep them. Default 1,000. */
  readonly replayEvents: number;
  /** Milliseconds for which an event can be sent again. Default 5 minutes. */
  readonly replayMs: number;
  /** Bytes of events kept for all sessions together; the session that keeps most loses its oldest. Default 64 MiB. */
  readonly replayBytes: number;
  /** Milliseconds the client is given to answer a question. The call timeout stands still meanwhile. Default 10 minutes. */
  readonly askMs: number;
  /** Rounds of questions in one call, and repeats of one that was answered wrongly. Default 10. */
  readonly askRounds: number;
  /** Calls whose rounds are remembered at once; the oldest is forgotten first. Default 10,000. */
  readonly flows: number;
  /** Milliseconds a call with open questions is remembered, and its sealed state is valid. Default 10 minutes. */
  readonly flowMs: number;
  /** Milliseconds one lifecycle hook may take. Default 10,000. */
  readonly hookMs: number;
  /** Milliseconds a `TokenVerifier` is given for one token. Default 10,000. */
  readonly verifyMs: number;
  /** Milliseconds a `@HealthIndicator()` is given for one check. Default 5,000. */
  readonly healthMs: number;
}

/** What holds unless `McpFactory.create(Module, { limits })` says otherwise. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  callTimeoutMs: 120_000,
  graceMs: 10_000,
  messageBytes: 4 * 1024 * 1024,
  depth: 64,
  elements: 10_000,
  batchElements: 100,
  streamCalls: 100,
  streamBytes: 64 * 1024 * 1024,
  sessions: 1_000,
  httpCalls: 1_000,
  silentMs: 1_000,
  unreadBytes: 16 * 1024 * 1024,
  subscriptions: 1_024,
  listPage: 100,
  sessionIdleMs: 30 * 60_000,
  replayEvents: 1_000,
  replayMs: 5 * 60_000,
  replayBytes: 64 * 1024 * 1024,
  askMs: 10 * 60_000,
  askRounds: 10,
  flows: 10_000,
  flowMs: 10 * 60_000,
  hookMs: 10_000,
  verifyMs: 10_000,
  healthMs: 5_000,
});

/** What a timer can wait, in milliseconds; one that is set to longer ends at once. */
export const LONGEST_MS = 2 ** 31 - 1;

/** True for a number that a limit or a timeout may have. */
export function isLimit(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= LONGEST_MS;
}
