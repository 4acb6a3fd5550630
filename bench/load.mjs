// Modern calls over HTTP, sixteen at a time, on connections that stay open.
import { Buffer } from 'node:buffer';
import { Agent, request } from 'node:http';

const CONCURRENCY = 16;
const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'document.summarize.0',
    arguments: { text: 'What this document says is short.' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    },
  },
});
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'content-length': Buffer.byteLength(BODY),
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'document.summarize.0',
};

/** Makes this many calls; each must be answered with the summary. */
export async function load(url, calls) {
  const caller = async () => {
    for (let each = 0; each < calls / CONCURRENCY; each += 1) {
      const text = await call(url);
      if (!text.includes('{\\"summary\\":\\"What this')) throw new Error(text);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, caller));
}

export const endLoad = () => agent.destroy();

function call(url) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers: HEADERS }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      incoming.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    outgoing.end(BODY);
  });
}
