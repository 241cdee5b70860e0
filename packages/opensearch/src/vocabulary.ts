/** The words of the names in an index, and those within one edit. */
import { correctable, isCorrectable, isNear, withoutDoubledLetters } from '../../../src/store/sqlite/vocabulary.ts';
import type { Vocabulary } from '../../../src/store/street-parts.ts';
import { type WordDocument, wordName, wordTerm } from './documents.ts';
import type { SearchBody, SearchedIndex } from './look-ups.ts';

const maxPrefixMatches = 512;
/** Maximum number of words one edit away; there are never that many. */
const maxNear = 1000;

/** The words of one part and kind, which `part` names as in the counts of a word. */
export function openVocabulary(state: SearchedIndex, part: string, records: number): Vocabulary {
  const counted = (documents: readonly WordDocument[]): [word: string, records: number][] =>
    documents.flatMap(({ w, c }) => (c[part] === undefined ? [] : [[w, c[part]]]));
  const search = (body: SearchBody) => state.lookUps().orNone((lookUps) => lookUps.search<WordDocument>(body), []);

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
    oneEdit(word) {
      if (!correctable.test(word)) return [];
      const near = (field: string, value: string) => ({
        fuzzy: { [field]: { value, fuzziness: 1, transpositions: true, max_expansions: maxNear } },
      });
      // A word with and without doubled letters, against both forms in the index.
      const texts = [...new Set([word, withoutDoubledLetters(word)])];
      const should = texts.flatMap((text) => [near('w', text), near('q', text)]);
      const found = search({
        size: maxNear,
        track_total_hits: false,
        query: { constant_score: { filter: { bool: { should } } } },
      });
      const words = found.map(({ _source }) => _source);
      return counted(words.filter(({ w }) => w !== word && isNear(word, w)));
    },
    withPrefix(text) {
      if (!correctable.test(text)) return [];
      const found = search({
        size: maxPrefixMatches,
        track_total_hits: false,
        sort: [{ w: 'asc' }],
        query: { bool: { filter: [{ prefix: { w: text } }, { term: { t: wordTerm(part) } }] } },
      });
      return counted(found.map(({ _source }) => _source)).filter(([word]) => word !== text);
    },
  };
}
