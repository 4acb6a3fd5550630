const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const own = (value, name) => Object.hasOwn(value, name);

/**
 * What JSON-RPC owes to these bytes: `{ due: 'nothing' }`, `{ due: 'refusal' }`, which has no id, or `{ due: 'answer', id }`. Written from
 * the specification and not from the server: it looks at no more than what decides whose answer it is.
 */
export function dueTo(bytes) {
  let value;
  try {
    const text = decoder.decode(bytes);
    if (text.trim() === '') return { due: 'nothing' };
    value = JSON.parse(text);
  } catch {
    return { due: 'refusal' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { due: 'refusal' };
  const hasId = own(value, 'id');
  const { id } = value;
  if (hasId && typeof id !== 'string' && !Number.isSafeInteger(id)) return { due: 'refusal' };
  const toItsId = hasId ? { due: 'answer', id } : { due: 'refusal' };
  if (value.jsonrpc !== '2.0') return toItsId;
  if (!own(value, 'method')) return own(value, 'result') || own(value, 'error') ? { due: 'nothing' } : toItsId;
  if (hasId) return toItsId;
  return typeof value.method === 'string' ? { due: 'nothing' } : { due: 'refusal' };
}

const MARKS = /\n\s+at |\.[cm]?[jt]s:\d|node_modules|planted-secret|ZodError|"path":\[/;

/** What is wrong with a message that the server sent, whatever it answers. */
export function faultOf(text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return 'no JSON';
  }
  if (message?.jsonrpc !== '2.0') return 'no JSON-RPC';
  if (text.length > 20_000) return `${String(text.length)} characters`;
  return MARKS.test(text) ? 'a stack, a path, a dump or a secret' : undefined;
}
