/** The eight levels of a log message to the client, least important first (specification: Logging). */
export type LoggingLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** What the client said it can do. */
export type ClientCapabilities = Readonly<Record<string, unknown>>;

/** The way back to the client that sent a request, while it is being served. */
export interface ClientChannel {
  readonly capabilities: ClientCapabilities | undefined;
  /** Why nobody can be asked, whatever the client can do; undefined where requests reach it. */
  readonly cannotAsk?: string | undefined;
  /** Sends a notification that belongs to the request. A client that has gone is no error. */
  notify(method: string, params: Readonly<Record<string, unknown>>): Promise<void>;
  /** Sends a log message, if the client asked for its level. */
  log(level: LoggingLevel, data: unknown, logger?: string): Promise<void>;
  /** Legacy era only: sends a request to the client and waits for its result, at most `timeoutMs`. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<unknown>;
  /** Legacy HTTP with replay: ends the stream of this request, so that the client comes back for the rest. */
  readonly closeStream?: (() => void) | undefined;
}

/** What a modern client sends along when it answers questions. */
export interface RoundInput {
  readonly responses: Readonly<Record<string, unknown>>;
  /** The sealed state of the rounds before, as the client got it. */
  readonly state: string | undefined;
}
