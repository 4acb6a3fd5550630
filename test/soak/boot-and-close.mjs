// Starts and closes an application as often as it is told, and tells its parent what the process held before, early on, and at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { whatIsHeld } from './answer-parent.mjs';
import { create } from './application.mjs';

const [count, transports] = [Number(process.argv[2]), process.argv[3].split(',')];
const folder = mkdtempSync(join(tmpdir(), 'perch-cycles-'));

async function cycle() {
  const app = await create();
  const socketPath = join(folder, 'private', 'mcp.sock');
  const stdio = { input: new PassThrough(), output: new PassThrough() };
  await app.listen({ transports, port: 0, stdio, ...(transports.includes('uds') ? { socketPath } : {}) });
  await app.close();
}

const start = await whatIsHeld();
// What is loaded at the first start stays.
for (let each = 0; each < 10; each += 1) await cycle();
const early = await whatIsHeld();
for (let each = 10; each < count; each += 1) await cycle();
const late = await whatIsHeld();
rmSync(folder, { recursive: true, force: true });
process.send({ start, early, late, signals: process.listenerCount('SIGTERM') + process.listenerCount('SIGINT') });
