import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { nameWire, type Line, type Recorder } from './line';

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
  let rest = '';
  return (chunk) => {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk)))).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) if (text.trim() !== '') record({ ...line, text });
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
