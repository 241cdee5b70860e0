import { grown } from '../core/growth.ts';

const powersOfTen = Array.from({ length: 18 }, (_, power) => 10 ** power);

/** Characters of coordinates. */
const codes = { space: 0x20, comma: 0x2c, minus: 0x2d, point: 0x2e, zero: 0x30, nine: 0x39, open: 0x5b, close: 0x5d };

/**
 * Reads the `coordinates` of a GeoJSON Polygon (`ringDepth` 2) or MultiPolygon (3) straight from its text, which is
 * several times faster than JSON and makes one typed array a ring: [lng0, lat0, lng1, lat1, …]. `start` is where the
 * outermost bracket opens, `end` is behind the one that closes it. Numbers are plain decimals with two to a position;
 * anything else, and a text cut short, is a SyntaxError.
 */
export function readCoordinates(
  text: Buffer,
  start: number,
  ringDepth: 2 | 3,
): { polygons: Float64Array[][]; end: number } {
  const polygons: Float64Array[][] = [];
  let rings: Float64Array[] = [];
  const numbers = new NumberReader(text, start);
  let depth = 0;
  do {
    const byte = text[numbers.at];
    if (isDigit(byte) || byte === codes.minus) {
      numbers.read();
      continue;
    }
    numbers.at++;
    if (byte === codes.open) depth++;
    else if (byte === codes.close) {
      if (depth === ringDepth) rings.push(numbers.take());
      else if (depth === ringDepth - 1) {
        polygons.push(rings);
        rings = [];
      }
      depth--;
    } else if (byte !== codes.comma && byte !== codes.space) throw unexpected(byte, numbers.at - 1);
  } while (depth > 0);
  return { polygons, end: numbers.at };
}

const isDigit = (byte: number) => byte >= codes.zero && byte <= codes.nine;

function unexpected(byte: number | undefined, at: number): SyntaxError {
  const found = byte === undefined ? 'the end' : `'${String.fromCharCode(byte)}'`;
  return new SyntaxError(`coordinates have ${found} at byte ${at}, expected plain decimals in brackets`);
}

/** Reads decimals from a position of a text on, and collects them until they are taken. */
class NumberReader {
  at: number;
  readonly #text: Buffer;
  #values = new Float64Array(1024);
  #size = 0;

  constructor(text: Buffer, start: number) {
    this.#text = text;
    this.at = start;
  }

  /** Reads the number at the position, and goes behind it. */
  read(): void {
    const text = this.#text;
    let { at } = this;
    const isNegative = text[at] === codes.minus;
    if (isNegative) at++;
    let digits = 0;
    let decimals = 0;
    let isFraction = false;
    for (; ; at++) {
      const byte = text[at];
      if (isDigit(byte)) {
        digits = digits * 10 + (byte - codes.zero);
        if (isFraction) decimals++;
      } else if (byte === codes.point) isFraction = true;
      else break;
    }
    this.at = at;
    const value = digits / powersOfTen[decimals];
    this.#add(isNegative ? -value : value);
  }

  /** The numbers that were read since they were last taken. */
  take(): Float64Array {
    const taken = this.#values.slice(0, this.#size);
    this.#size = 0;
    return taken;
  }

  #add(value: number): void {
    this.#values = grown(this.#values, this.#size + 1);
    this.#values[this.#size++] = value;
  }
}
