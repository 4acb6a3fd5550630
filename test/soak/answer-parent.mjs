import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const warnings = [];
process.on('warning', ({ name }) => warnings.push(name));

/** Tells the parent, if there is one, that the server is ready, and then on request what its process holds. */
export function answerParent({ counts = {}, url } = {}) {
  if (process.send === undefined) return;
  process.on('message', async () => process.send({ state: { ...counts, ...(await whatIsHeld()) } }));
  // The channel is no reason to run on.
  process.channel.unref();
  process.send({ ready: true, url });
}

/** Heap and descriptors once garbage is collected, listeners of the process, what keeps the event loop busy, and warnings. */
export async function whatIsHeld() {
  // Finalizers run between collections, and a handle that was closed is counted until timers have run.
  for (let pass = 0; pass < 3; pass += 1) {
    globalThis.gc?.();
    await pause(10);
  }
  return {
    heap: process.memoryUsage().heapUsed,
    rss: process.memoryUsage().rss,
    descriptors: readdirSync('/proc/self/fd').length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    resources: tally(process.getActiveResourcesInfo()),
    warnings,
  };
}

/** How many of each, in an order of its own. */
export function tally(names) {
  const counts = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
