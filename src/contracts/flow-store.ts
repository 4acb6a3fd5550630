/** How one round of a call ended, as it was answered. */
export type RoundOutcome =
  { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/**
 * Remembers calls that ask the client, so that a round which is delivered twice has one effect: the first delivery runs, a repeat gets
 * its outcome. In memory by default; processes that share one share that promise.
 */
export interface FlowStore {
  /** True for the first delivery of a round; a repeat gets false, and then waits for the outcome. */
  claim(flow: string, round: number): Promise<boolean>;
  /** Ends a round, for those who wait for it and those who come later. */
  settle(flow: string, round: number, outcome: RoundOutcome): Promise<void>;
  /** Gives a claimed round up without an outcome: the next delivery runs it again. */
  release(flow: string, round: number): Promise<void>;
  /** The outcome of a round that another delivery claimed; undefined when it was given up, and then it can be claimed. */
  outcome(flow: string, round: number): Promise<RoundOutcome | undefined>;
  /** The results of `once` that are known of a flow. */
  effects(flow: string): Promise<Readonly<Record<string, unknown>>>;
  /** Keeps the result of one `once`, as soon as it is there. */
  keepEffect(flow: string, key: string, value: unknown): Promise<void>;
}

/** Provide a {@link FlowStore} under this token, in any module, to have it used instead of the one in memory. */
export const FLOW_STORE = Symbol.for('perch-mcp:FLOW_STORE');
