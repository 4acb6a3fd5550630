const NEAREST = 3;

/** The sentence that names those of the names which are nearest to one that was written. */
export function nearNames(name: string, names: readonly string[]): string {
  const near = names
    .map((each) => ({ each, distance: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAREST);
  return near.length === 0 ? 'There are none.' : `The nearest there are: ${near.map(({ each }) => each).join(', ')}.`;
}

/** How many single characters differ between two names (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (character === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
