import type { ResourceDescription } from '../contracts/resource';
import type { SetupProblem } from '../errors/setup-error';
import { isTemplate, parseTemplate, TemplateFault } from './uri-template';

/** Who declares something, and where; for messages. */
export interface DeclaredPlace {
  readonly owner: string;
  readonly where: string;
}

// RFC 3986, 3.1. Nothing else is asked of a URI: what is registered is compared with what is read, character by character.
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** What is wrong with a resource's URI or name. */
export function problemOfResource(
  { uri, name }: Pick<ResourceDescription, 'uri' | 'name'>,
  { owner, where }: DeclaredPlace,
): SetupProblem | undefined {
  if (typeof name !== 'string' || name === '') {
    return {
      code: 'MCP_RESOURCE_URI',
      problem: `The resource "${uri}" of ${owner} has no name.`,
      where,
      fix: 'Give it a name for people to read: @McpResource({ uri, name }).',
    };
  }
  const flaw = flawOf(uri);
  if (flaw === undefined) return undefined;
  return {
    code: 'MCP_RESOURCE_URI',
    problem: `The URI ${typeof uri === 'string' ? JSON.stringify(uri) : String(uri)} of ${owner} cannot be used: ${flaw}.`,
    where,
    fix: 'Use a URI with a scheme, such as "notes://today", or a template of RFC 6570, such as "notes://{day}{?format}".',
  };
}

/** Equal for two resources that answer the same URIs: templates that differ in the names of their variables only do. */
export function sharedKeyOf(uri: string): string {
  if (typeof uri !== 'string' || !isTemplate(uri)) return uri;
  try {
    return parseTemplate(uri).shape;
  } catch {
    return uri;
  }
}

/** The variables of a template; none for a single resource, and for one that cannot be used. */
export function variablesIn(uri: string): readonly string[] {
  return flawOf(uri) === undefined && isTemplate(uri) ? parseTemplate(uri).variables : [];
}

function flawOf(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !SCHEME.test(uri)) return 'it does not begin with a scheme';
  if (!isTemplate(uri)) return uri.includes('}') ? 'its braces do not match' : undefined;
  try {
    parseTemplate(uri);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateFault) return error.message;
    throw error;
  }
}
