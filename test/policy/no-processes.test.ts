import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** How a program would start another one. */
const STARTS = /['"](?:node:)?(?:child_process|cluster|worker_threads)['"]|\bprocess\.binding\b/;

const SOURCES = path.join(__dirname, '../../src');

function sources(): readonly string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
}

test('D32: nothing in the package starts a process or a shell, so no name, argument or variable ever reaches one', () => {
  const files = sources();
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => STARTS.test(readFileSync(path.join(SOURCES, file), 'utf8')))).toEqual([]);
});

test('D32: a file that did would be noticed', () => {
  expect(STARTS.test(`import { exec } from 'node:child_process';`)).toBe(true);
  expect(STARTS.test(`const { fork } = require("cluster");`)).toBe(true);
});
