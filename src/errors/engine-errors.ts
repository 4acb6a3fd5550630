import { brand } from './brand';
import { printable } from './registry-errors';
import { ToolError } from './tool-error';

/** What was registered as an engine is none, or its class and its `@Engine()` say different things. */
export class InvalidEngineError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InvalidEngineError';
  }
}
brand(InvalidEngineError);

/** A call to an engine that the registry does not have. */
export class EngineNotFoundError extends Error {
  constructor(readonly engine: string) {
    super(`Unknown engine: "${printable(engine)}"`);
    this.name = 'EngineNotFoundError';
  }
}
brand(EngineNotFoundError);

/** An engine requires what its provider cannot do. Thrown before the engine is entered; clients are told the text. */
export class MissingCapabilityError extends ToolError {
  constructor(
    readonly engine: string,
    readonly capability: string,
  ) {
    super(`Engine "${printable(engine)}" requires the capability "${printable(capability)}", which its provider does not have`);
    this.name = 'MissingCapabilityError';
  }
}
brand(MissingCapabilityError);
