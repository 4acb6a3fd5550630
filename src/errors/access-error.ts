import { brand } from './brand';
import { ToolError } from './tool-error';

const TEXTS = Object.freeze({
  denied: 'Access denied',
  missing: 'Not found',
  'too-large': 'Too large',
  unusable: 'Not of the kind that was asked for',
  timeout: 'Timed out',
  failed: 'The access failed',
});

/** Why a guarded access did not happen. `denied` says nothing about whether the thing exists. */
export type AccessFailure = keyof typeof TEXTS;

/**
 * What `GuardedFs` and `GuardedFetch` reject with. The model reads its message, so it names no path and no host, and a refusal is the same
 * for what exists and for what does not.
 */
export class AccessError extends ToolError {
  constructor(
    readonly failure: AccessFailure,
    options?: ErrorOptions,
  ) {
    super(TEXTS[failure], options);
    this.name = 'AccessError';
  }
}
brand(AccessError);
