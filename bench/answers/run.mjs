// Asks a served application for what must be answered soon: a list of 1,000 tools (C9), and URIs made to trouble templates (A28).
// npm run bench:answers [-- rounds]
import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { performance } from 'node:perf_hooks';
import 'reflect-metadata';
import { jsonSchema, McpFactory, Module } from 'perch-mcp';

const ROUNDS = Number(process.argv[2] ?? 51);
const MOST_MS = 50;
const ENVELOPE = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

function makeRoot() {
  class Root {}
  Module({})(Root);
  return Root;
}

async function serve() {
  const app = await McpFactory.create(makeRoot(), { name: 'bench', version: '1.0.0', logger: false, limits: { listPage: 1_000 } });
  const input = jsonSchema({ type: 'object', properties: { a: { type: 'string', description: 'A text' }, b: { type: 'integer' } } });
  for (let index = 0; index < 1_000; index += 1)
    app.tools.register({ name: `tool-${index}`, description: `The tool with number ${index}`, input, execute: () => '' });
  for (const uri of ['ids:{/id*}', 'tags://x{?tags*}', 'path://{+path}']) app.resources.register({ uri, name: uri, read: () => '' });
  const stdio = { input: new PassThrough(), output: new PassThrough() };
  await app.listen({ transports: ['stdio', 'http'], port: 0, stdio, shutdownHooks: false });
  return { app, url: app.handles.find(({ mode }) => mode === 'http').url, stdio };
}

function overStream({ input, output }) {
  const waiting = [];
  createInterface({ input: output }).on('line', (line) => waiting.shift()(line));
  return async (method, params) => {
    const answered = new Promise((resolve) => waiting.push(resolve));
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: waiting.length, method, params })}\n`);
    return answered;
  };
}

function overHttp(url) {
  return async (method, params) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const named = params.uri === undefined ? {} : { 'mcp-name': params.uri };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } });
    return new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        { method: 'POST', headers: { ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named } },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8').on('data', (chunk) => (text += chunk));
          incoming.on('end', () => resolve(text));
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  };
}

async function timesOf(ask) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(ROUNDS / 2)], fastest: times[0] };
}

const { app, url, stdio } = await serve();
const [stream, http] = [overStream(stdio), overHttp(url)];
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };
await stream('initialize', initialize);
// A header takes no 100 kB, so over HTTP the URIs are as long as one may be.
const LONG = { stream: 100_000, http: 8_000 };
const rows = [
  ['tools/list, 1,000 tools', 'stdio 2025-11-25', () => stream('tools/list', {})],
  ['tools/list, 1,000 tools', 'HTTP 2026-07-28', () => http('tools/list', {})],
  ...[
    ['{/id*}', (length) => `ids:${'/b'.repeat(length / 2)}?`],
    ['{?tags*}', (length) => `tags://y?${'tags=1&'.repeat(length / 7)}`],
    ['{+path}', (length) => `path:/${'a/'.repeat(length / 2)}`],
  ].flatMap(([template, uri]) => [
    [`resources/read against ${template}`, 'stdio 2025-11-25', () => stream('resources/read', { uri: uri(LONG.stream) })],
    [`resources/read against ${template}`, 'HTTP 2026-07-28', () => http('resources/read', { uri: uri(LONG.http) })],
  ]),
];

console.log(`Node ${process.version}, medians of ${ROUNDS} requests\n`);
console.log('| request | door | median | fastest |');
console.log('|---|---|---|---|');
// By door: a connection that idles while the other is asked is closed.
for (const [what, door, ask] of rows.sort(([, a], [, b]) => b.localeCompare(a))) {
  const { median, fastest } = await timesOf(ask);
  if (median >= MOST_MS) process.exitCode = 1;
  console.log(`| ${what} | ${door} | ${median.toFixed(1)} ms | ${fastest.toFixed(1)} ms |`);
}
await app.close();
