import { bootCycles } from './boot-cycles.mjs';
import { connections } from './connections.mjs';
import { doors } from './doors.mjs';
import { faultRuns } from './faults.mjs';
import { fuzzHttp } from './fuzz-http.mjs';
import { fuzzStream } from './fuzz-stream.mjs';
import { heap } from './heap.mjs';
import { load } from './load.mjs';
import { sameIds } from './same-ids.mjs';
import { sessions } from './sessions.mjs';

const TRANSPORTS = ['stdio', 'uds', 'http'];

/**
 * Every check that counts: what `npm run soak` runs. `full` and `tenth` are how often; `run` takes `{ count, seed, transports, program }` and
 * resolves with `{ faults, measured }`. A check of which a tenth would still take minutes has a `brief` count for CI.
 */
export const CHECKS = [
  { name: 'fuzz-stdio', rows: 'A', unit: 'frames', full: 50_000, tenth: 5_000, run: (how) => fuzzStream({ ...how, transport: 'stdio' }) },
  { name: 'fuzz-socket', rows: 'A', unit: 'frames', full: 50_000, tenth: 5_000, run: (how) => fuzzStream({ ...how, transport: 'uds' }) },
  { name: 'fuzz-http-legacy', rows: 'A', unit: 'frames', full: 50_000, tenth: 5_000, run: (how) => fuzzHttp({ ...how, era: 'legacy' }) },
  { name: 'fuzz-http-modern', rows: 'A', unit: 'frames', full: 50_000, tenth: 5_000, run: (how) => fuzzHttp({ ...how, era: 'modern' }) },
  { name: 'faults', rows: 'B1, B5, B12', unit: 'rounds of each fault', full: 20, tenth: 2, run: faultRuns },
  { name: 'same-ids', rows: 'C1, F1', unit: 'calls', full: 1_000, tenth: 1_000, run: sameIds },
  { name: 'heap', rows: 'C3', unit: 'calls', full: 100_000, tenth: 10_000, run: heap },
  { name: 'connections', rows: 'C4', unit: 'connections', full: 10_000, tenth: 1_000, run: connections },
  { name: 'sessions', rows: 'C5', unit: 'sessions', full: 1_000, tenth: 100, run: sessions },
  { name: 'boot-cycles', rows: 'C6', unit: 'starts and ends', full: 100, tenth: 20, run: bootCycles },
  { name: 'doors', rows: 'D1, D3', unit: 'requests', full: 10_000, tenth: 1_000, run: doors },
  { name: 'load', rows: 'C10', unit: 'seconds', full: 1_800, tenth: 180, brief: 10, run: load },
].map((check) => ({ ...check, run: (how) => check.run({ transports: TRANSPORTS, seed: 7, ...how }) }));
