// Every bench, one after the other. Fails when one of them does, and still runs the others.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const benches = Object.keys(scripts).filter((name) => name.startsWith('bench:'));
const failed = benches.filter((name) => {
  console.log(`\n== npm run ${name}`);
  return spawnSync('npm', ['run', '--silent', name], { stdio: 'inherit' }).status !== 0;
});
console.log(failed.length === 0 ? '\nEvery bench is within its bounds.' : `\nMissed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
