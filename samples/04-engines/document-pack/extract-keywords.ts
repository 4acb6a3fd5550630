import { countOf, textOf, type Call } from './call';
import { contentWords, countEach } from './words';

// #region engine
/** Counts the words that carry meaning; among equals the one that comes first in the text wins. */
export class ExtractKeywordsEngine {
  readonly id = 'document.extract_keywords';
  readonly name = 'Extract keywords';
  readonly description =
    'Finds the words that an English text uses most. Arguments: text, a string; limit, how many words to give, 10 unless given.';
  readonly version = '1.0.1';

  execute({ request }: Call<{ text: string; limit?: number }>) {
    const text = textOf(request.input, 'text');
    const limit = countOf(request.input, 'limit', 10);
    const counts = [...countEach(contentWords(text))].sort(([, a], [, b]) => b - a);
    return { keywords: counts.slice(0, limit).map(([word, count]) => ({ word, count })) };
  }
}
// #endregion engine
