import { isForwardReference, type Type } from '../contracts/type';
import type { SetupProblem } from '../errors/setup-error';
import { ModuleGraph } from './module-graph';
import { ModuleNode, type ModuleDefinition } from './module-node';
import { badImport, badRoot, rejectedImport, unreached, type ListEntry } from './module-problems';
import type { ScanOptions } from './scan-options';
import { ProviderScan } from './scan-providers';
import { followReference } from './read-token';
import { isDynamicModule, readModule, readRootModule, type ModuleFlaw } from './read-module';

/** The graph of an application and everything that is wrong with its lists. Links come later. */
export interface ScanResult {
  readonly graph: ModuleGraph;
  readonly problems: readonly SetupProblem[];
}

/** Walks the imports from the root, depth first as NestJS does, and reads the lists of every module it meets. */
export async function scanModules(root: unknown, options: ScanOptions): Promise<ScanResult> {
  const scan = new ModuleScan(options);
  await scan.walk(root);
  return scan.finish();
}

// A promise or reference that leads to itself would never end.
const MAX_REFERENCES = 16;

class ModuleScan {
  readonly #problems: SetupProblem[] = [];
  readonly #modules = new Map<unknown, ModuleNode>();
  /** A reference is followed once, so that `forwardRef(() => X.forRoot())` is one module. */
  readonly #references = new Map<object, unknown>();
  /** Providers that stand in `imports`, until it is known whether a module provides them. */
  readonly #misplaced: { readonly place: ListEntry; readonly type: Type }[] = [];

  constructor(private readonly options: ScanOptions) {}

  async walk(root: unknown): Promise<void> {
    const definition = await this.#readRoot(root);
    if (definition === undefined) return;
    const open = [{ module: this.#add(definition), next: 0 }];
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const index = frame.next;
      frame.next += 1;
      if (index >= frame.module.definition.imports.length) {
        open.pop();
        continue;
      }
      const found = await this.#import({ list: 'imports', index, module: frame.module.name }, frame.module.definition.imports[index]);
      if (found === undefined) continue;
      frame.module.imports.add(found.module);
      if (found.isNew) open.push({ module: found.module, next: 0 });
    }
  }

  finish(): ScanResult {
    const modules = [...this.#modules.values()];
    const core = new ModuleNode(coreDefinition(this.options.globals), 'PerchCoreModule');
    const providers = new ProviderScan(this.options);
    for (const module of modules) providers.read(module);
    providers.readCore(core);
    for (const module of modules) providers.readExports(module);
    for (const { place, type } of this.#misplaced) {
      this.#problems.push(providers.provides(type) ? badImport(place, 'provider', type) : unreached(place, type));
    }
    return { graph: new ModuleGraph(modules, core), problems: [...this.#problems, ...providers.problems] };
  }

  async #readRoot(root: unknown): Promise<ModuleDefinition | undefined> {
    let settled: unknown;
    let cause: unknown;
    try {
      settled = await this.#settle(root);
    } catch (error) {
      cause = error;
    }
    const definition = readRootModule(this.options.overrides.moduleFor(settled) ?? settled);
    if (typeof definition !== 'string') return definition;
    this.#problems.push({ ...badRoot(definition, settled), ...(cause === undefined ? {} : { cause }) });
    return undefined;
  }

  #add(definition: ModuleDefinition): ModuleNode {
    const module = new ModuleNode(definition, definition.type.name || 'an anonymous module');
    this.#modules.set(definition.identity, module);
    return module;
  }

  async #import(place: ListEntry, entry: unknown): Promise<{ module: ModuleNode; isNew: boolean } | undefined> {
    let settled = entry;
    try {
      // Most entries are classes; the walk awaits only what has to be.
      if (!this.#modules.has(entry)) settled = typeof entry === 'function' ? entry : await this.#settle(entry);
    } catch (cause) {
      this.#problems.push(rejectedImport(place, cause));
      return undefined;
    }
    const replaced = this.options.overrides.moduleFor(settled) ?? settled;
    const known = this.#modules.get(replaced);
    if (known !== undefined) return { module: known, isNew: false };
    const definition = readModule(replaced);
    if (typeof definition !== 'string') return { module: this.#add(definition), isNew: true };
    this.#refuse(place, definition, replaced);
    return undefined;
  }

  #refuse(place: ListEntry, flaw: ModuleFlaw, entry: unknown): void {
    if (flaw === 'provider') this.#misplaced.push({ place, type: entry as Type });
    else this.#problems.push(badImport(place, flaw, entry));
  }

  async #settle(entry: unknown): Promise<unknown> {
    let settled = entry;
    for (let step = 0; step < MAX_REFERENCES; step += 1) {
      if (isForwardReference(settled)) settled = this.#follow(settled);
      else if (isThenable(settled)) settled = await settled;
      else break;
    }
    return settled;
  }

  #follow(reference: { forwardRef(): unknown }): unknown {
    if (!this.#references.has(reference)) this.#references.set(reference, followReference(reference));
    return this.#references.get(reference);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && !isDynamicModule(value) && 'then' in value && typeof value.then === 'function';
}

function coreDefinition(globals: readonly unknown[]): ModuleDefinition {
  class PerchCoreModule {}
  return { type: PerchCoreModule, identity: PerchCoreModule, isGlobal: true, imports: [], providers: globals, exports: [] };
}
