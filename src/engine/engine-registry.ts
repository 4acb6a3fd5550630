import type { EngineLike } from '../contracts/engine';
import type { Type } from '../contracts/type';
import { EngineNotFoundError } from '../errors/engine-errors';
import { DuplicateRegistrationError } from '../errors/registry-errors';
import { mustBeCapable } from './engine-call';
import { engineFacts, type EngineFacts } from './engine-facts';

/** Who shows the engines of a registry somewhere else. */
export interface EngineFollower {
  /** Called before the engine is kept; when it throws, the engine is not. */
  added(engine: EngineLike, facts: EngineFacts): void;
  removed(id: string): void;
}

/** An engine as it was when it was registered. */
interface Kept {
  readonly engine: EngineLike;
  readonly facts: EngineFacts;
}

/**
 * Engines by id, in the order of registration. In an application that imports `EngineModule.forRoot()`, an engine that is registered
 * or unregistered at run time appears among the tools, or leaves them, in the same step; a running call finishes.
 */
export class EngineRegistry {
  readonly #engines = new Map<string, Kept>();
  readonly #followers = new Set<EngineFollower>();

  /**
   * Keeps an engine; nothing of it runs. Throws `InvalidEngineError` for what is no engine, `DuplicateRegistrationError` when its id is
   * taken, and whatever keeps its tool from being registered; then nothing has changed. `type` is the class whose `@Engine()` counts, for
   * an object that stands in for one of that class.
   */
  register(engine: EngineLike, type?: Type): void {
    const facts = engineFacts(engine, type);
    if (this.#engines.has(facts.id)) throw new DuplicateRegistrationError('Engine', facts.id);
    this.#tell({ engine, facts });
    this.#engines.set(facts.id, { engine, facts });
  }

  /** Removes an engine; false when there is none under that id. */
  unregister(id: string): boolean {
    if (!this.#engines.delete(id)) return false;
    for (const follower of this.#followers) follower.removed(id);
    return true;
  }

  has(id: string): boolean {
    return this.#engines.has(id);
  }

  get(id: string): EngineLike | undefined {
    return this.#engines.get(id)?.engine;
  }

  /** The engines themselves. */
  list(): readonly EngineLike[] {
    return Array.from(this.#engines.values(), ({ engine }) => engine);
  }

  /**
   * Runs an engine with this context as it is, past guards and checks. Rejects with `EngineNotFoundError` for an unknown id, and with
   * `MissingCapabilityError` when `context.provider` lacks what the engine requires.
   */
  async execute(id: string, context: object): Promise<unknown> {
    const kept = this.#engines.get(id);
    if (kept === undefined) throw new EngineNotFoundError(id);
    const { engine, facts } = kept;
    mustBeCapable(facts, (context as { provider?: unknown }).provider);
    return (engine.execute as (context: object) => unknown)(context);
  }

  /** Tells `follower` of every change from now on; the result stops that. */
  follow(follower: EngineFollower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  #tell({ engine, facts }: Kept): void {
    const told: EngineFollower[] = [];
    try {
      for (const follower of this.#followers) {
        follower.added(engine, facts);
        told.push(follower);
      }
    } catch (error) {
      for (const follower of told) follower.removed(facts.id);
      throw error;
    }
  }
}
