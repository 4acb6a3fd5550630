// Serves one tool. Tells its parent the address, then on request the microseconds of CPU time it has used, or those of calls in process.
import { create } from './application.mjs';

const CONCURRENCY = 16;
const app = await create(process.argv[2]);
await app.listen({ transports: ['http'], port: 0, shutdownHooks: false });

const microseconds = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

async function callInside(calls) {
  const caller = async () => {
    for (let each = 0; each < calls / CONCURRENCY; each += 1) {
      const { content } = await app.tools.call('summarize', { text: 'What this document says is short.' });
      if (content[0].text.length !== 47) throw new Error('another answer');
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, caller));
}

process.on('message', async ({ inside }) => {
  const before = microseconds();
  if (inside !== undefined) await callInside(inside);
  process.send({ used: microseconds(), inside: microseconds() - before });
});
process.on('disconnect', () => process.exit(0));
process.send({ url: app.handles[0].url });
