import type { DynamicModule, ModuleMetadata } from '../contracts/provider';
import { isClass, type Type } from '../contracts/type';
import { isDeclaredProvider, recordChain } from '../decorators/metadata';
import type { ModuleDefinition } from './module-node';

/** Why an entry is not a module. `provider` is a class that belongs into `providers`. */
export type ModuleFlaw = 'undefined' | 'provider' | 'nothing';

/** Reads what stands in `imports`, after promises and forward references were followed. */
export function readModule(entry: unknown): ModuleDefinition | ModuleFlaw {
  if (entry === undefined) return 'undefined';
  if (isClass(entry)) return readStaticModule(entry);
  if (!isDynamicModule(entry)) return 'nothing';
  const own = staticMetadata(entry.module);
  return {
    type: entry.module,
    identity: entry,
    isGlobal: entry.global === true || isGlobal(entry.module),
    imports: [...list(own?.imports), ...list(entry.imports)],
    providers: [...list(own?.providers), ...list(entry.providers)],
    exports: [...list(own?.exports), ...list(entry.exports)],
  };
}

/** Reads the root, which may also be the bare argument of `@Module()`. */
export function readRootModule(entry: unknown): ModuleDefinition | ModuleFlaw {
  const isBare = typeof entry === 'object' && entry !== null && !('module' in entry) && !Array.isArray(entry);
  // A class of its own for each call: the root is the same module only to itself.
  return readModule(isBare ? { ...entry, module: class RootModule {} } : entry);
}

/** True for a class with `@Module()`, or one that inherits it. */
export function isModuleClass(type: unknown): type is Type {
  return isClass(type) && staticMetadata(type) !== undefined;
}

/** True for `{ module: SomeModule, … }`. */
export function isDynamicModule(entry: unknown): entry is DynamicModule {
  return typeof entry === 'object' && entry !== null && 'module' in entry && isClass(entry.module);
}

function readStaticModule(type: Type): ModuleDefinition | ModuleFlaw {
  const metadata = staticMetadata(type);
  if (metadata === undefined) return isDeclaredProvider(type) ? 'provider' : 'nothing';
  const { imports, providers, exports } = metadata;
  return { type, identity: type, isGlobal: isGlobal(type), imports: list(imports), providers: list(providers), exports: list(exports) };
}

function staticMetadata(type: Type): ModuleMetadata | undefined {
  return recordChain(type).find((record) => record.module !== undefined)?.module;
}

function isGlobal(type: Type): boolean {
  return recordChain(type).some((record) => record.isGlobal === true);
}

/** The entries of a list that may be absent. Whatever else an untyped caller wrote there is one entry, and refused as such. */
export function list(entries: readonly unknown[] | undefined): readonly unknown[] {
  return entries === undefined || Array.isArray(entries) ? (entries ?? []) : [entries];
}
