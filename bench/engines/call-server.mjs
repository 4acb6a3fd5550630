// Serves one tool or one engine. Tells its parent the address, then on request the microseconds of CPU time it has used, or calls in process.
import { create } from './classes.mjs';

const CONCURRENCY = 16;
const [kind, withInput] = [process.argv[2], process.argv[3] === 'true'];
const app = await create(kind, 1, withInput);
await app.listen({ transports: ['http'], port: 0, shutdownHooks: false });

const microseconds = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

async function callInside(calls) {
  const caller = async () => {
    for (let each = 0; each < calls / CONCURRENCY; each += 1) {
      const { content } = await app.tools.call('document.summarize.0', { text: 'What this document says is short.' });
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
