import { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { recordPeerStreams } from './record-streams';
import type { Line, Recorder } from './line';

const BUILT = join(__dirname, '../../../.build');
const PRELOAD = join(BUILT, 'test/support/spec/record-this-process.js');

interface SpawnOptions {
  readonly args: string[];
  readonly envPairs: string[];
}

/** What was recorded of child processes by themselves, and the end of recording. */
export interface ChildRecords {
  readonly take: () => readonly Line[];
  readonly stop: () => void;
}

/**
 * Records what every child process says on its stdout in answer to JSON-RPC on its stdin, and what the compiled programs of this repository
 * say over HTTP: those write that down themselves, before they send it.
 */
export function recordChildren(record: Recorder): ChildRecords {
  const folder = mkdtempSync(join(tmpdir(), 'transcript-'));
  const file = join(folder, 'http.jsonl');
  writeFileSync(file, '');
  let taken = 0;
  const prototype = ChildProcess.prototype as unknown as { spawn: (options: SpawnOptions) => number };
  const { spawn } = prototype;
  prototype.spawn = function (this: ChildProcess, options) {
    if (options.args[1]?.startsWith(BUILT + sep) && existsSync(PRELOAD)) {
      options.args.splice(1, 0, '--require', PRELOAD);
      options.envPairs.push(`TRANSCRIPT_FILE=${file}`);
    }
    const status = spawn.call(this, options);
    if (this.stdin && this.stdout) recordPeerStreams(this.stdin, this.stdout, onlyProtocol(record));
    return status;
  };
  return {
    take: () => {
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
      const fresh = lines.slice(taken);
      taken = lines.length;
      return fresh.map((line) => JSON.parse(line) as Line);
    },
    stop: () => {
      prototype.spawn = spawn;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A child that is never asked anything in JSON-RPC is no server, and what it prints is its own affair. */
function onlyProtocol(record: Recorder): Recorder {
  let isServer = false;
  return (line) => {
    isServer ||= line.from === 'client' && line.text.includes('"jsonrpc"');
    if (isServer) record(line);
  };
}
