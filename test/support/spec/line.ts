/** One message, or what was sent instead of one. */
export interface Line {
  /** Names the connection or session it belongs to. */
  readonly wire: string;
  readonly from: 'client' | 'server';
  readonly text: string;
  /** The revision that the transport itself names. */
  readonly revision?: string | undefined;
}

/** Takes lines in the order in which they went over their wire. */
export type Recorder = (line: Line) => void;

let wires = 0;

/** A name for a connection that has none. */
export function nameWire(kind: string): string {
  return `${kind} ${String(process.pid)}.${String((wires += 1))}`;
}
