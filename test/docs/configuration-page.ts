// The code of docs/configuration.md.
import { resolveBindHost, resolveTransports, validateBindAuth } from 'perch-mcp';

export function lookAhead(): string {
  // #region resolve
  const sources = { options: { transports: ['http'] }, argv: ['--host=127.0.0.2'], env: {} } as const;
  validateBindAuth(sources); // throws where other machines could reach it and nobody is asked for a token
  const summary = `${resolveTransports(sources).join()} on ${resolveBindHost(sources)}`; // http on 127.0.0.2
  // #endregion resolve
  return summary;
}
