import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { ErrorCode } from '../../errors/mcp-error';
import { errorAnswer } from '../../protocol/json-rpc';

const STATUS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers bytes that are no HTTP request, or a request that does not end, with JSON like everything else, and ends the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = STATUS[error.code ?? ''] ?? 400;
  const reason = STATUS_CODES[status] ?? '';
  const body = JSON.stringify(errorAnswer(null, ErrorCode.InvalidRequest, reason));
  const head = [
    `HTTP/1.1 ${String(status)} ${reason}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${String(body.length)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
