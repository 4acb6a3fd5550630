import type { McpApplication } from 'perch-mcp';
import { tokenFile } from './own-places';

/** Commands for the doors that are open, to be pasted into a shell. The token is not printed: the shell takes it from where it stands. */
export function howToCall(app: McpApplication, env: NodeJS.ProcessEnv): string {
  const [http, socket] = [app.handles.find(({ mode }) => mode === 'http'), app.handles.find(({ mode }) => mode === 'uds')];
  const socketPath = socket?.socketPath ?? '';
  const token = env['PERCH_AUTH_TOKEN'] === undefined ? `$(cat '${tokenFile(socketPath)}')` : '$PERCH_AUTH_TOKEN';
  // On a socket, HTTP has no port, and clients name this machine.
  const base = http?.url === undefined ? `--unix-socket '${http?.socketPath ?? ''}' http://localhost` : new URL(http.url).origin;
  const lines = [
    ['HTTP', `curl -s ${base}/mcp ${headers(token)} -d '${message('tide')}'`],
    ['Unix socket', `node -e '${SOCKET_CLIENT}' '${socketPath}' '${message('tide')}'`],
    ['Health', `curl -s -i ${base}/health/ready`],
    [
      'Unplug the gauge, over the socket only, and look at its health again',
      `node -e '${SOCKET_CLIENT}' '${socketPath}' '${message('unplug_gauge')}'`,
    ],
  ];
  return lines.map(([title = '', command = '']) => `\n${title}:\n${command}\n`).join('');
}

/** Asks once: it keeps its side open until it has the answer, since who ends it has left. */
const SOCKET_CLIENT = [
  'const s = require("net").connect(process.argv[1]);',
  's.write(process.argv[2] + "\\n");',
  's.on("data", (d) => { process.stdout.write(d); if (d.includes(10)) s.end(); });',
].join(' ');

function message(tool: string): string {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {}, _meta: meta } });
}

function headers(token: string): string {
  const all = [
    `'Content-Type: application/json'`,
    `'Accept: application/json, text/event-stream'`,
    `'MCP-Protocol-Version: 2026-07-28'`,
    `'Mcp-Method: tools/call'`,
    `'Mcp-Name: tide'`,
    `"Authorization: Bearer ${token}"`,
  ];
  return all.map((header) => `-H ${header}`).join(' ');
}
