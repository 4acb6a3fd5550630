import type { Engine as EngineContract } from '../contracts/engine';
import { declareHandler } from './declare-handler';
import { mustBeKnown } from './known-options';
import type { EngineOptions } from './metadata';

/** The contract of an engine: an id and `execute(context)`. Shares its name with the decorator. */
export type Engine = EngineContract;

const OPTIONS: Readonly<Record<keyof EngineOptions, true>> = Object.freeze({
  id: true,
  name: true,
  description: true,
  version: true,
  input: true,
  output: true,
  annotations: true,
  timeoutMs: true,
});

/**
 * Marks a class that has `execute(context)` as an engine, which `EngineModule.forRoot()` presents as a tool. Nothing else about the
 * class changes: its id, name, description and version are read off the instance, and an option that contradicts them stops the boot.
 *
 * A string that `execute` returns is sent as JSON like any other result; a thrown error is answered with its own message unless
 * `EngineModule.forRoot({ exposeErrors: false })` hides it. Engines are singletons.
 */
export function Engine(
  options: EngineOptions = {},
): <T extends abstract new (...args: never[]) => Pick<Engine, 'execute'>>(target: T) => void {
  mustBeKnown('@Engine()', options, OPTIONS);
  return declareHandler({
    word: '@Engine()',
    classMethod: 'execute',
    isForMethods: false,
    declare: (place) => ({ kind: 'engine', ...place, options: Object.freeze({ ...options }) }),
  });
}
