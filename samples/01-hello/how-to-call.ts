import type { McpApplication } from 'perch-mcp';

/** What `npm start` prints below the address: what the server offers, and one command for each era that can be pasted into a shell. */
export function howToCall(app: McpApplication): string {
  const tools = app.tools.list().map(({ name, description }) => `  ${name}: ${description ?? ''}`);
  const url = app.handles.find(({ mode }) => mode === 'http')?.url;
  const commands =
    url === undefined
      ? []
      : ['', '2026-07-28, one call:', callModern(url), '', '2025-11-25, the first message of a session:', initializeLegacy(url)];
  return `${['Tools:', ...tools, ...commands].join('\n')}\n`;
}

function callModern(url: string): string {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'greet', arguments: { name: 'Ada' }, _meta: meta } };
  return curl(url, ['MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: greet'], body);
}

function initializeLegacy(url: string): string {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'curl', version: '1.0.0' } };
  return curl(url, [], { jsonrpc: '2.0', id: 1, method: 'initialize', params });
}

function curl(url: string, headers: readonly string[], body: object): string {
  const all = ['Content-Type: application/json', 'Accept: application/json, text/event-stream', ...headers];
  return [`curl -i ${url}`, ...all.map((header) => `-H '${header}'`), `-d '${JSON.stringify(body)}'`].join(' ');
}
