/** Blocks of nodes and ways in the order of their ids, as extract-base-writer.ts packs them. */
import { ByteReader } from './bytes.ts';

const blocksInMemory = 4096;

/** The ids of a block, ascending, and the value of each. */
type IdBlock<T> = { ids: Float64Array; of(at: number): T };

/** Finds the value of an id; recently unpacked blocks are cached. */
export class IdBlocks<T> {
  readonly #find: (id: number) => [first: number, block: Uint8Array][];
  readonly #unpack: (first: number, bytes: Uint8Array) => IdBlock<T>;
  /** By their first ids. */
  #blocks: IdBlock<T>[] = [];

  /** `find` returns the block that contains an id, if any. */
  constructor(
    find: (id: number) => [first: number, block: Uint8Array][],
    unpack: (first: number, bytes: Uint8Array) => IdBlock<T>,
  ) {
    this.#find = find;
    this.#unpack = unpack;
  }

  get(id: number): T | undefined {
    let at = this.#before(id);
    let block = this.#blocks[at - 1];
    if (!block || block.ids[block.ids.length - 1] < id) {
      const [row] = this.#find(id);
      if (!row) return undefined;
      if (block?.ids[0] !== row[0]) {
        if (this.#blocks.length >= blocksInMemory) {
          this.#blocks = [];
          at = 0;
        }
        block = this.#unpack(...row);
        this.#blocks.splice(at, 0, block);
      }
    }
    const { ids } = block;
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    return ids[low] === id ? block.of(low) : undefined;
  }

  /** Number of blocks in memory that begin with an id or one before it. */
  #before(id: number): number {
    let [low, high] = [0, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#blocks[middle].ids[0] <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Positions in units of 1e-7 degrees. */
export function unpackNodes(first: number, bytes: Uint8Array): IdBlock<readonly [lat: number, lng: number]> {
  const ids: number[] = [];
  const positions: number[] = [];
  const reader = new ByteReader(bytes);
  let [id, lat, lng] = [first, 0, 0];
  while (!reader.isAtEnd) {
    id += reader.signed();
    lat += reader.signed();
    lng += reader.signed();
    ids.push(id);
    positions.push(lat, lng);
  }
  const packed = Int32Array.from(positions);
  return { ids: Float64Array.from(ids), of: (at) => [packed[2 * at], packed[2 * at + 1]] };
}

/** The nodes of ways. */
export function unpackWays(first: number, bytes: Uint8Array): IdBlock<Float64Array> {
  const ids: number[] = [];
  const ways: Float64Array[] = [];
  const reader = new ByteReader(bytes);
  let id = first;
  while (!reader.isAtEnd) {
    id += reader.signed();
    const refs = new Float64Array(reader.unsigned());
    let last = 0;
    for (let at = 0; at < refs.length; at++) refs[at] = last += reader.signed();
    ids.push(id);
    ways.push(refs);
  }
  return { ids: Float64Array.from(ids), of: (at) => ways[at] };
}
