// Weak in families C and F: what belongs to one call is kept where the next one finds it.
import { setTimeout as pause } from 'node:timers/promises';
import { serveWeak } from './weak-application.mjs';

const current = {};
const wait = async ({ text, ms }) => {
  current.text = text;
  await pause(ms);
  return current.text;
};
await serveWeak({ wait });
