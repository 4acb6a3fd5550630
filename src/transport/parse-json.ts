/** Shorter text is parsed in no time, however deep it nests. */
const SHORT = 64 * 1024;
/** Far above what any check lets through, so that what is left out here is refused there. */
const SPARE_LEVELS = 1_000;

const [QUOTE, BACKSLASH, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Parses JSON in a time that its depth does not decide: `JSON.parse` alone takes a second for a million levels. What nests far deeper than
 * `depth` is read as an empty list at that place, which the checks of a message still find too deep.
 */
export function parseJson(text: string, depth: number): unknown {
  return JSON.parse(text.length < SHORT ? text : withoutDepths(text, 2 * depth + SPARE_LEVELS));
}

/** Text that never comes back from its depths stays cut off, and is no JSON. */
function withoutDepths(text: string, deepest: number): string {
  let kept = '';
  let from = 0;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (level === deepest) kept += text.slice(from, at);
      level += 1;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      level -= 1;
      if (level !== deepest) continue;
      kept += '[]';
      from = at + 1;
    }
  }
  return level > deepest ? kept : kept + text.slice(from);
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
