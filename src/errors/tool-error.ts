import { brand } from './brand';

/**
 * A failure that the model should read: the call is answered with `isError: true` and this message.
 * The message goes out as it is, so put nothing in it that the caller may not know.
 */
export class ToolError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolError';
  }
}
brand(ToolError);
