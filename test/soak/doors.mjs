import { connect } from 'node:net';
import { Child } from './child.mjs';
import { modernQuestion } from './http-client.mjs';
import { Random } from './random.mjs';

const HOSTS = [
  'evil.example',
  'evil.example:80',
  'localhost.evil.com',
  'evil.example@localhost',
  'localhost.',
  '0.0.0.0',
  '',
  '127.0.0.1.evil.com',
  '[::2]',
];
const ORIGINS = [
  'http://evil.example',
  'null',
  'http://localhost.evil.com',
  'file://',
  '',
  'http://localhost, http://evil.example',
  'localhost',
  'http://evil.example@localhost.evil.com',
];
const METHODS = ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT', 'HEAD'];
const PATHS = ['/mcp', '/', '/health/live', '/health/ready', '/MCP'];
const GOOD_HOST = 'localhost';

/** Requests with a foreign Origin everywhere, and with a foreign Host to MCP: every one is refused, and none is let read the answer. */
export async function doors({ count, seed, program }) {
  const child = await Child.start({ program, transports: ['http'] });
  const random = new Random(seed);
  const faults = [];
  try {
    for (let each = 0; each < count && faults.length < 20; each += 1) {
      const isOrigin = random.chance(0.5);
      const [method, path] = [random.pick(METHODS), isOrigin ? random.pick(PATHS) : '/mcp'];
      const headers = isOrigin ? { host: GOOD_HOST, origin: random.pick(ORIGINS) } : { host: random.pick(HOSTS) };
      const answer = await askRaw(child.url, { method, path, headers });
      const fault = faultOf(answer);
      if (fault !== undefined) faults.push(`${method} ${path} with ${JSON.stringify(headers)}: ${fault}`);
    }
    const good = await askRaw(child.url, { method: 'POST', path: '/mcp', headers: { host: GOOD_HOST, origin: 'http://localhost:1234' } });
    if (!good.startsWith('HTTP/1.1 200 ')) faults.push(`a good request was answered ${good.slice(0, 100)}`);
    return { faults, measured: { requests: count, let: faults.length } };
  } finally {
    await child.stop();
  }
}

function faultOf(answer) {
  if (!/^HTTP\/1\.1 40[03] /.test(answer)) return `answered ${answer.slice(0, 30)}`;
  return /^access-control-/im.test(answer) ? 'a header for other origins' : undefined;
}

function askRaw(url, { method, path, headers }) {
  const { hostname, port } = new URL(url);
  const question = modernQuestion('tools/list', {}, 1);
  const all = { ...question.headers, ...headers, 'content-length': Buffer.byteLength(question.body), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${String(value)}`);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    socket.on('error', () => undefined).on('close', () => resolve(text));
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${question.body}`);
  });
}
