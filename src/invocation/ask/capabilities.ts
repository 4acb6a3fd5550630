import type { ClientCapabilities } from '../../contracts/client-channel';
import type { Inquiry } from './questions';

/** The name of the capability that a question takes and the client has not declared; undefined when it may be asked. */
export function missingCapability({ requires }: Inquiry, declared: ClientCapabilities | undefined): string | undefined {
  return Object.keys(requires).find((name) => !declares(declared?.[name], name));
}

/** Elicitation without a mode is the form; a client that only opens URLs shows none (specification: Elicitation, Capabilities). */
function declares(capability: unknown, name: string): boolean {
  if (typeof capability !== 'object' || capability === null) return false;
  return name !== 'elicitation' || 'form' in capability || Object.keys(capability).length === 0;
}
