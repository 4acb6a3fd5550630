import type { ModuleMetadata } from '../contracts/provider';
import { updateRecord } from './metadata';

/** Declares a module: its providers, the modules whose exports they may inject, and what importers of this one may inject. */
export function Module(metadata: ModuleMetadata = {}): ClassDecorator {
  const frozen = Object.freeze({ ...metadata });
  return (target) => {
    updateRecord(target, (own) => ({ ...own, module: frozen }));
  };
}

/** Makes the exports of a module visible in every module, without an import. */
export function Global(): ClassDecorator {
  return (target) => {
    updateRecord(target, (own) => ({ ...own, isGlobal: true }));
  };
}
