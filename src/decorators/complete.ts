import type { Completer } from '../contracts/resource';
import { declareHandler } from './declare-handler';

/** Fits a method that takes the value and gives strings. */
export type CompleteDecorator = <T extends object, M extends Completer>(
  target: T extends Function ? never : T,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/**
 * Suggests values for an argument while a user types: `(value, context, others) => string[]`, on a method of a class with prompts or
 * resource templates. It serves every prompt and template of its class that has an argument of that name; `others` holds the arguments
 * that the client knows already. At most 100 values are sent. The guards of the prompt or template stand before it too.
 */
export function Complete(argument: string): CompleteDecorator {
  return declareHandler({
    word: `@Complete('${argument}')`,
    classMethod: undefined,
    declare: (place) => ({ kind: 'completer', ...place, options: Object.freeze({ argument }) }),
  });
}
