import type { AnswerOf, Asking, Question, Root, SampleParams, SampleResult } from './asking';
import type { LoggingLevel } from './client-channel';
import type { PolicyQuestions } from './policy-questions';
import type { Principal } from './principal';
import type { SchemaSource } from './schema-source';

/** The protocol generation of a request: `legacy` is 2024-10-07 to 2025-11-25, `modern` is 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** Which door a request came in by. `memory` is `app.tools.call()` and the like. */
export type TransportKind = 'stdio' | 'uds' | 'http' | 'memory';

/** What the client says of itself. Not verified: it is for display and logs, never for a decision. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
}

/** What a handler can do with the HTTP exchange it answers. */
export interface HttpContext {
  /**
   * Ends the response stream of this request now, so that long work holds no connection open; the client comes back for the rest, which
   * is kept for it meanwhile. It does something where `listen` is given `sessions: { replay: true }` and the client speaks 2025-11-25;
   * everywhere else the stream stays open.
   */
  closeStream(): void;
}

/**
 * What a handler can know about the operation it serves; the second argument of every handler.
 *
 * An abstract class and not an interface, so that it can stand in decorated signatures and serve as an injection token.
 */
export abstract class McpContext implements Asking, PolicyQuestions {
  /** The JSON-RPC id of the request, or a fresh string for a call in process. */
  abstract readonly requestId: string | number;
  abstract readonly era: Era;
  /** The revision spoken, such as `2026-07-28`. */
  abstract readonly protocolVersion: string;
  abstract readonly transport: TransportKind;
  /** Absent when the client gave no name. */
  abstract readonly client: ClientInfo | undefined;
  /** The id of the legacy HTTP session; absent everywhere else. */
  abstract readonly session: string | undefined;
  /** Whom a verifier found the caller to be; absent where nobody was asked for a token. */
  abstract readonly principal: Principal | undefined;
  /** Aborts when the client cancels, the call times out or the server shuts down. */
  abstract readonly signal: AbortSignal;
  /** Over HTTP, what belongs to HTTP. */
  abstract readonly http: HttpContext | undefined;
  /** The request's `_meta` without the protocol's own keys. Never absent. */
  abstract readonly meta: Readonly<Record<string, unknown>>;

  /**
   * Tells the client how far the work is, if it asked to be told; otherwise does nothing. `progress` has to grow: what
   * does not is not sent. Resolves when the message has left, and never rejects.
   */
  abstract progress(progress: number, options?: { readonly total?: number; readonly message?: string }): Promise<void>;
  /**
   * Sends a log message to the client: in the legacy era from the level on that it set, in the modern era only if the request names one.
   * Never rejects. For the operator's log use a `LoggerService`.
   */
  abstract log(level: LoggingLevel, data: unknown, logger?: string): Promise<void>;

  /** Whether a policy is in force; the four questions below are answered yes where it is not. */
  abstract readonly enforced: boolean;
  abstract allowsFsRead(path: string): boolean;
  abstract allowsFsWrite(path: string): boolean;
  abstract allowsNetwork(hostOrUrl: string): boolean;
  abstract allowsSocket(path: string): boolean;

  abstract ask<S extends SchemaSource>(key: string, question: Question<S>): Promise<AnswerOf<S>>;
  abstract sample(key: string, params: SampleParams): Promise<SampleResult>;
  abstract roots(key: string): Promise<readonly Root[]>;
  abstract once<T>(key: string, effect: () => T | Promise<T>): Promise<T>;
}
