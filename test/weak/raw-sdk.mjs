// Weak in family A: the SDK's own stdio transport, with nothing in front of it.
import { createRequire } from 'node:module';
import { answerParent } from '../soak/answer-parent.mjs';

const require = createRequire(import.meta.url);
const { McpServer } = require('@modelcontextprotocol/server');
const { serveStdio } = require('@modelcontextprotocol/server/stdio');

serveStdio(() => {
  const server = new McpServer({ name: 'weak', version: '1.0.0' });
  server.registerTool('wait', { description: 'Answers' }, () => ({ content: [{ type: 'text', text: 'soon' }] }));
  return server;
});
answerParent();
