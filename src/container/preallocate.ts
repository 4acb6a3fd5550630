import type { Type } from '../contracts/type';

/** An instance of a class whose constructor has not run: what a `forwardRef()` hands out before its target can be built. */
export function preallocate(type: Type): object {
  return Object.create(type.prototype as object) as object;
}

/** Moves what the constructor set into the instance that was handed out before, so that both sides of a circle see one object. */
export function complete(early: object, built: object): object {
  Object.defineProperties(early, Object.getOwnPropertyDescriptors(built));
  return early;
}
