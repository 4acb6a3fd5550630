import type { Type } from '../contracts/type';
import type { SetupProblem } from '../errors/setup-error';
import { ModuleGraph } from './module-graph';
import { ModuleNode, type ModuleDefinition } from './module-node';
import { badImport, badRoot, rejectedImport, unreached, type ListEntry } from './module-problems';
import { isThenable, ModuleRegistration } from './module-registration';
import { readModule, readRootModule, type ModuleFlaw } from './read-module';
import type { ScanOptions } from './scan-options';
import { ProviderScan } from './scan-providers';

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

interface Visit {
  readonly module: ModuleNode;
  /** What led here. */
  readonly entry: unknown;
  /** False where a module that was visited is visited again, through another reference. */
  readonly isFirst: boolean;
  next: number;
}

class ModuleScan {
  readonly #problems: SetupProblem[] = [];
  readonly #registration: ModuleRegistration;
  readonly #visited = new Set<ModuleNode>();
  /** Providers that stand in `imports`, until it is known whether a module provides them. */
  readonly #misplaced: { readonly place: ListEntry; readonly type: Type }[] = [];

  constructor(private readonly options: ScanOptions) {
    this.#registration = new ModuleRegistration(options.overrides);
  }

  /**
   * Each entry is followed once. A module may stand behind several, such as two forward references to it: then the second leads on from
   * there too, before the walk is back at the first. A promise leads on again and again, but never round in a circle of promises.
   */
  async walk(root: unknown): Promise<void> {
    const definition = await this.#readRoot(root);
    if (definition === undefined) return;
    const followed = new Set<unknown>([definition.identity]);
    const open = [this.#visit(root, await this.#registration.add(definition))];
    for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
      const { imports } = visit.module.definition;
      const index = visit.next;
      visit.next += 1;
      if (index >= imports.length) {
        open.pop();
        continue;
      }
      const entry = imports[index];
      const isFollowed = followed.has(entry) && !(isThenable(entry) && leadsOn(entry, open));
      if (!visit.isFirst && isFollowed) continue;
      const imported = await this.#import(visit, index);
      if (imported === undefined) continue;
      // In the order of the list: a second visit may be ahead of the first.
      if (visit.isFirst) visit.module.imports.add(imported);
      if (isFollowed) continue;
      followed.add(entry);
      if (isThenable(entry)) followed.add(imported.definition.identity);
      open.push(this.#visit(entry, imported));
    }
  }

  finish(): ScanResult {
    const { modules, globals } = this.#registration;
    const core = new ModuleNode(coreDefinition(this.options.globals), 'PerchCoreModule');
    const providers = new ProviderScan(this.options);
    for (const module of modules) providers.read(module);
    providers.readCore(core);
    for (const module of modules) providers.readExports(module);
    for (const { place, type } of this.#misplaced) {
      this.#problems.push(providers.provides(type) ? badImport(place, 'provider', type) : unreached(place, type));
    }
    return { graph: new ModuleGraph({ modules, globals, core }), problems: [...this.#problems, ...providers.problems] };
  }

  #visit(entry: unknown, module: ModuleNode): Visit {
    const isFirst = !this.#visited.has(module);
    this.#visited.add(module);
    return { module, entry, isFirst, next: 0 };
  }

  async #readRoot(root: unknown): Promise<ModuleDefinition | undefined> {
    let settled: unknown;
    let cause: unknown;
    try {
      settled = await this.#registration.settle(root);
    } catch (error) {
      cause = error;
    }
    const definition = readRootModule(this.options.overrides.moduleFor(settled) ?? settled);
    if (typeof definition !== 'string') return definition;
    this.#problems.push({ ...badRoot(definition, settled), ...(cause === undefined ? {} : { cause }) });
    return undefined;
  }

  async #import({ module, isFirst }: Visit, index: number): Promise<ModuleNode | undefined> {
    const place: ListEntry = { list: 'imports', index, module: module.name };
    const entry = module.definition.imports[index];
    let settled = entry;
    try {
      // Most entries are classes; the walk awaits only what has to be.
      if (typeof entry !== 'function' && this.#registration.find(entry) === undefined) settled = await this.#registration.settle(entry);
    } catch (cause) {
      if (isFirst) this.#problems.push(rejectedImport(place, cause));
      return undefined;
    }
    const replaced = this.options.overrides.moduleFor(settled) ?? settled;
    const known = this.#registration.find(replaced);
    if (known !== undefined) return known;
    const definition = readModule(replaced);
    if (typeof definition !== 'string') return this.#registration.add(definition);
    if (isFirst) this.#refuse(place, definition, replaced);
    return undefined;
  }

  #refuse(place: ListEntry, flaw: ModuleFlaw, entry: unknown): void {
    if (flaw === 'provider') this.#misplaced.push({ place, type: entry as Type });
    else this.#problems.push(badImport(place, flaw, entry));
  }
}

/** True while the module behind a promise is being visited, and something else than promises has led from there back to it. */
function leadsOn(promise: unknown, open: readonly Visit[]): boolean {
  const above = open.slice(open.findLastIndex(({ entry }) => entry === promise) + 1);
  return above.length < open.length && above.some(({ entry }) => !isThenable(entry));
}

function coreDefinition(globals: readonly unknown[]): ModuleDefinition {
  class PerchCoreModule {}
  return { type: PerchCoreModule, identity: PerchCoreModule, isGlobal: true, imports: [], providers: globals, exports: [] };
}
