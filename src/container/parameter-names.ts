/** The names of a constructor's parameters as its source has them; empty where the source is not to be read, as in minified code. */
export function parameterNames(type: object): readonly string[] {
  const list = parameterList(Function.prototype.toString.call(type));
  return splitList(list).map((each) => /^\s*(?:\.\.\.)?([A-Za-z_$][\w$]*)/.exec(each)?.[1] ?? '');
}

function parameterList(source: string): string {
  const start = source.startsWith('class') ? /\bconstructor\s*\(/.exec(source) : /\(/.exec(source);
  if (start === null) return '';
  const from = start.index + start[0].length;
  let depth = 1;
  for (let at = from; at < source.length; at += 1) {
    depth += nesting(source.charAt(at));
    if (depth === 0) return source.slice(from, at);
  }
  return '';
}

function splitList(list: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < list.length; at += 1) {
    depth += nesting(list.charAt(at));
    if (depth === 0 && list.charAt(at) === ',') {
      parts.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return list.trim() === '' ? [] : [...parts, list.slice(from)];
}

function nesting(character: string): number {
  if ('([{'.includes(character)) return 1;
  return ')]}'.includes(character) ? -1 : 0;
}
