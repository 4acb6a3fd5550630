import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { errorAnswer, type MessageId } from '../../protocol/json-rpc';

const HEADER_MISMATCH = -32_020;
const NAMES = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Param'];

/** The SDK's handler, but for its words about a header that does not repeat the body: those repeat the header, whatever stands in it. */
export function withoutEchoes({ fetch }: Pick<McpHttpHandler, 'fetch'>): Pick<McpHttpHandler, 'fetch'> {
  return {
    fetch: async (request, options) => {
      const response = await fetch(request, options);
      return response.status === 400 ? inOwnWords(response) : response;
    },
  };
}

async function inOwnWords(response: Response): Promise<Response> {
  const text = await response.text();
  const { id, error } = JSON.parse(text) as {
    readonly id?: MessageId;
    readonly error?: { readonly code: number; readonly message: string };
  };
  const { status, headers } = response;
  if (error?.code !== HEADER_MISMATCH) return new Response(text, { status, headers });
  const name = NAMES.find((each) => error.message.includes(each)) ?? 'request';
  return Response.json(errorAnswer(id ?? null, HEADER_MISMATCH, `Header mismatch: the ${name} header must repeat what the body says`), {
    status,
  });
}
