import type { InjectionToken } from '../contracts/type';
import type { ModuleNode } from './module-node';
import type { Overrides } from './overrides';

/** What a scan needs besides the root. */
export interface ScanOptions {
  /** Entries of the core module, which every module sees. */
  readonly globals: readonly unknown[];
  /** Entries that every module gets besides its own. */
  readonly builtIns: (module: ModuleNode) => readonly unknown[];
  /** Tokens that may repeat in one module, such as `APP_GUARD`, and whose providers may become request-scoped by themselves. */
  readonly enhancerTokens: ReadonlySet<InjectionToken>;
  readonly overrides: Overrides;
}
