/** Which codes each place bears, and which of them is its main one. */
import { distanceKm, type LatLng } from '../../../core/geo.ts';
import type { CodesOfPlace } from '../../../store/packed/postal-table.ts';
import type { Place, Places } from '../../../store/store.ts';

/** A row of a place's own name may lie this far from the place's centre. */
const ownNameKm = 30;

type Borne = { code: string; weight: number; km: number };

/** Collects codes of places from measured rows (by name and distance) and from joined ones. */
export class PlaceCodes {
  readonly #places: Pick<Places, 'named' | 'get' | 'size'>;
  readonly #borne = new Map<number, { place: Place; codes: Map<string, Borne> }>();
  readonly #named = new Map<string, Place[]>();

  constructor(places: Pick<Places, 'named' | 'get' | 'size'>) {
    this.#places = places;
  }

  /** A code that was joined with a place; `weight` tells how common the two are together. */
  addJoined(place: Place, code: string, weight: number): void {
    this.#add(place, { code, weight, km: Number.POSITIVE_INFINITY });
  }

  /** A code with a position and a place name: it belongs to the nearest place of that name, if that is near. */
  addMeasured(country: string, code: string, name: string, at: LatLng): void {
    const key = `${country}\t${name}`;
    let named = this.#named.get(key);
    if (!named) {
      named = this.#places.named(name, country).map((index) => this.#places.get(index));
      this.#named.set(key, named);
    }
    let nearest: Place | undefined;
    let km = ownNameKm;
    for (const place of named) {
      const distance = distanceKm(place, at);
      if (distance < km) [nearest, km] = [place, distance];
    }
    if (nearest) this.#add(nearest, { code, weight: 1, km });
  }

  #add(place: Place, borne: Borne): void {
    let entry = this.#borne.get(place.index);
    if (!entry) {
      entry = { place, codes: new Map() };
      this.#borne.set(place.index, entry);
    }
    const known = entry.codes.get(borne.code);
    if (!known) entry.codes.set(borne.code, borne);
    else {
      known.weight += borne.weight;
      known.km = Math.min(known.km, borne.km);
    }
  }

  /** By position in the place table: a place's codes, main one first, the others ascending. */
  finish(): (CodesOfPlace | undefined)[] {
    const codes = new Array<CodesOfPlace | undefined>(this.#places.size).fill(undefined);
    for (const [index, { place, codes: borne }] of this.#borne) {
      const all = [...borne.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
      const main = mainCode(all);
      codes[index] = {
        country: place.country,
        codes: [main.code, ...all.filter((entry) => entry !== main).map(({ code }) => code)],
      };
    }
    return codes;
  }
}

/**
 * With positions, the code nearest to the place's centre. Without, the lowest that is not rare in the place: posts
 * number a town from its centre outwards (Berlin 10115, Wien 1010).
 */
function mainCode(ascending: readonly Borne[]): Borne {
  const measured = ascending.filter(({ km }) => km !== Number.POSITIVE_INFINITY);
  if (measured.length > 0) return measured.reduce((best, borne) => (borne.km < best.km ? borne : best));
  const weights = Float64Array.from(ascending, ({ weight }) => weight).sort();
  const common = weights[weights.length >> 1] / 10;
  return ascending.find(({ weight }) => weight >= common) ?? ascending[0];
}
