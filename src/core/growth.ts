type Growable = Float64Array | Uint32Array | Int32Array | Uint8Array;

/** The column itself, or a copy of at least twice its length that can hold `length` values. */
export function grown<T extends Growable>(column: T, length: number): T {
  if (length <= column.length) return column;
  const Columns = column.constructor as new (length: number) => T;
  const larger = new Columns(Math.max(length, column.length * 2));
  larger.set(column);
  return larger;
}
