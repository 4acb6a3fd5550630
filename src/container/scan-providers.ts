import { isForwardReference, type InjectionToken, type Type } from '../contracts/type';
import { isDeclaredProvider } from '../decorators/metadata';
import type { SetupProblem } from '../errors/setup-error';
import type { ModuleNode } from './module-node';
import { badProvider, duplicateProvider, undefinedEntry, unknownExport, unreached, type ListEntry } from './module-problems';
import type { ProviderDefinition } from './provider-definition';
import { isDynamicModule } from './read-module';
import { CONTEXT_DEFINITION, classDefinition, readProvider } from './read-provider';
import { followReference, isToken } from './read-token';
import type { ScanOptions } from './scan-options';

/** Reads the `providers` and `exports` of modules into their nodes. */
export class ProviderScan {
  readonly problems: SetupProblem[] = [];
  readonly #provided = new Set<unknown>();
  /** Where the module that is being read has each token. */
  readonly #firstIndex = new Map<InjectionToken, number>();

  constructor(private readonly options: ScanOptions) {}

  /** The module class itself comes first, as NestJS has it: it can be injected inside its module. */
  read(module: ModuleNode): void {
    module.add(classDefinition(module.type));
    for (const entry of this.options.builtIns(module)) module.add(readProvider(entry) as ProviderDefinition);
    this.#firstIndex.clear();
    for (const [index, entry] of module.definition.providers.entries()) {
      const definition = this.#readEntry(entry);
      if (typeof definition === 'string')
        this.problems.push(badProvider({ list: 'providers', index, module: module.name }, definition, entry));
      else this.#add(module, definition, index);
    }
  }

  readCore(core: ModuleNode): void {
    core.add(CONTEXT_DEFINITION);
    for (const entry of core.definition.providers) core.add(readProvider(entry) as ProviderDefinition);
    for (const token of core.providers.keys()) core.exported.add(token);
  }

  /** Runs after every module was read. */
  readExports(module: ModuleNode): void {
    for (const [index, entry] of module.definition.exports.entries()) {
      const token = exportedToken(entry);
      const place: ListEntry = { list: 'exports', index, module: module.name };
      if (token === undefined) this.problems.push(undefinedEntry(place));
      else this.#export(module, token, place);
    }
  }

  /** True when a module provides the class, under whatever token. */
  provides(type: Type): boolean {
    return this.#provided.has(type);
  }

  #readEntry(entry: unknown): ReturnType<typeof readProvider> {
    const definition = readProvider(entry);
    const replacement = typeof definition === 'string' ? undefined : this.options.overrides.providerFor(definition.token);
    return replacement === undefined ? definition : readProvider(replacement);
  }

  #add(module: ModuleNode, definition: ProviderDefinition, index: number): void {
    const { token, recipe } = definition;
    const isEnhancer = this.options.enhancerTokens.has(token);
    const first = this.#firstIndex.get(token);
    this.#provided.add(token);
    if (recipe.kind === 'class' && recipe.type !== token) this.#provided.add(recipe.type);
    if (first !== undefined && !isEnhancer) {
      this.problems.push(duplicateProvider({ list: 'providers', index, module: module.name }, token, first));
      return;
    }
    this.#firstIndex.set(token, index);
    module.add(isEnhancer ? { ...definition, mayLift: true } : definition);
  }

  #export(module: ModuleNode, token: unknown, place: ListEntry): void {
    let isReexport = false;
    for (const each of module.imports) {
      if (each.type !== token) continue;
      isReexport = true;
      if (!module.reexported.includes(each)) module.reexported.push(each);
    }
    if (isReexport) return;
    // The class of a module is a provider inside it, but exporting it would say nothing.
    const isOwn = isToken(token) && module.providers.has(token) && token !== module.type;
    if (isOwn) module.exported.add(token);
    else if (isUnprovidedClass(token) && !this.provides(token)) this.problems.push(unreached(place, token));
    else this.problems.push(unknownExport(place, token));
  }
}

function isUnprovidedClass(token: unknown): token is Type {
  return typeof token === 'function' && isDeclaredProvider(token as Type);
}

function exportedToken(entry: unknown): unknown {
  const target = isForwardReference(entry) ? followReference(entry) : entry;
  if (isDynamicModule(target)) return target.module;
  return typeof target === 'object' && target !== null && 'provide' in target ? target.provide : target;
}
