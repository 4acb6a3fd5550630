const WORD = /\p{L}[\p{L}\p{N}'’-]*/gu;

/** Words that say nothing of what an English text is about. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again against all also am an and any are as at be because been before being below between both but by can cannot ' +
    'could did do does doing down during each every few for from further had has have having he her here hers him his how i if in into is ' +
    "it its it's just let may me might more most must my no nor not now of off on once one only or other our ours out over own same shall she " +
    'should so some such than that the their theirs them then there these they this those through to too under until up upon us very was we ' +
    'were what when where which while who whom whose why will with would yet you your yours'
  ).split(' '),
);

/** The words of a text that carry its meaning, in lower case and in order. */
export function contentWords(text: string): string[] {
  const words = Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase().replaceAll('’', "'"));
  return words.filter((word) => word.length > 2 && !STOP_WORDS.has(word));
}

/** How often each word occurs, in the order of first occurrence. */
export function countEach(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
