/**
 * Addresses whose street no road of the file is called, beside a road that nearly is: their mapper made a slip, and the road's name
 * is the street's.
 */
import { cellNumber } from '../../core/geo.ts';
import type { AddressRecord, StreetRecord } from '../../core/source-records.ts';
import { editDistance } from '../../text/edit-kind.ts';

/**
 * What a slip is: at most so many letters of a name of so many, with the same digits, and a road at most so many metres away.
 * Extracts of 21 places have 37 such spellings, all of them right; with three letters a third is wrong (`Meisenweg`, `Zeisigweg`).
 */
const slip = {
  edits: [
    { length: 5, edits: 1 },
    { length: 8, edits: 2 },
  ],
  metres: 100,
};
/** Above the distance in degrees, up to 60° of latitude; nearer the poles a road is seen from less far. */
const cellDegrees = 0.002;
const metresPerDegree = 111_195;
/** A file with more of them is one without roads: the others keep their street. */
const maxAddresses = 200_000;
/** More objects in one place than any town has: further ones keep their street, as each road there is compared with all. */
const maxOfCell = 1_000;
/** More pieces of roads than lie around any house, with which it is compared. */
const maxPieces = 3_000;
/** No piece of a road passes so many cells: some 10 km. */
const maxSteps = 50;

/** The addresses of one object, with the road that is their street as far as is known. */
type Waiting = {
  addresses: readonly AddressRecord[];
  /** How many pieces of roads it was compared with. */
  pieces: number;
  best?: { name: string; edits: number; metres: number };
};

export class StreetCorrections {
  readonly #waiting: Waiting[] = [];
  readonly #cells = new Map<number, Waiting[]>();

  /** Takes the addresses of an object whose street is no road's; false where there are too many. */
  add(addresses: readonly AddressRecord[]): boolean {
    if (this.#waiting.length >= maxAddresses) return false;
    const { lat, lng } = addresses[0];
    const waiting = { addresses, pieces: 0 };
    this.#waiting.push(waiting);
    for (const rows of [-1, 0, 1])
      for (const columns of [-1, 0, 1]) {
        const at = { lat: lat + rows * cellDegrees, lng: lng + columns * cellDegrees };
        const near = this.#cells.getOrInsertComputed(cellNumber(at, cellDegrees), () => []);
        if (near.length < maxOfCell) near.push(waiting);
      }
    return true;
  }

  /** Compares the addresses beside a road with it. */
  compare({ name, lines }: StreetRecord): void {
    if (this.#waiting.length === 0) return;
    const near = new Map<Waiting, number>();
    for (const line of lines) {
      for (let at = 0; at + 3 < line.length; at += 2) {
        for (const waiting of this.#beside(line, at)) {
          if (waiting.pieces++ >= maxPieces) continue;
          const metres = metresTo(waiting.addresses[0], line, at);
          if (metres <= Math.min(slip.metres, near.get(waiting) ?? slip.metres)) near.set(waiting, metres);
        }
      }
    }
    for (const [waiting, metres] of near) {
      const edits = editsOfSlip(waiting.addresses[0].street, name);
      const { best } = waiting;
      if (edits === undefined || (best && (best.edits - edits || best.metres - metres) <= 0)) continue;
      waiting.best = { name, edits, metres };
    }
  }

  /** What is in the cells of a segment of a line. */
  *#beside(line: Float64Array, at: number): Generator<Waiting> {
    const [fromLng, fromLat, toLng, toLat] = line.subarray(at, at + 4);
    const steps = Math.ceil(Math.max(Math.abs(toLng - fromLng), Math.abs(toLat - fromLat)) / cellDegrees) || 1;
    let last = -1;
    if (steps > maxSteps) return;
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      const cell = cellNumber(
        { lat: fromLat + share * (toLat - fromLat), lng: fromLng + share * (toLng - fromLng) },
        cellDegrees,
      );
      if (cell !== last) yield* this.#cells.get(cell) ?? [];
      last = cell;
    }
  }

  /** The addresses, those beside a road of nearly their street's name as the road's, which the other name stays with. */
  *addresses(): Generator<AddressRecord> {
    for (const { addresses, best } of this.#waiting) {
      for (const address of addresses) {
        const { street, otherStreetNames = [] } = address;
        yield best ? { ...address, street: best.name, otherStreetNames: [...otherStreetNames, street] } : address;
      }
    }
  }
}

/** The letters by which a street's name differs from a road's; undefined where that is no slip. */
function editsOfSlip(street: string, road: string): number | undefined {
  const most = slip.edits.findLast(({ length }) => length <= Math.min(street.length, road.length))?.edits ?? 0;
  if (Math.abs(street.length - road.length) > most) return undefined;
  const digits = (name: string) => name.replace(/\P{Nd}/gu, '');
  if (digits(street) !== digits(road)) return undefined;
  const edits = editDistance(street, road, most);
  return edits <= most ? edits : undefined;
}

/** The distance of a house from a segment of a line. */
function metresTo({ lat, lng }: AddressRecord, line: Float64Array, at: number): number {
  const narrowing = Math.cos((lat * Math.PI) / 180);
  const [x, y, toX, toY] = [0, 2].flatMap((end) => [(line[at + end] - lng) * narrowing, line[at + end + 1] - lat]);
  const [dx, dy] = [toX - x, toY - y];
  const share = Math.max(0, Math.min(1, -(x * dx + y * dy) / (dx * dx + dy * dy || 1)));
  return metresPerDegree * Math.hypot(x + share * dx, y + share * dy);
}
