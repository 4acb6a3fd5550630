import type { IncomingMessage } from 'node:http';

const BOTH = ['application/json', 'text/event-stream'];
const STREAM = ['text/event-stream'];

/**
 * Says whether a client takes every type a legacy answer may have, ranges and weights understood (RFC 9110, 12.5.1). The SDK looks for the
 * bare names in the header, so that is what it is given then.
 */
export function acceptsAnswer(request: IncomingMessage): boolean {
  const needed = request.method === 'GET' ? STREAM : BOTH;
  const ranges = (request.headers.accept ?? '').split(',').map(readRange);
  if (!needed.every((type) => accepts(ranges, type))) return false;
  request.headers.accept = needed.join(', ');
  return true;
}

/** Says whether a client takes an answer as an event stream. */
export function acceptsEvents(request: IncomingMessage): boolean {
  return accepts((request.headers.accept ?? '').split(',').map(readRange), 'text/event-stream');
}

interface Range {
  readonly type: string;
  readonly isRefused: boolean;
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  return { type, isRefused: parameters.some((each) => /^q=0(?:\.0*)?$/.test(each)) };
}

/** The most specific range decides. */
function accepts(ranges: readonly Range[], type: string): boolean {
  const [family = ''] = type.split('/', 1);
  for (const candidate of [type, `${family}/*`, '*/*']) {
    const range = ranges.find((each) => each.type === candidate);
    if (range !== undefined) return !range.isRefused;
  }
  return false;
}
