import type { IncomingMessage, ServerResponse } from 'node:http';

const METHODS = 'POST, GET, DELETE, OPTIONS';

const HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Mcp-Session-Id',
  'MCP-Protocol-Version',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
];

const KNOWN: ReadonlySet<string> = new Set(HEADERS.map((name) => name.toLowerCase()));

const PARAMETER = /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/;

/** Lets the pages of a listed origin read the answer. Nothing is said of credentials: a token is sent by a program, never by the browser itself. */
export function allowToRead(response: ServerResponse, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, WWW-Authenticate');
}

/** True for the question that a browser asks before a request, which never carries a token (Fetch: CORS-preflight request). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Answers a preflight request of a listed origin. */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const asked = headers['access-control-request-headers'];
  response.setHeader('Vary', 'Origin, Access-Control-Request-Headers');
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  // A wildcard does not cover Authorization, so the names of Mcp-Param-* headers have to be given back one by one.
  response.setHeader(
    'Access-Control-Allow-Headers',
    asked !== undefined && asked.split(',').every(isAcceptable) ? asked : HEADERS.join(', '),
  );
  response.writeHead(204).end();
}

function isAcceptable(text: string): boolean {
  const name = text.trim().toLowerCase();
  return KNOWN.has(name) || PARAMETER.test(name);
}
