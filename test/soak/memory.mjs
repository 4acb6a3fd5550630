import { readFileSync } from 'node:fs';

const PAGE = 4096;
const MIB = 2 ** 20;

/** The resident memory of a process, looked at now and then. */
export function memoryOf(pid) {
  const seen = [];
  return {
    look() {
      try {
        seen.push((Number(readFileSync(`/proc/${String(pid)}/statm`, 'utf8').split(' ')[1]) * PAGE) / MIB);
      } catch {
        // It has ended, which others say.
      }
    },
    get most() {
      return Math.round(Math.max(0, ...seen));
    },
    /** What is wrong with a process that may hold so many MiB. */
    faults(limit) {
      return this.most > limit ? [`${String(this.most)} MiB resident, over ${String(limit)}`] : [];
    },
  };
}
