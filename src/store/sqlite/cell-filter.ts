/** Says of most cells in which no house stands that there is none, without a look into the file. */

/** Cells of a file for which it is worth it; in larger ones houses stand nearly wherever somebody asks. */
export const maxFilteredCells = 100_000;
const bitsPerCell = 16;

/** Bits of the cells by the remainder of their numbers: one that is not set is not a cell of these. */
export class CellFilter {
  readonly #bits: Uint8Array;

  constructor(cells: readonly number[]) {
    this.#bits = new Uint8Array((cells.length * bitsPerCell) / 8 + 1);
    for (const cell of cells) this.#bits[this.#byteOf(cell)] |= 1 << (cell & 7);
  }

  mayHold(cell: number): boolean {
    return (this.#bits[this.#byteOf(cell)] & (1 << (cell & 7))) !== 0;
  }

  #byteOf(cell: number): number {
    return Math.floor(cell / 8) % this.#bits.length;
  }
}
