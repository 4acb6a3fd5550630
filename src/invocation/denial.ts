import { ToolError } from '../errors/tool-error';

// Looked up by identity: what an author throws may be a proxy that answers `instanceof` by throwing.
const denials = new WeakSet<object>();
const hidden = new WeakSet<object>();
const worded = new WeakSet<object>();

/** Marks what a guard denies an operation with, whatever class it is of. */
export function denial<E extends Error>(error: E): E {
  denials.add(error);
  return error;
}

/** True for an error that a guard denied with: to some operations the thing they ask for then does not exist. */
export function isDenial(error: unknown): boolean {
  return denials.has(error as object);
}

/** Marks a protocol error that a guard denied with: its caller gets it as it is, and the audit knows it for a denial. */
export function wordedDenial<E extends Error>(error: E): E {
  worded.add(error);
  return error;
}

/** True for whatever a guard denied with. */
export function isFromGuard(error: unknown): boolean {
  return denials.has(error as object) || worded.has(error as object);
}

/** An entry that its caller may not know of. It is answered exactly like one that does not exist, and no filter sees it. */
export class HiddenEntry extends ToolError {
  constructor() {
    super('Not found');
    denials.add(this);
    hidden.add(this);
  }
}

/** True for a {@link HiddenEntry}. */
export function isHidden(error: unknown): boolean {
  return hidden.has(error as object);
}
