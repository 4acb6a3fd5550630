import { lstatSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { Policy } from 'perch-mcp';
import { makeTree, type FileTree } from '../../support/file-tree';

const NAMES = ['data', 'data2', 'a', 'b', 'file', 'link'];

/** A tree of a few names, in which some names are links to wherever. */
const links = fc.array(
  fc.record({
    at: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
    to: fc.array(fc.constantFrom('..', ...NAMES), { maxLength: 4 }),
  }),
  {
    maxLength: 5,
  },
);
const asked = fc.array(fc.constantFrom(...NAMES, 'none'), { minLength: 1, maxLength: 5 });

/** An independent reading of the rule: node's own resolution, link by link in JavaScript, of the deepest ancestor that exists. */
function isReallyInside(root: string, place: string): boolean | undefined {
  let existing = place;
  const missing: string[] = [];
  for (;;) {
    try {
      const real = path.join(realpathSync(existing), ...missing);
      return real === root || real.startsWith(`${root}/`);
    } catch (error) {
      // A link to nowhere or in a circle says nothing; the rules refuse it, which other tests show.
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || isLink(existing)) return undefined;
      missing.unshift(path.basename(existing));
      existing = path.dirname(existing);
    }
  }
}

function isLink(place: string): boolean {
  try {
    return lstatSync(place).isSymbolicLink();
  } catch {
    return false;
  }
}

type Decider = (root: string) => (place: string) => boolean;

/** Looks for a tree and a path on which the decider and the rule differ. */
function differences(decider: Decider, numRuns: number) {
  return fc.check(
    fc.property(links, fc.array(asked, { minLength: 1, maxLength: 20 }), (made, questions) => {
      using tree = makeLinked(made);
      const allows = decider(tree.at('data'));
      return questions.every((names) => {
        const place = tree.at(names.join('/'));
        const expected = isReallyInside(tree.at('data'), place);
        return allows(place) === (expected ?? false);
      });
    }),
    { numRuns, seed: 6, endOnFailure: true },
  );
}

test('D20, D22: a path under an allowed root is allowed exactly when its real path is under it', () => {
  const { failed, counterexample } = differences((root) => {
    const policy = Policy.define({ fsRead: [root] });
    return (place) => policy.allowsFsRead(place);
  }, 300);
  expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null });
});

test('a check of prefixes is found out by its first neighbour, one of letters alone by its first link', () => {
  expect(differences((root) => (place) => place.startsWith(root), 500).failed).toBe(true);
  expect(differences((root) => (place) => `${path.normalize(place)}/`.startsWith(`${root}/`), 500).failed).toBe(true);
});

test('D21, D22: no way back leads out of an allowed root', () => {
  const withWaysBack = fc.array(fc.constantFrom('..', '..', '.', '', ...NAMES), { minLength: 1, maxLength: 8 });
  const { failed, counterexample } = fc.check(
    fc.property(links, fc.array(withWaysBack, { minLength: 1, maxLength: 20 }), (made, questions) => {
      using tree = makeLinked(made);
      const policy = Policy.define({ fsRead: [tree.at('data')] });
      return questions.every((names) => {
        const place = tree.at(names.join('/'));
        return !policy.allowsFsRead(place) || isReallyInside(tree.at('data'), realOf(place)) === true;
      });
    }),
    { numRuns: 200, seed: 6 },
  );
  expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null });
});

/** What the operating system makes of a path; it goes back from where a link has led. */
function realOf(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    return place;
  }
}

function makeLinked(made: readonly { readonly at: readonly string[]; readonly to: readonly string[] }[]): FileTree {
  const tree = makeTree({ 'data/a/file': '', 'data/b': null, 'data2/a/file': '', 'a/b': null });
  for (const { at, to } of made) {
    try {
      symlinkSync(to.join('/') || '.', tree.at(at.join('/')));
    } catch {
      // The name is taken, or its directory is missing: this link is left out.
    }
  }
  return tree;
}
