import { ToolError } from '../errors/tool-error';

/** Arguments that the input schema refuses, with what is wrong with them, for the model to read. */
export class InvalidInput extends ToolError {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
