// npm start: builds what is missing or stale, then serves samples/01-hello. Over HTTP, unless an argument or the environment says otherwise.
//   npm start -- --sample 03-ask                another sample
// npm prints its banner on stdout; a client that speaks stdio runs `npm start --silent -- --transport stdio`, or this file itself.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from './build.mjs';

const FIRST = '01-hello';

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
  const at = args.indexOf('--sample');
  const [, name = ''] = at === -1 ? [undefined, FIRST] : args.splice(at, 2);
  const sample = fileURLToPath(new URL(`../.build/samples/${name}/main.js`, import.meta.url));
  if (!/^[\w-]+$/.test(name) || !existsSync(sample)) {
    console.error(`There is no samples/${name}`);
    process.exitCode = 1;
    return;
  }
  if (!hasTransport(args, process.env)) args.push('--transport', 'http');
  // The sample runs in this very process, so that a signal or the end of stdin reaches it and nothing stands between.
  process.argv = [process.argv[0], sample, ...args];
  createRequire(import.meta.url)(sample);
}

start();
