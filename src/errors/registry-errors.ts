import { brand } from './brand';
import { ErrorCode, McpError } from './mcp-error';

/** What a registry keeps; the first word of its messages. */
export type RegisteredKind = 'Tool' | 'Resource' | 'Prompt' | 'Engine';

/** A second registration under a name that is taken. */
export class DuplicateRegistrationError extends Error {
  constructor(
    readonly kind: RegisteredKind,
    readonly key: string,
  ) {
    super(`${kind} already registered: "${key}"`);
    this.name = 'DuplicateRegistrationError';
  }
}
brand(DuplicateRegistrationError);

/** A call to a tool that no registry knows, or that its caller may not see. On the wire: -32602, as the specification asks. */
export class ToolNotFoundError extends McpError {
  constructor(readonly tool: string) {
    super(ErrorCode.InvalidParams, `Unknown tool: "${printable(tool)}"`);
    this.name = 'ToolNotFoundError';
  }
}
brand(ToolNotFoundError);

/** A read of a URI that nothing answers, or that its caller may not read. On the wire: -32602 with the URI, as the specification asks. */
export class ResourceNotFoundError extends McpError {
  constructor(readonly uri: string) {
    super(ErrorCode.InvalidParams, `Unknown resource: "${printable(uri)}"`, { uri });
    this.name = 'ResourceNotFoundError';
  }
}
brand(ResourceNotFoundError);

/** A prompt that no registry knows, or that its caller may not get. On the wire: -32602, as the specification asks. */
export class PromptNotFoundError extends McpError {
  constructor(readonly prompt: string) {
    super(ErrorCode.InvalidParams, `Unknown prompt: "${printable(prompt)}"`);
    this.name = 'PromptNotFoundError';
  }
}
brand(PromptNotFoundError);

/** Text from a caller, fit for a message: control and formatting characters escaped, at most 100 characters. */
export function printable(text: string): string {
  const cut = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return cut.replace(/[\p{C}\u2028\u2029"\\]/gu, (character) =>
    character === '"' || character === '\\' ? `\\${character}` : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
