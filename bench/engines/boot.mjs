// Boots tools or engines once. Prints the milliseconds from the root module to the end of the start hooks.
import { performance } from 'node:perf_hooks';
import { makeModule, perch } from './classes.mjs';

const [kind, count, withInput] = [process.argv[2], Number(process.argv[3]), process.argv[4] === 'true'];
const root = makeModule(kind, count, withInput);
const start = performance.now();
const app = await perch.McpFactory.create(root, { name: 'bench', version: '1.0.0', logger: false });
await app.init();
const boot = performance.now() - start;
if (app.tools.list().length !== count) throw new Error('Not every class is a tool.');
console.log(JSON.stringify({ boot }));
await app.close();
