import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Limits } from '../../contracts/limits';
import { ErrorCode } from '../../errors/mcp-error';
import { errorAnswer, type ErrorAnswer } from '../../protocol/json-rpc';
import { ByteBuffer } from '../byte-buffer';
import { parseJson } from '../parse-json';

/** The JSON of a body, or the status and answer it deserves instead. */
export type Body = { readonly value: unknown } | { readonly status: number; readonly answer: ErrorAnswer };

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads a JSON body of at most `messageBytes`. What is not declared as JSON in UTF-8, or is compressed, is refused before it is read, so that a
 * web page's simple request never gets in; so is a declared length over the limit. Only then a client that asks first is told to go on.
 */
export async function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  { messageBytes: maxBytes, depth }: Pick<Limits, 'messageBytes' | 'depth'>,
): Promise<Body> {
  const { headers } = request;
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) return refused(415, 'Unsupported media type: Content-Type must be application/json');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return refused(415, 'Unsupported media type: the body must not be compressed');
  if (Number(headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  if (headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue();
  const bytes = await readBytes(request, maxBytes);
  return bytes === undefined ? tooLarge(maxBytes) : parse(bytes, depth);
}

/** The bytes, or undefined as soon as there are too many. The rest is left for Node to discard. */
async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const body = new ByteBuffer();
    const onData = (chunk: Buffer): void => {
      if (body.length + chunk.length <= maxBytes) return body.append(chunk);
      request.off('data', onData);
      request.resume();
      resolve(undefined);
    };
    request.on('data', onData);
    request.once('end', () => resolve(body.view()));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The client closed the connection before its request was complete')));
  });
}

function parse(bytes: Buffer, depth: number): Body {
  try {
    return { value: parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), depth) };
  } catch {
    return { status: 400, answer: errorAnswer(null, ErrorCode.ParseError, 'Parse error: the body is not valid JSON in UTF-8') };
  }
}

function tooLarge(maxBytes: number): Body {
  return refused(413, `Payload too large: a message may have at most ${String(maxBytes)} bytes`);
}

function refused(status: number, message: string): Body {
  return { status, answer: errorAnswer(null, -32000, message) };
}
