import { printable } from '../../errors/registry-errors';

/** The SDK's code for headers that do not repeat the body (specification 2026-07-28: Standard Request Headers). */
const MISMATCH = -32020;

/** What two short values and the words between them take. */
const LONGEST = 160;

const UNPRINTABLE = /[\p{C}\u2028\u2029]/u;

interface Mismatch {
  readonly header: string;
  readonly body: string;
}

/** Cuts what the SDK says of headers and body that disagree: it repeats both in full, however long they are and whatever stands in them. */
export async function cutMismatch(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (status !== 400 || headers.get('content-type')?.startsWith('application/json') !== true) return response;
  const text = await response.text();
  return new Response(shortened(text), { status, headers });
}

function shortened(text: string): string {
  const answer = JSON.parse(text) as { readonly error?: { code: number; message: string; data?: { mismatch?: Mismatch } } };
  const { error } = answer;
  const mismatch = error?.code === MISMATCH ? error.data?.mismatch : undefined;
  if (error === undefined || mismatch === undefined) return text;
  const body = shown(mismatch.body);
  const message = error.message.replace(mismatch.body, () => body);
  return JSON.stringify({ ...answer, error: { ...error, message, data: { mismatch: { header: printable(mismatch.header), body } } } });
}

function shown(text: string): string {
  return text.length > LONGEST || UNPRINTABLE.test(text) ? printable(text) : text;
}
