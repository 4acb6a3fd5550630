import type { McpApplication } from 'perch-mcp';

/** A command that lists a folder over HTTP and can be pasted into the shell that set the token. The token itself is not printed. */
export function howToCall(app: McpApplication, env: NodeJS.ProcessEnv): string {
  const url = app.handles.find(({ mode }) => mode === 'http')?.url;
  if (url === undefined) return '';
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  const params = { name: 'list_folder', arguments: { path: process.cwd() }, _meta: meta };
  const headers = [
    `'Content-Type: application/json'`,
    `'Accept: application/json, text/event-stream'`,
    `'MCP-Protocol-Version: 2026-07-28'`,
    `'Mcp-Method: tools/call'`,
    `'Mcp-Name: list_folder'`,
    ...(env['PERCH_AUTH_TOKEN'] === undefined ? [] : ['"Authorization: Bearer $PERCH_AUTH_TOKEN"']),
  ];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return `Call it:\ncurl -s ${url} ${headers.map((header) => `-H ${header}`).join(' ')} -d '${body}'\n`;
}
