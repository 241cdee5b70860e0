/**
 * Where a key stands, by its hash: an open table with linear probing, of one word a slot: the key's number, and in
 * the bits that it leaves a part of its hash. A text that is no key, as most are that a search tries, is turned down by
 * one look at the table; a bisection of the keys missed the processor's cache twenty times.
 */
import type { KeyText } from './key-text.ts';

/** Slots for each key. */
const room = 4 / 3;

export class KeyHash {
  readonly #keys: KeyText;
  /** 0 where a slot is free, else a part of the hash above the key's number and one. */
  readonly #slots: Uint32Array;
  readonly #keyMask: number;

  constructor(keys: KeyText) {
    this.#keys = keys;
    this.#slots = new Uint32Array(Math.ceil(keys.size * room) + 1);
    this.#keyMask = 2 ** (32 - Math.clz32(keys.size)) - 1;
    for (let key = 0; key < keys.size; key++) {
      let hash = start;
      for (let at = keys.start(key); at < keys.end(key); at++) hash = mixed(hash, keys.unit(at));
      hash = finished(hash);
      let slot = this.#slotOf(hash);
      while (this.#slots[slot] !== 0) slot = this.#after(slot);
      this.#slots[slot] = (hash & ~this.#keyMask) | (key + 1);
    }
  }

  /** Number of a key; -1 when it is not there. */
  find(text: string): number {
    let hash = start;
    for (let at = 0; at < text.length; at++) hash = mixed(hash, text.charCodeAt(at));
    hash = finished(hash);
    const keys = this.#keys;
    const slots = this.#slots;
    const mask = this.#keyMask;
    for (let slot = this.#slotOf(hash); slots[slot] !== 0; slot = this.#after(slot)) {
      if (((slots[slot] ^ hash) & ~mask) !== 0) continue;
      const key = (slots[slot] & mask) - 1;
      if (keys.length(key) === text.length && keys.compare(key, text) === 0) return key;
    }
    return -1;
  }

  /** Multiplied once more: a slot by the upper bits themselves would hold keys whose kept parts are all the same. */
  #slotOf(hash: number): number {
    return Math.floor((Math.imul(hash, 0x9e3779b1) >>> 0) * (this.#slots.length / 2 ** 32));
  }

  #after(slot: number): number {
    return slot + 1 === this.#slots.length ? 0 : slot + 1;
  }
}

/** FNV-1a over UTF-16 units, and the end of MurmurHash3, without which the upper bits of like texts would be alike. */
const start = 0x811c9dc5;
const mixed = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193);
function finished(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
