import type { InputOf, SchemaSource } from './schema-source';

/** A question to the person at the client (specification: Elicitation, form mode). */
export interface Question<S extends SchemaSource = SchemaSource> {
  readonly message: string;
  /** A flat object of strings, numbers, booleans and choices; anything deeper is refused before it is sent. */
  readonly schema: S;
}

/** The checked answer to a question. */
export type AnswerOf<S extends SchemaSource> = InputOf<S>;

/** What to ask the client's model (specification: Sampling). */
export interface SampleParams {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: unknown }[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What the client's model answered. */
export interface SampleResult {
  readonly role: 'user' | 'assistant';
  readonly content: unknown;
  readonly model: string;
  readonly stopReason?: string;
}

/** A place the client lets the server work in (specification: Roots). */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/** Asks the client, from inside a handler. */
export interface Asking {
  /**
   * Asks the person at the client. In the legacy era it waits for the answer; in the modern era the handler runs again from its start once
   * the answer is there, so do nothing before it that must not be repeated, or do it in `once`. A wrong answer is asked again.
   * Rejects with `InputDeclined` when the person says no, and with a `ToolError` or -32021 when the client cannot ask.
   *
   * @param key names the question within this call; the same key is the same question
   */
  ask<S extends SchemaSource>(key: string, question: Question<S>): Promise<AnswerOf<S>>;
  /** Asks the client's model, as `ask` asks the person. */
  sample(key: string, params: SampleParams): Promise<SampleResult>;
  /** Asks the client for its roots, as `ask` asks the person. */
  roots(key: string): Promise<readonly Root[]>;
  /**
   * Runs `effect` and keeps its result for the later rounds of this call, which get it without running it again. The result travels as
   * JSON, sealed. An effect that throws is not kept. This does not promise more: a first request sent twice is two calls; a crash
   * between an effect and its record; processes that share neither key nor record.
   */
  once<T>(key: string, effect: () => T | Promise<T>): Promise<T>;
}
