/** A JSON-RPC id as MCP allows it. `null` stands in answers to messages whose id could not be read. */
export type MessageId = string | number;

/** An error answer, ready to be written. */
export interface ErrorAnswer {
  readonly jsonrpc: '2.0';
  readonly id: MessageId | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Makes an error answer. `id` is null when the message had none that could be read. */
export function errorAnswer(id: MessageId | null, code: number, message: string): ErrorAnswer {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** True for a JSON object, which arrays and null are not. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** MCP ids are strings and integers (specification: Requests); a number that JavaScript cannot hold exactly would not come back as it was. */
export function isMessageId(value: unknown): value is MessageId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
