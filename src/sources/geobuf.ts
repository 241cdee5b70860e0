/**
 * Reads polygons from Geobuf messages, the protocol-buffer form of GeoJSON (github.com/mapbox/geobuf, geobuf.proto):
 * a collection of Polygon and MultiPolygon features with string properties, which is what time-zone files hold.
 */

/** A feature: its string properties, and its polygons, each an outer ring and holes as [x0, y0, x1, y1, …]. */
export type GeobufFeature = { properties: Record<string, string>; polygons: Float64Array[][] };

const utf8 = new TextDecoder();
const polygonType = 4;
const multiPolygonType = 5;

/** Decodes a feature collection. Throws a RangeError when the bytes are cut short, an Error on other geometry types. */
export function readGeobuf(bytes: Uint8Array): GeobufFeature[] {
  const data = new Message(bytes, 0, bytes.length);
  const keys: string[] = [];
  const features: GeobufFeature[] = [];
  let scale = 1e6;
  data.eachField((field) => {
    if (field === 1) keys.push(data.sub().text());
    else if (field === 3) scale = 10 ** data.varint();
    else if (field === 4) {
      const collection = data.sub();
      collection.eachField((inner) => {
        if (inner !== 1) return false;
        features.push(readFeature(collection.sub(), keys, scale));
        return true;
      });
    } else return false;
    return true;
  });
  return features;
}

function readFeature(feature: Message, keys: readonly string[], scale: number): GeobufFeature {
  const values: string[] = [];
  const properties: Record<string, string> = {};
  let polygons: Float64Array[][] = [];
  feature.eachField((field) => {
    if (field === 1) polygons = readGeometry(feature.sub(), scale);
    else if (field === 13) values.push(readValue(feature.sub()));
    else if (field === 14) {
      const pairs = feature.sub().varints();
      for (let i = 0; i < pairs.length; i += 2) properties[keys[pairs[i]] ?? ''] = values[pairs[i + 1]] ?? '';
    } else return false;
    return true;
  });
  return { properties, polygons };
}

function readValue(value: Message): string {
  let text = '';
  value.eachField((field) => {
    if (field !== 1) return false;
    text = value.sub().text();
    return true;
  });
  return text;
}

function readGeometry(geometry: Message, scale: number): Float64Array[][] {
  let type = -1;
  let lengths: number[] = [];
  let coords: Message | undefined;
  geometry.eachField((field) => {
    if (field === 1) type = geometry.varint();
    else if (field === 2) lengths = geometry.sub().varints();
    else if (field === 3) coords = geometry.sub();
    else return false;
    return true;
  });
  if ((type !== polygonType && type !== multiPolygonType) || !coords) {
    throw new Error(`a geobuf feature has geometry type ${type}, expected polygons (4 or 5)`);
  }
  const source = coords;
  if (lengths.length === 0) return [[readRing(source, Number.POSITIVE_INFINITY, scale)]];
  if (type === polygonType) return [lengths.map((length) => readRing(source, length, scale))];
  // Number of polygons, then for each its number of rings and the length of each.
  let at = 1;
  return Array.from({ length: lengths[0] }, () => {
    const rings = Array.from({ length: lengths[at] }, (_, ring) => readRing(source, lengths[at + 1 + ring], scale));
    at += 1 + lengths[at];
    return rings;
  });
}

/** A ring of `points` points, each the difference to the one before, in x then y. */
function readRing(coords: Message, points: number, scale: number): Float64Array {
  const values: number[] = [];
  let x = 0;
  let y = 0;
  for (let i = 0; i < points && !coords.isAtEnd; i++) {
    x += coords.signedVarint();
    y += coords.signedVarint();
    values.push(x / scale, y / scale);
  }
  return Float64Array.from(values);
}

/** A protocol-buffer message inside a byte array. */
class Message {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    if (end > bytes.length) throw new RangeError('a geobuf message is truncated');
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Calls `read` with each field's number; where that answers false the field is skipped. */
  eachField(read: (field: number) => boolean): void {
    while (!this.isAtEnd) {
      const key = this.varint();
      if (!read(key >>> 3)) this.#skip(key & 7);
    }
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      if (this.#at >= this.#end) throw new RangeError('a geobuf message is truncated');
      const byte = this.#bytes[this.#at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  /** Zigzag: even numbers are positive, odd ones negative. */
  signedVarint(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  sub(): Message {
    const length = this.varint();
    const start = this.#at;
    this.#at += length;
    return new Message(this.#bytes, start, this.#at);
  }

  text(): string {
    return utf8.decode(this.#bytes.subarray(this.#at, this.#end));
  }

  varints(): number[] {
    const values: number[] = [];
    while (!this.isAtEnd) values.push(this.varint());
    return values;
  }

  #skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#at += 8;
    else if (wireType === 5) this.#at += 4;
    else this.sub();
  }
}
