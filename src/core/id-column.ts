/**
 * Numbers in 0 to 4 bytes each, whatever the largest needs: 16 low bits, and a column of high bits where there are
 * some. All-zero columns take no memory.
 */
export class IdColumn {
  readonly low: Uint16Array;
  readonly high: Uint8Array | Uint16Array | undefined;

  constructor(low: Uint16Array, high: Uint8Array | Uint16Array | undefined) {
    this.low = low;
    this.high = high;
  }

  static from(values: Uint32Array): IdColumn {
    let largest = 0;
    for (const value of values) if (value > largest) largest = value;
    if (largest === 0) return new IdColumn(new Uint16Array(0), undefined);
    const low = Uint16Array.from(values);
    if (largest < 0x1_0000) return new IdColumn(low, undefined);
    const high = largest < 0x100_0000 ? new Uint8Array(values.length) : new Uint16Array(values.length);
    for (let i = 0; i < values.length; i++) high[i] = values[i] >>> 16;
    return new IdColumn(low, high);
  }

  at(index: number): number {
    if (this.low.length === 0) return 0;
    return this.high === undefined ? this.low[index] : (this.high[index] << 16) | this.low[index];
  }
}
