import 'reflect-metadata';
import { createRequire } from 'node:module';
import { answerParent } from '../soak/answer-parent.mjs';

const { jsonSchema, McpFactory, Module } = createRequire(import.meta.url)('perch-mcp');
const { SOAK_TRANSPORTS = 'stdio', SOAK_SOCKET } = process.env;
const INPUT = { type: 'object', properties: { text: { type: 'string' }, ms: { type: 'integer' }, times: { type: 'integer' } } };

/** Serves tools that are given as functions, for servers that are weak in one way. */
export async function serveWeak(tools, listenOptions = {}) {
  class WeakModule {}
  Module({})(WeakModule);
  const app = await McpFactory.create(WeakModule, { name: 'weak', version: '1.0.0', logger: false });
  for (const [name, execute] of Object.entries(tools)) app.tools.register({ name, description: name, input: jsonSchema(INPUT), execute });
  const transports = SOAK_TRANSPORTS.split(',');
  await app.listen({ transports, port: 0, ...(transports.includes('uds') ? { socketPath: SOAK_SOCKET } : {}), ...listenOptions });
  answerParent({ url: app.handles.find(({ mode }) => mode === 'http')?.url });
}
