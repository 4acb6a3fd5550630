import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Real processes run what users run: dist and the compiled samples, built once before any test. */
export default function buildBeforeTests(): void {
  const { status } = spawnSync(process.execPath, [join(__dirname, '../../scripts/build.mjs'), '--if-needed'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed; no test was run.');
}
