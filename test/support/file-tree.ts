import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A directory of its own, removed when it is disposed of. */
export interface FileTree extends Disposable {
  /** The real path. */
  readonly root: string;
  /** The absolute path of what lies in it. */
  at(relative: string): string;
}

/** Makes files from texts, links from `{ to }` and directories from null, in the order given. */
export function makeTree(entries: Readonly<Record<string, string | { readonly to: string } | null>>): FileTree {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'perch-tree-')));
  const at = (relative: string): string => `${root}/${relative}`;
  for (const [name, content] of Object.entries(entries)) {
    mkdirSync(content === null ? at(name) : path.dirname(at(name)), { recursive: true });
    if (typeof content === 'string') writeFileSync(at(name), content);
    else if (content !== null) symlinkSync(content.to, at(name));
  }
  return { root, at, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
