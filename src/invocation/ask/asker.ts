import type { AnswerOf, Asking, Question, Root, SampleParams, SampleResult } from '../../contracts/asking';
import type { SchemaSource } from '../../contracts/schema-source';
import type { Effects } from './effects';
import type { Inquiries, Inquiry } from './questions';

/** What a handler asks with. How a question reaches the client is the era's business. */
export abstract class Asker implements Asking {
  readonly #asked = new Map<string, Promise<unknown>>();

  constructor(
    private readonly inquiries: Inquiries,
    protected readonly effects: Effects,
  ) {}

  ask<S extends SchemaSource>(key: string, question: Question<S>): Promise<AnswerOf<S>> {
    return this.#inquire(key, () => this.inquiries.ask(key, question)) as Promise<AnswerOf<S>>;
  }

  sample(key: string, params: SampleParams): Promise<SampleResult> {
    return this.#inquire(key, () => this.inquiries.sample(key, params)) as Promise<SampleResult>;
  }

  roots(key: string): Promise<readonly Root[]> {
    return this.#inquire(key, () => this.inquiries.roots(key)) as Promise<readonly Root[]>;
  }

  once<T>(key: string, effect: () => T | Promise<T>): Promise<T> {
    return this.effects.run(key, effect) as Promise<T>;
  }

  /** True when what was asked decides how the request is answered, and not what the handler made of it. */
  get decides(): boolean {
    return false;
  }

  /** Resolves when every question has been dealt with and every effect has ended, also those that the handler did not wait for. */
  async settled(): Promise<void> {
    if (this.#asked.size > 0) await Promise.allSettled([...this.#asked.values()]);
    await this.effects.settled();
  }

  /** Puts one question to the client. */
  protected abstract put(inquiry: Inquiry): Promise<unknown>;

  #inquire(key: string, inquiry: () => Inquiry): Promise<unknown> {
    const known = this.#asked.get(key);
    if (known !== undefined) return known;
    const asked = (async () => this.put(inquiry()))();
    // A question that is awaited late, or never, must not end the process as an unhandled rejection.
    asked.catch(() => undefined);
    this.#asked.set(key, asked);
    return asked;
  }
}
