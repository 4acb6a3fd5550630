// Weak in family B: a signal ends it, whatever runs.
import { setTimeout as pause } from 'node:timers/promises';
import { serveWeak } from './weak-application.mjs';

let entered = 0;
const wait = async ({ text, ms }) => {
  entered += 1;
  process.send({ entered });
  return pause(ms, text);
};
await serveWeak({ wait }, { shutdownHooks: false });
process.on('SIGTERM', () => process.exit(0));
