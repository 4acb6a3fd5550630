import { ToolError } from '../errors/tool-error';

const denials = new WeakSet<Error>();

/** Marks what a guard denies an operation with, whatever class it is of. */
export function denial<E extends Error>(error: E): E {
  denials.add(error);
  return error;
}

/** True for an error that a guard denied with: to some operations the thing they ask for then does not exist. */
export function isDenial(error: unknown): boolean {
  return error instanceof Error && denials.has(error);
}

/** An entry that its caller may not know of. It is answered exactly like one that does not exist, and no filter sees it. */
export class HiddenEntry extends ToolError {
  constructor() {
    super('Not found');
    denials.add(this);
  }
}
