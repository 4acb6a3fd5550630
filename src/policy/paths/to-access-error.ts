import { AccessError, type AccessFailure } from '../../errors/access-error';

const FAILURES: Readonly<Record<string, AccessFailure>> = Object.freeze({
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EACCES: 'denied',
  EPERM: 'denied',
  ELOOP: 'denied',
  EROFS: 'denied',
  EISDIR: 'unusable',
  ENXIO: 'unusable',
  EINVAL: 'unusable',
});

/** What the operating system said, in the words of a guarded access. Only what is no refusal keeps its cause, for the log. */
export function toAccessError(error: unknown): AccessError {
  if (error instanceof AccessError) return error;
  const failure = FAILURES[(error as NodeJS.ErrnoException).code ?? ''] ?? 'failed';
  return new AccessError(failure, failure === 'failed' ? { cause: error } : undefined);
}
