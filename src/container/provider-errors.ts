import { describeToken } from '../contracts/type';

/** `get`, `resolve` or `select` was asked for something that no module, or not this module, has. */
export class UnknownElementError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnknownElementError';
  }

  static provider(token: unknown): UnknownElementError {
    return new UnknownElementError(
      `Could not find the ${describeToken(token)} element (this provider does not exist in the current context).`,
    );
  }

  static module(type: unknown): UnknownElementError {
    return new UnknownElementError(`Could not select the given module (${describeToken(type)} does not exist in the current context).`);
  }
}

/** `get` was asked for a provider that has no single instance; `resolve` builds one. */
export class ScopedProviderError extends Error {
  constructor(token: unknown) {
    const name = describeToken(token);
    super(
      `${name} is marked as a scoped provider. Request and transient-scoped providers can't be used in combination with "get()" method. ` +
        'Please, use "resolve()" instead.',
    );
    this.name = 'ScopedProviderError';
  }
}

/** An instance was asked for before it was built, or outside of the operation it belongs to. */
export class NotBuiltError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotBuiltError';
  }
}
