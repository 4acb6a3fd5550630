import { brand } from './brand';

/** The JSON-RPC and MCP error codes that Perch itself answers with (specification: Error Handling). */
export const ErrorCode = Object.freeze({
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  UnsupportedProtocolVersion: -32022,
});

/** A protocol error: the request is answered with a JSON-RPC error of exactly this code, message and data. */
export class McpError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'McpError';
  }
}
brand(McpError);
