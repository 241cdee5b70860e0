/** The words of the names in an index, and those within one edit. */
import { correctable, isCorrectable, isNear, withoutDoubledLetters } from '../../../src/store/sqlite/vocabulary.ts';
import type { Vocabulary } from '../../../src/store/street-parts.ts';
import { type WordDocument, wordName, wordTerm } from './documents.ts';
import type { SearchedIndex } from './look-ups.ts';

/** Maximum number of words that begin with a text, and of those one edit away, which are never that many. */
const maxWords = 512;

/** The words of one part and kind, which `part` names as in the counts of a word. */
export function openVocabulary(state: SearchedIndex, part: string, records: number): Vocabulary {
  const counted = (documents: readonly WordDocument[]): [word: string, records: number][] =>
    documents.flatMap(({ w, c }) => (c[part] === undefined ? [] : [[w, c[part]]]));

  /** In order, so that searches for near words and for beginnings are sent as one. */
  const wordsOf = (...filter: object[]): WordDocument[] => {
    const body = { size: maxWords, sort: [{ w: 'asc' }], filter };
    const found = state.lookUps().orNone((lookUps) => lookUps.search<WordDocument>(body), []);
    return found.map(({ _source }) => _source);
  };

  return {
    records,
    count(word) {
      if (!isCorrectable(word)) return 0;
      return state.lookUps().orNone((lookUps) => lookUps.document<WordDocument>(wordName(word))?.c[part] ?? 0, 0);
    },
    // It would take a look.
    mayHave: () => true,
    mayHaveSimilar: () => true,
    mayBePrefix: () => true,
    mayBeBeside: () => true,
    oneEdit(word) {
      if (!correctable.test(word)) return [];
      const near = (field: string, value: string) => ({
        // All of them, without a choice of the best.
        fuzzy: { [field]: { value, fuzziness: 1, rewrite: 'constant_score' } },
      });
      // A word with and without doubled letters, against both forms in the index.
      const texts = [...new Set([word, withoutDoubledLetters(word)])];
      const should = texts.flatMap((text) => [near('w', text), near('q', text)]);
      return counted(wordsOf({ bool: { should } }).filter(({ w }) => w !== word && isNear(word, w)));
    },
    withPrefix(text) {
      if (!correctable.test(text)) return [];
      const begins = { prefix: { w: text } };
      let words = wordsOf(begins);
      // Those of other parts may have taken their place.
      if (words.length === maxWords) words = wordsOf(begins, { term: { t: wordTerm(part) } });
      return counted(words.filter(({ w }) => w !== text));
    },
  };
}
