/** A fenced block of a Markdown page. */
export interface Fence {
  readonly language: string;
  readonly text: string;
  /** The line of the page on which the block opens. */
  readonly line: number;
  /** What `<!-- region: file#name -->` on the line above says the block is a copy of. */
  readonly source: { readonly file: string; readonly region: string | undefined } | undefined;
}

const OPENING = /^( *)(`{3,})(\S*) *$/;
const SOURCE = /^ *<!-- region: ([^\s#]+)(?:#(\S+))? -->$/;
const MARKER = /^\s*(?:\/\/|#) #(end)?region (\S+)\s*$/;

/** Every fenced block, in order. */
export function fencesOf(page: string): Fence[] {
  const lines = page.split('\n');
  const found: Fence[] = [];
  for (let index = 0; index < lines.length; index++) {
    const opening = OPENING.exec(lines[index] ?? '');
    if (opening === null) continue;
    const [, indent = '', ticks = '', language = ''] = opening;
    const end = lines.findIndex((line, later) => later > index && line.trim() === ticks);
    if (end < 0) throw new Error(`The block that opens on line ${index + 1} never closes`);
    const text = lines.slice(index + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
    const source = SOURCE.exec(lines[index - 1] ?? '');
    found.push({
      language,
      text: text.map((line) => `${line}\n`).join(''),
      line: index + 1,
      source: source === null ? undefined : { file: source[1] ?? '', region: source[2] },
    });
    index = end;
  }
  return found;
}

/** The lines between `// #region name` and `// #endregion name` (or `#` for `//`), dedented; the whole file without a name. */
export function regionOf(text: string, name?: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const whole = name === undefined ? lines : between(lines, name);
  return dedent(whole.filter((line) => !MARKER.test(line)));
}

/** The page with the text of each block that names a source replaced by that source. */
export function filledIn(page: string, readFile: (file: string) => string): string {
  const lines = page.split('\n');
  for (const { line, text, source } of fencesOf(page).reverse()) {
    if (source === undefined) continue;
    const indent = ' '.repeat((lines[line - 1] ?? '').search(/\S/));
    const fresh = regionOf(readFile(source.file), source.region).replace(/\n$/, '').split('\n');
    lines.splice(line, text.split('\n').length - 1, ...fresh.map((each) => (each === '' ? '' : indent + each)));
  }
  return lines.join('\n');
}

function between(lines: readonly string[], name: string): readonly string[] {
  const marks = lines.flatMap((line, index) => {
    const [matched, end, marked] = MARKER.exec(line) ?? [];
    return matched !== undefined && marked === name ? [{ index, isEnd: end !== undefined }] : [];
  });
  const [first, last, ...more] = marks;
  if (first === undefined || last === undefined || more.length > 0 || first.isEnd || !last.isEnd) {
    throw new Error(`There is not exactly one region "${name}", opened and then closed`);
  }
  return lines.slice(first.index + 1, last.index);
}

function dedent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const depth = Math.min(...indents);
  return lines.map((line) => `${line.slice(depth).trimEnd()}\n`).join('');
}
