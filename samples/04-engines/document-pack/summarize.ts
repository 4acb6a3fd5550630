import { setImmediate as nextTurn } from 'node:timers/promises';
import { countOf, textOf, type Call } from './call';
import { contentWords, countEach } from './words';

const BLANK_LINE = /\n[^\S\n]*\n/;

/** After `.`, `!` or `?`, but not that of an abbreviation, where an upper-case letter or a digit follows. */
const SENTENCE_END = /(?<=[.!?]["'”’)]?)(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|No)\.)\s+(?=["'“‘(]?[\p{Lu}\p{N}])/u;

/** Below this a sentence is a heading or an aside, whatever its words are. */
const FEWEST_WORDS = 3;

/** How many sentences are read before others get their turn. */
const SLICE = 200;

/** Keeps the sentences whose words occur most often in the whole text, in their order. */
export class SummarizeEngine {
  readonly id = 'document.summarize';
  readonly name = 'Summarize';
  readonly description =
    'Summarizes a text in its own most telling sentences. Arguments: text, a string; sentences, how many to keep, 3 unless given.';
  readonly version = '1.2.0';

  async execute(call: Call<{ text: string; sentences?: number }>) {
    const text = textOf(call.request.input, 'text');
    const wanted = countOf(call.request.input, 'sentences', 3);
    const sentences = sentencesOf(text);
    const scores = await this.#scores(sentences, countEach(contentWords(text)), call);
    const best = sentences.map((_, index) => index).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
    const kept = best.slice(0, wanted).sort((a, b) => a - b);
    return { summary: kept.map((index) => sentences[index]).join(' '), kept: kept.length, of: sentences.length };
  }

  // #region long-work
  async #scores(sentences: readonly string[], frequency: ReadonlyMap<string, number>, { signal, progress }: Call<unknown>) {
    const scores: number[] = [];
    for (let start = 0; start < sentences.length; start += SLICE) {
      await nextTurn();
      signal?.throwIfAborted();
      progress?.(start, { total: sentences.length });
      scores.push(...sentences.slice(start, start + SLICE).map((sentence) => scoreOf(contentWords(sentence), frequency)));
    }
    return scores;
  }
  // #endregion long-work
}

function sentencesOf(text: string): string[] {
  return text
    .split(BLANK_LINE)
    .flatMap((paragraph) => paragraph.split(SENTENCE_END))
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}

/** The mean, and not the sum, so that a long sentence does not win by its length. */
function scoreOf(words: readonly string[], frequency: ReadonlyMap<string, number>): number {
  if (words.length < FEWEST_WORDS) return 0;
  return words.reduce((sum, word) => sum + (frequency.get(word) ?? 0), 0) / words.length;
}
