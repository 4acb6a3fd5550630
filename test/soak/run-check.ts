import { execFile } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** What `npm run soak` printed, and whether it found no fault. */
export interface SoakRun {
  readonly isGood: boolean;
  readonly printed: string;
}

/** Runs `scripts/soak.mjs` as a user would, with these arguments. */
export function runCheck(...args: readonly string[]): Promise<SoakRun> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/soak.mjs', ...args], { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ isGood: error === null, printed: stdout + stderr });
    });
  });
}
