/** Shapes as well-known binary (OGC 06-103r4), the form in which GeoParquet has them. Heights are left out. */

/** A shape in degrees; lines and rings as [lng0, lat0, lng1, lat1, …]. A polygon is its outer ring and its holes. */
export type Shape = { lines: Float64Array[]; polygons: Float64Array[][] };

/** The lines and polygons of a geometry; `undefined` for bytes that are none, or reach past their end. */
export function readShape(bytes: Uint8Array | undefined): Shape | undefined {
  if (!bytes || bytes.length < 9) return undefined;
  const shape: Shape = { lines: [], polygons: [] };
  try {
    new Reader(bytes).geometry(shape, 0);
    return shape;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const deepest = 4;

class Reader {
  readonly #view: DataView;
  #at = 0;
  #isLittle = true;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  geometry(shape: Shape, depth: number): void {
    if (depth > deepest) throw new RangeError('nested collections');
    this.#isLittle = this.#view.getUint8(this.#at++) === 1;
    const type = this.#count();
    // 1001 to 3007 and the high bits of EWKB say that there are heights or measures.
    const isEwkb = type > 0x0fff_ffff;
    const extra = isEwkb ? (type >>> 31) + ((type >>> 30) & 1) : [0, 1, 1, 2][Math.floor(type / 1000)];
    const kind = isEwkb ? type & 0xff : type % 1000;
    if (isEwkb && type & 0x2000_0000) this.#at += 4;
    const dimensions = 2 + (extra ?? 0);
    if (kind === 1) this.#at += 8 * dimensions;
    else if (kind === 2) shape.lines.push(this.#line(dimensions));
    else if (kind === 3) {
      const rings = this.#count();
      const polygon: Float64Array[] = [];
      for (let ring = 0; ring < rings; ring++) polygon.push(this.#line(dimensions));
      if (polygon.length > 0) shape.polygons.push(polygon);
    } else if (kind >= 4 && kind <= 7) {
      const parts = this.#count();
      for (let part = 0; part < parts; part++) this.geometry(shape, depth + 1);
    } else throw new RangeError(`geometry of type ${type}`);
  }

  #count(): number {
    const count = this.#view.getUint32(this.#at, this.#isLittle);
    this.#at += 4;
    return count;
  }

  #line(dimensions: number): Float64Array {
    const count = this.#count();
    const bytes = 8 * dimensions * count;
    // Before the room is made: a broken count would take gigabytes.
    if (bytes > this.#view.byteLength - this.#at) throw new RangeError('a line extends beyond the end');
    const line = new Float64Array(2 * count);
    for (let at = 0; at < count; at++, this.#at += 8 * dimensions) {
      line[2 * at] = this.#view.getFloat64(this.#at, this.#isLittle);
      line[2 * at + 1] = this.#view.getFloat64(this.#at + 8, this.#isLittle);
    }
    return line;
  }
}
