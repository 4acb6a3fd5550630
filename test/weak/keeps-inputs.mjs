// Weak in family C: every call leaves something behind.
import { serveWeak } from './weak-application.mjs';

const kept = [];
await serveWeak({
  echo: ({ text }) => {
    kept.push(Array.from({ length: 100 }, () => `${text} ${String(kept.length)}`));
    return text;
  },
});
