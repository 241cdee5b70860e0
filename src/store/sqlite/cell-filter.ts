/** A filter that excludes most cells without a house, without reading the file. */

/** Maximum number of cells of a file for which the filter pays off; larger files have houses almost everywhere. */
export const maxFilteredCells = 100_000;
const bitsPerCell = 16;

/** A bit per cell number modulo the size; if it is not set, the cell is not included. */
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
