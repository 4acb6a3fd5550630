// npm start: builds what is missing or stale, then serves samples/01-hello. Over HTTP, unless an argument or the environment says otherwise.
// npm prints its banner on stdout; a client that speaks stdio runs `npm start --silent -- --transport stdio`, or this file itself.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from './build.mjs';

const SAMPLE = '../.build/samples/01-hello/main.js';

function hasTransport(args, environment) {
  const asked = args.some((each) => each === '--transport' || each.startsWith('--transport='));
  return asked || [environment.PERCH_TRANSPORT, environment.SOX_MCP_TRANSPORT].some((each) => each !== undefined && each !== '');
}

function start() {
  try {
    buildIfNeeded();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
    return;
  }
  const args = process.argv.slice(2);
  if (!hasTransport(args, process.env)) args.push('--transport', 'http');
  const sample = fileURLToPath(new URL(SAMPLE, import.meta.url));
  // The sample runs in this very process, so that a signal or the end of stdin reaches it and nothing stands between.
  process.argv = [process.argv[0], sample, ...args];
  createRequire(import.meta.url)(sample);
}

start();
