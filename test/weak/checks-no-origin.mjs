// Weak in family D: an HTTP server that answers whoever asks, as node:http does by itself.
import { createServer } from 'node:http';
import { answerParent } from '../soak/answer-parent.mjs';

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': request.headers.origin ?? '*' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'entered' }] } }));
});
server.listen(0, '127.0.0.1', () => answerParent({ url: `http://127.0.0.1:${String(server.address().port)}/mcp` }));
