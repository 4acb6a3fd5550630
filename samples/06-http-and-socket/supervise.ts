import { parseArgs } from 'node:util';
import { Supervisor } from './supervisor';

const USAGE =
  'Usage: node supervise.js [--ready URL] [--every MS] [--start MS] [--down TIMES] [--restarts TIMES] [--within MS] [--grace MS] -- main.js …';

/**
 * Keeps a server running: starts it, asks its health, and starts it again when it has died or stays down.
 *
 * node supervise.js --ready http://127.0.0.1:3000/health/ready -- main.js --port 3000
 *
 * A signal is passed on, and the exit code is the server's. Too many restarts in a time end it with 1. Where systemd or Docker supervises
 * already, use that instead.
 */
function options(): ConstructorParameters<typeof Supervisor>[0] {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ready: { type: 'string', default: 'http://127.0.0.1:3000/health/ready' },
      every: { type: 'string', default: '1000' },
      start: { type: 'string', default: '30000' },
      down: { type: 'string', default: '5' },
      restarts: { type: 'string', default: '5' },
      within: { type: 'string', default: '60000' },
      grace: { type: 'string', default: '15000' },
    },
  });
  const { ready: readyUrl, every, start, down, restarts, within, grace } = values;
  const numbers = {
    everyMs: Number(every),
    startMs: Number(start),
    down: Number(down),
    restarts: Number(restarts),
    withinMs: Number(within),
    graceMs: Number(grace),
  };
  const isUsable =
    positionals.length > 0 && URL.canParse(readyUrl) && Object.values(numbers).every((each) => Number.isInteger(each) && each > 0);
  if (!isUsable) throw new Error(USAGE);
  return { command: positionals, readyUrl, ...numbers };
}

async function bootstrap(): Promise<void> {
  const supervisor = new Supervisor(options());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => supervisor.end(signal));
  process.exitCode = await supervisor.run();
}

bootstrap().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
