import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const page = readFileSync(path.join(root, 'docs/dependencies.md'), 'utf8');
const { dependencies, peerDependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The packages named in the first column of the table under a heading. */
function listedUnder(heading: string): string[] {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')).sort();
}

test.each([
  ['At run time', Object.keys(dependencies)],
  ['Peers', Object.keys(peerDependencies)],
  ['For development', Object.keys(devDependencies).filter((name) => !(name in peerDependencies))],
])('docs/dependencies.md lists what package.json has: %s', (heading, names) => {
  expect(listedUnder(heading)).toEqual(names.sort());
});
