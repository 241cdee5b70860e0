/**
 * How a cell with borders lies in `leaves` (16-bit words): the number of groups, then each group (one layer):
 * its length in words, layer, nearest level, default value + 1 (0: none), number of entries; then each entry: value, length in
 * words, its rings, each as its number of vertices and their x, y on the cell's grid of 65,536 × 65,536.
 * A group with a nearest level has its grid over the cell and the margin around it.
 */
import { gridSteps } from './region-index.ts';
import type { Box, Ring } from './ring.ts';

/** The borders of one layer in one cell, before they are packed. */
export type LeafGroup = {
  layer: number;
  /** 0: plain; else the nearest entry answers where none holds the position, and this is the level of `marginAt`. */
  nearestLevel: number;
  /** What a position in no entry belongs to; -1 for nothing. */
  otherwise: number;
  entries: { value: number; rings: readonly Ring[] }[];
  /** What the 16-bit grid spans. */
  box: Box;
};

const maxWords = 0xffff;

/** 16-bit words that grow at the end. */
export class Words {
  #words = new Uint16Array(1 << 16);
  length = 0;

  push(word: number): void {
    if (this.length === this.#words.length) {
      const grown = new Uint16Array(this.length * 2);
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words[this.length++] = word;
  }

  set(at: number, word: number): void {
    this.#words[at] = word;
  }

  finish(): Uint16Array {
    return this.#words.slice(0, this.length);
  }
}

/** Appends a leaf to the words; its place is the length before. Throws a RangeError when a group is past 65,535 words. */
export function appendLeaf(words: Words, groups: readonly LeafGroup[]): void {
  words.push(groups.length);
  for (const group of groups) {
    const start = words.length;
    words.push(0);
    words.push(group.layer);
    words.push(group.nearestLevel);
    words.push(group.otherwise + 1);
    words.push(group.entries.length);
    for (const entry of group.entries) {
      const entryStart = words.length;
      words.push(entry.value);
      words.push(0);
      for (const ring of entry.rings) appendRing(words, ring, group.box);
      words.set(entryStart + 1, lengthOf(words.length - entryStart, group.box));
    }
    words.set(start, lengthOf(words.length - start, group.box));
  }
}

function lengthOf(length: number, box: Box): number {
  if (length <= maxWords) return length;
  throw new RangeError(
    `the cell at ${box.west}, ${box.south} has ${length} words of borders, at most ${maxWords} fit; raise maxDepth`,
  );
}

function appendRing(words: Words, ring: Ring, box: Box): void {
  const scaleX = gridSteps / (box.east - box.west);
  const scaleY = gridSteps / (box.north - box.south);
  const start = words.length;
  words.push(0);
  const { xy } = ring;
  let count = 0;
  let lastX = Math.round((xy[xy.length - 2] - box.west) * scaleX);
  let lastY = Math.round((xy[xy.length - 1] - box.south) * scaleY);
  for (let i = 0; i < xy.length; i += 2) {
    const x = Math.round((xy[i] - box.west) * scaleX);
    const y = Math.round((xy[i + 1] - box.south) * scaleY);
    if (x === lastX && y === lastY) continue;
    words.push(Math.max(0, Math.min(gridSteps, x)));
    words.push(Math.max(0, Math.min(gridSteps, y)));
    lastX = x;
    lastY = y;
    count++;
  }
  words.set(start, count);
}
