// Weak in family E: what a handler throws is what its caller reads.
import { setTimeout as pause } from 'node:timers/promises';
import { createRequire } from 'node:module';
import { serveWeak } from './weak-application.mjs';

const { ToolError } = createRequire(import.meta.url)('perch-mcp');
await serveWeak({
  wait: ({ text, ms }) => pause(ms, text),
  echo: ({ text }) => text,
  fail: () => {
    const { stack } = new Error(`planted-secret ${import.meta.url}`);
    throw new ToolError(stack);
  },
});
