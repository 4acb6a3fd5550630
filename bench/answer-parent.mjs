// Serves an application to the bench that started this process: tells it the address, then on request the microseconds of CPU time it has
// used, or those of calls in process.
const CONCURRENCY = 16;

const microseconds = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** The application has one tool, `document.summarize.0`. */
export async function answerParent(app) {
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false });
  process.on('message', async ({ inside }) => {
    const before = microseconds();
    if (inside !== undefined) await callInside(app, inside);
    process.send({ used: microseconds(), inside: microseconds() - before });
  });
  process.on('disconnect', () => process.exit(0));
  process.send({ url: app.handles[0].url });
}

async function callInside(app, calls) {
  const caller = async () => {
    for (let each = 0; each < calls / CONCURRENCY; each += 1) {
      const { content } = await app.tools.call('document.summarize.0', { text: 'What this document says is short.' });
      if (content[0].text.length !== 47) throw new Error('another answer');
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, caller));
}
