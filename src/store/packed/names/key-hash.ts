/**
 * Positions of keys by hash: an open-addressing table with linear probing, one word per slot: the key's number, and
 * part of its hash in the remaining bits. A text that is not a key, as most that a search tries, is rejected by one
 * read of the table; a binary search of the keys took twenty cache misses.
 */
import type { KeyRange } from '../../gazetteer.ts';
import alphabets from './alphabets.json' with { type: 'json' };
import { minCorrectedLength } from './fuzzy-trie-search.ts';
import type { KeyText } from './key-text.ts';

/** Slots for each key. */
const slotsPerKey = 4 / 3;

/** So many keys are compared while one text is looked up. */
const comparedPerLookUp = 8;

/** The bits of a slot that hold a key's number; the others are of its hash. */
const maskOf = (keys: KeyText) => 2 ** (32 - Math.clz32(keys.size)) - 1;

/** Multiplied once more: otherwise all keys of a slot would have the same stored part of the hash. */
const slotOf = (hash: number, { length }: Uint32Array) =>
  Math.floor((Math.imul(hash, 0x9e3779b1) >>> 0) * (length / 2 ** 32));
const after = (slot: number, { length }: Uint32Array) => (slot + 1 === length ? 0 : slot + 1);

/** The table of keys, for a build: 0 if a slot is free, else part of the hash above the key's number plus one. */
export function slotsOf(keys: KeyText): Uint32Array {
  const slots = new Uint32Array(Math.ceil(keys.size * slotsPerKey) + 1);
  for (let key = 0; key < keys.size; key++) {
    let hash = start;
    for (let at = keys.start(key); at < keys.end(key); at++) hash = mixed(hash, keys.unit(at));
    hash = finished(hash);
    let slot = slotOf(hash, slots);
    while (slots[slot] !== 0) slot = after(slot, slots);
    slots[slot] = (hash & ~maskOf(keys)) | (key + 1);
  }
  return slots;
}

/** Look-ups of keys in the table that `slotsOf` returned for them. Throws a RangeError if no slot is free. */
export function keyHash(keys: KeyText, slots: Uint32Array) {
  // Every search ends at a free slot.
  if (!slots.includes(0)) throw new RangeError('the hash of names has no free slot');
  const mask = maskOf(keys);

  /** Number of the key that is a text, which is made only for keys with a hash like its own; -1 when there is none. */
  function keyOf(hash: number, textOf: () => string): number {
    for (let slot = slotOf(hash, slots); slots[slot] !== 0; slot = after(slot, slots)) {
      if (((slots[slot] ^ hash) & ~mask) !== 0) continue;
      const key = (slots[slot] & mask) - 1;
      const text = textOf();
      if (keys.length(key) === text.length && keys.compare(key, text) === 0) return key;
    }
    return -1;
  }

  /** Whether a key that begins with the first `from` letters of a text is one edit from it. */
  function isOneEdit(key: number, text: string, from: number, alphabet: readonly number[]): boolean {
    const { length } = text;
    const more = keys.length(key) - length;
    if (more < -1 || more > 1 || length + more < minCorrectedLength) return false;
    const first = keys.start(key);
    const equalFrom = (at: number, keyAt: number) => {
      let same = at;
      while (same < length && keys.unit(first + keyAt + same - at) === text.charCodeAt(same)) same++;
      return same === length;
    };
    let at = from;
    const common = Math.min(length, length + more);
    while (at < common && keys.unit(first + at) === text.charCodeAt(at)) at++;
    if (more < 0) return equalFrom(at + 1, at);
    if (more === 0 && at === length) return false;
    const letter = keys.unit(first + at);
    if (alphabet.includes(letter) && equalFrom(at + 1 - more, at + 1)) return true;
    const isSwapped = more === 0 && at + 1 < length && letter === text.charCodeAt(at + 1);
    return isSwapped && keys.unit(first + at + 1) === text.charCodeAt(at) && equalFrom(at + 2, at + 2);
  }

  return {
    /** Number of a key; -1 when it is not there. */
    find(text: string): number {
      let hash = start;
      for (let at = 0; at < text.length; at++) hash = mixed(hash, text.charCodeAt(at));
      return keyOf(finished(hash), () => text);
    },
    /**
     * Calls `found` once with each key that is one edit from a text. `branch` has the keys that begin with the first `letters`
     * of it: those with a later edit are among them, and are compared. For an earlier one every text at that distance is
     * looked up: about fifty per letter, most of them rejected by one read of the table. Returns how many look-ups
     * that was, at most about `budget`.
     */
    oneEdit(
      text: string,
      branch: KeyRange & { letters: number },
      budget: number,
      found: (key: number) => void,
    ): number {
      const { length } = text;
      const alphabet = alphabetOf(text);
      const seen = new Set<number>();
      for (let key = branch.from; key < branch.to; key++) {
        if (!isOneEdit(key, text, branch.letters, alphabet)) continue;
        seen.add(key);
        found(key);
      }
      const before = new Int32Array(length + 1);
      before[0] = start;
      for (let at = 0; at < length; at++) before[at + 1] = mixed(before[at], text.charCodeAt(at));
      let lookedUp = Math.ceil((branch.to - branch.from) / comparedPerLookUp);
      /** Looks up the text with the letters [at, to) replaced by at most two units; 0 stands for none. */
      const lookUp = (at: number, to: number, first: number, second: number) => {
        lookedUp++;
        let hash = before[at];
        if (first !== 0) hash = mixed(hash, first);
        if (second !== 0) hash = mixed(hash, second);
        for (let next = to; next < length; next++) hash = mixed(hash, text.charCodeAt(next));
        const units = () =>
          first === 0 ? '' : second === 0 ? String.fromCharCode(first) : String.fromCharCode(first, second);
        const key = keyOf(finished(hash), () => text.slice(0, at) + units() + text.slice(to));
        if (key < 0 || seen.has(key) || keys.length(key) < minCorrectedLength || keys.text(key) === text) return;
        seen.add(key);
        found(key);
      };
      // Later letters first: typing mistakes are more frequent there.
      for (let at = branch.letters - 1; at >= 0 && lookedUp < budget; at--) {
        for (const letter of alphabet) {
          if (at < length && letter !== text.charCodeAt(at)) lookUp(at, at + 1, letter, 0);
          lookUp(at, at, letter, 0);
        }
        if (at === length) continue;
        lookUp(at, at + 1, 0, 0);
        if (at + 1 < length) lookUp(at, at + 2, text.charCodeAt(at + 1), text.charCodeAt(at));
      }
      return lookedUp;
    },
  };
}

/**
 * FNV-1a over UTF-16 units with the finaliser of MurmurHash3, without which similar texts would share their upper bits.
 */
const start = 0x811c9dc5;
const mixed = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193);
function finished(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

const unitsOf = (letters: string) => Array.from(letters, (letter) => letter.charCodeAt(0));
/** Letters that may be meant in a text of each script, by the first and the last of the script; the blank is one. */
const alphabetsOfScripts = alphabets.map((each) => ({ ...each, units: unitsOf(each.letters) }));

/** The letters that a wrong or missing letter may be; empty for scripts with thousands of characters. */
function alphabetOf(text: string): readonly number[] {
  const first = text.charCodeAt(0);
  return alphabetsOfScripts.find(({ from, to }) => first >= from && first <= to)?.units ?? [];
}
