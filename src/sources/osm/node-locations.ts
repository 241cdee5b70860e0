/**
 * Where the nodes of a file are: columns sorted by id, in chunks of 4,096 nodes (64 KB). Chunks beyond the given
 * memory go to a temporary file and come back through a cache of the ones used last.
 */
import { SourceError } from '../../core/street-records.ts';
import { TemporaryFile } from './temporary-file.ts';

const nodesPerChunk = 4096;
const bytesPerChunk = nodesPerChunk * 16;

type Chunk = { bytes: Buffer; ids: Float64Array; lats: Int32Array; lngs: Int32Array };

export class NodeLocations {
  /** Position found last, in units of 1e-7 degrees. */
  lat = 0;
  lng = 0;
  readonly #spillPath: string;
  readonly #maxChunks: number;
  /** Chunks in memory by number; the one used last is at the end. */
  readonly #chunks = new Map<number, Chunk>();
  readonly #firstIds: number[] = [];
  #count = 0;
  #lastId = Number.NEGATIVE_INFINITY;
  #isSorted = true;
  #file: TemporaryFile | undefined;
  #current: Chunk = emptyChunk();
  #currentNumber = 0;

  /** `spillPath` is created when more than `memoryBytes` are needed; the caller removes it. */
  constructor(spillPath: string, memoryBytes: number) {
    this.#spillPath = spillPath;
    this.#maxChunks = Math.max(4, Math.floor(memoryBytes / bytesPerChunk));
  }

  get size(): number {
    return this.#count;
  }

  get hasSpilled(): boolean {
    return this.#file !== undefined;
  }

  /** Adds a node; ids ascend in every sorted file. */
  add(id: number, lat: number, lng: number): void {
    const at = this.#count % nodesPerChunk;
    if (at === 0) {
      if (this.#count > 0) this.#keep(this.#currentNumber, this.#current);
      this.#current = emptyChunk();
      this.#currentNumber = this.#count / nodesPerChunk;
      this.#firstIds.push(id);
    }
    this.#current.ids[at] = id;
    this.#current.lats[at] = lat;
    this.#current.lngs[at] = lng;
    this.#count++;
    if (id < this.#lastId) this.#isSorted = false;
    this.#lastId = id;
    if (!this.#isSorted && this.hasSpilled) {
      throw new SourceError(
        'the nodes of the file are not sorted by id and need more memory than was given; sort it first: osmium sort',
      );
    }
  }

  /** To be called between the last `add` and the first `find`. */
  finish(): void {
    if (this.#count > 0) this.#keep(this.#currentNumber, this.#current);
    if (!this.#isSorted) this.#sort();
  }

  /** Looks a node up; true when it is there, and then `lat` and `lng` have its position. */
  find(id: number): boolean {
    if (this.#count === 0) return false;
    const number = this.#chunkOf(id);
    if (number < 0) return false;
    if (number !== this.#currentNumber) {
      this.#current = this.#load(number);
      this.#currentNumber = number;
    }
    const { ids, lats, lngs } = this.#current;
    let low = 0;
    let high = number === this.#firstIds.length - 1 ? this.#count - number * nodesPerChunk : nodesPerChunk;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    if (ids[low] !== id || low >= nodesPerChunk) return false;
    this.lat = lats[low];
    this.lng = lngs[low];
    return true;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #chunkOf(id: number): number {
    const firstIds = this.#firstIds;
    const current = this.#currentNumber;
    if (firstIds[current] <= id && (current + 1 === firstIds.length || id < firstIds[current + 1])) return current;
    let low = 0;
    let high = firstIds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firstIds[middle] <= id) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #keep(number: number, chunk: Chunk): void {
    if (!this.hasSpilled && this.#chunks.size >= this.#maxChunks) {
      this.#file = new TemporaryFile(this.#spillPath);
      for (const [kept, { bytes }] of this.#chunks) this.#file.write(bytes, kept * bytesPerChunk);
    }
    this.#file?.write(chunk.bytes, number * bytesPerChunk);
    this.#cache(number, chunk);
  }

  #cache(number: number, chunk: Chunk): void {
    if (this.#chunks.size >= this.#maxChunks) this.#chunks.delete(this.#chunks.keys().next().value!);
    this.#chunks.set(number, chunk);
  }

  #load(number: number): Chunk {
    const kept = this.#chunks.get(number);
    if (kept) {
      if (this.hasSpilled) {
        this.#chunks.delete(number);
        this.#chunks.set(number, kept);
      }
      return kept;
    }
    const chunk = emptyChunk();
    this.#file!.read(chunk.bytes, number * bytesPerChunk);
    this.#cache(number, chunk);
    return chunk;
  }

  /** Only small files come unsorted (editors write them), so all chunks are in memory here. */
  #sort(): void {
    const all: [number, number, number][] = [];
    for (let number = 0; number < this.#firstIds.length; number++) {
      const { ids, lats, lngs } = this.#chunks.get(number)!;
      const end = Math.min(nodesPerChunk, this.#count - number * nodesPerChunk);
      for (let at = 0; at < end; at++) all.push([ids[at], lats[at], lngs[at]]);
    }
    all.sort((a, b) => a[0] - b[0]);
    for (const [index, [id, lat, lng]] of all.entries()) {
      const number = Math.floor(index / nodesPerChunk);
      const chunk = this.#chunks.get(number)!;
      const at = index % nodesPerChunk;
      if (at === 0) this.#firstIds[number] = id;
      chunk.ids[at] = id;
      chunk.lats[at] = lat;
      chunk.lngs[at] = lng;
    }
  }
}

function emptyChunk(): Chunk {
  const memory = new ArrayBuffer(bytesPerChunk);
  return {
    bytes: Buffer.from(memory),
    ids: new Float64Array(memory, 0, nodesPerChunk),
    lats: new Int32Array(memory, nodesPerChunk * 8, nodesPerChunk),
    lngs: new Int32Array(memory, nodesPerChunk * 12, nodesPerChunk),
  };
}
