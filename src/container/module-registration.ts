import { isForwardReference } from '../contracts/type';
import { ModuleNode, type ModuleDefinition } from './module-node';
import type { Overrides } from './overrides';
import { isDynamicModule, list, readModule } from './read-module';
import { followReference } from './read-token';

// A promise or reference that leads to itself would never end.
const MAX_REFERENCES = 16;

/**
 * The modules of a scan, in NestJS's order: what a dynamic module object imports is registered with it, side by side, before anything
 * walks further; what the class of a module imports is registered when the walk comes to it.
 */
export class ModuleRegistration {
  readonly #modules = new Map<unknown, ModuleNode>();
  readonly #globals: ModuleNode[] = [];
  /** A reference is followed once, so that `forwardRef(() => X.forRoot())` is one module. */
  readonly #references = new Map<object, unknown>();

  constructor(private readonly overrides: Overrides) {}

  get modules(): readonly ModuleNode[] {
    return [...this.#modules.values()];
  }

  /** A global module counts once what its own object imports is registered, so that the innermost comes first. */
  get globals(): readonly ModuleNode[] {
    return this.#globals;
  }

  /** The module of a class or dynamic module object, where it is registered. */
  find(entry: unknown): ModuleNode | undefined {
    return this.#modules.get(entry);
  }

  async add(definition: ModuleDefinition): Promise<ModuleNode> {
    const module = new ModuleNode(definition, definition.type.name || 'an anonymous module');
    this.#modules.set(definition.identity, module);
    await this.#addObjectImports(definition);
    if (module.isGlobal) this.#globals.push(module);
    return module;
  }

  /** What an entry of `imports` stands for, behind promises and forward references. Rejects as a promise in it does. */
  async settle(entry: unknown): Promise<unknown> {
    let settled = entry;
    for (let step = 0; step < MAX_REFERENCES; step += 1) {
      // Also what is there already takes a turn: of modules side by side, the one that had to wait for fewer things comes first.
      settled = isThenable(settled) ? await settled : (await Promise.resolve(), settled);
      if (!isForwardReference(settled)) break;
      settled = this.#follow(settled);
    }
    return settled;
  }

  // The turns of these three are NestJS's as well, and decide which of two modules side by side is the first global one.
  async #addObjectImports({ identity }: ModuleDefinition): Promise<void> {
    if (isDynamicModule(identity)) await this.#addAll(identity.imports);
  }

  async #addAll(entries: readonly unknown[] | undefined): Promise<void> {
    if (entries !== undefined) await Promise.allSettled(list(entries).map((each) => this.#addIfModule(each)));
  }

  /** What is no module, or a promise that rejects, is refused where the walk comes to it. */
  async #addIfModule(entry: unknown): Promise<void> {
    const settled = await this.settle(entry);
    const replaced = this.overrides.moduleFor(settled) ?? settled;
    const definition = this.#modules.has(replaced) ? undefined : readModule(replaced);
    if (typeof definition === 'object') await this.add(definition);
  }

  #follow(reference: { forwardRef(): unknown }): unknown {
    if (!this.#references.has(reference)) this.#references.set(reference, followReference(reference));
    return this.#references.get(reference);
  }
}

/** True for what `imports` may hold as a promise; a dynamic module object is none, whatever else it has. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && !isDynamicModule(value) && 'then' in value && typeof value.then === 'function';
}
