/** The text of what was thrown: the message of an error, anything else as a string. Undefined where it cannot be read. */
export function thrownMessage(thrown: unknown): string | undefined {
  try {
    if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return String(thrown);
    return typeof thrown.message === 'string' ? thrown.message : undefined;
  } catch {
    return undefined;
  }
}
