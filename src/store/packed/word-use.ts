/** How common words are, whether they are names of places or not: a table from hashes of folded words. */
import { join } from 'node:path';
import { firstPast } from '../../core/binary-search.ts';
import type { WordUse } from '../gazetteer.ts';
import { readPack, writePack } from './pack-file.ts';

/** Name of the file inside a dataset. */
export const wordUseFile = 'word-use.pack';

const givenNameBit = 0x80;
const maxCommonness = 0x7f;
/** Of 300,000 even hashes one in five thousand lies farther from where its value says. */
const maxAway = 1024;

/** Writes the table. Words are folded; `commonness` is in [0, 1]. */
export function writeWordUse(directory: string, words: ReadonlyMap<string, WordUse>): void {
  const byHash = new Map<number, number>();
  for (const [word, { commonness, isGivenName }] of words) {
    const value = Math.round(commonness * maxCommonness) | (isGivenName ? givenNameBit : 0);
    byHash.set(hashOf(word), Math.max(byHash.get(hashOf(word)) ?? 0, value));
  }
  const hashes = Uint32Array.from(byHash.keys()).sort();
  const uses = Uint8Array.from(hashes, (hash) => byHash.get(hash)!);
  writePack(join(directory, wordUseFile), null, { hashes, uses });
}

/**
 * Opens the table: the use of a folded word, undefined for one that is not listed. Of other words one in ten thousand is
 * taken for a listed one.
 */
export function openWordUse(directory: string): (word: string) => WordUse | undefined {
  const pack = readPack(join(directory, wordUseFile));
  const hashes = pack.column('hashes', 'u32');
  const uses = pack.column('uses', 'u8');
  return (word) => {
    const hash = hashOf(word);
    const { length } = hashes;
    // Hashes are spread evenly, so that one is near where its value says: a search of all would read from cold memory.
    const guess = Math.floor((hash / 2 ** 32) * length);
    const [low, high] = [Math.max(0, guess - maxAway), Math.min(length, guess + maxAway)];
    const isNear = !(hashes[low] > hash) && !(hashes[high - 1] < hash);
    const at = firstPast(isNear ? low : 0, isNear ? high : length, (each) => hashes[each] >= hash);
    if (hashes[at] !== hash) return undefined;
    return { commonness: (uses[at] & maxCommonness) / maxCommonness, isGivenName: (uses[at] & givenNameBit) !== 0 };
  };
}

/** FNV-1a over UTF-16 units, its bits mixed once more. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
