import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { nameWire, type Line, type Recorder } from './line';

const BYTE_ORDER_MARK = '\uFEFF';

/** Records what is sent over a pair of streams, one message a line. */
export function recordStreams(input: Pick<Readable, 'push'>, output: Pick<Writable, 'write' | 'end'>, record: Recorder): void {
  const wire = nameWire('stream');
  const heard = linesTo(record, { wire, from: 'client' });
  const said = linesTo(record, { wire, from: 'server' });
  watchPush(input, heard);
  watchWrite(output, said);
}

/** The same from the other end. */
export function recordPeerStreams(output: Pick<Writable, 'write' | 'end'>, input: Pick<Readable, 'push'>, record: Recorder): void {
  const wire = nameWire('process');
  watchWrite(output, linesTo(record, { wire, from: 'client' }));
  watchPush(input, linesTo(record, { wire, from: 'server' }));
}

type Take = (chunk: string | Uint8Array) => void;

function linesTo(record: Recorder, line: Pick<Line, 'wire' | 'from'>): Take {
  const decoder = new StringDecoder('utf8');
  const begun: string[] = [];
  let isFirst = true;
  return (chunk) => {
    const [first = '', ...lines] = (typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))).split('\n');
    begun.push(first);
    for (const next of lines) {
      const text = begun.splice(0).join('');
      begun.push(next);
      const own = isFirst && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
      isFirst = false;
      if (own.trim() !== '') record({ ...line, text: own });
    }
  };
}

function watchPush(stream: Pick<Readable, 'push'>, take: Take): void {
  const push = stream.push.bind(stream) as (...args: unknown[]) => boolean;
  stream.push = (chunk: unknown, ...rest: unknown[]) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) take(chunk);
    return push(chunk, ...rest);
  };
}

function watchWrite(stream: Pick<Writable, 'write' | 'end'>, take: Take): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) take(chunk);
    return write(chunk, ...rest);
  };
  const end = stream.end.bind(stream) as (...args: unknown[]) => Writable;
  stream.end = (...args: unknown[]) => {
    const [chunk] = args;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) take(chunk);
    return end(...args);
  };
}
