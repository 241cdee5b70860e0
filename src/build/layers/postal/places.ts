/** The postal codes of each place, and which of them is its main one. */
import { distanceKm, type LatLng } from '../../../core/geo.ts';
import { reachKm } from '../../../core/place-classification.ts';
import type { CodesOfPlace } from '../../../store/packed/postal-table.ts';
import type { Place, Places } from '../../../store/store.ts';

/** Maximum distance between a row with a place's own name and the place's centre. */
const ownNameKm = 30;
/** This many codes at one distance from the centre only have the town's position. */
const minSharing = 3;
/** Within this distance of the centre, the lowest code counts and not the distance. */
const centralKm = 3;
/** A code seen less often than this in a place, or than a tenth of its usual code, is an error or a rarity. */
const minSeen = 3;

type Near = { place: Place; km: number };
type CodeAtPlace = { code: string; weight: number; km: number };

/** Collects codes of places from measured rows (by name and distance) and from joined ones. */
export class PlaceCodes {
  readonly #places: Pick<Places, 'named' | 'get'>;
  readonly #codes = new Map<number, { place: Place; codes: Map<string, CodeAtPlace> }>();
  readonly #named = new Map<string, readonly Place[]>();

  constructor(places: Pick<Places, 'named' | 'get'>) {
    this.#places = places;
  }

  /** Adds a code joined with a place; `weight` is the frequency of the pair. */
  addJoined(place: Place, code: string, weight: number): void {
    this.#add(place, { code, weight, km: Number.POSITIVE_INFINITY });
  }

  /**
   * A code with a position and a place name: it belongs to the nearest place of that name, if that is near. Otherwise
   * it belongs to a place within whose reach it lies and with whose name it begins or ends (`Mumbai G.P.O.`, `Downtown
   * Toronto`).
   */
  addMeasured(country: string, code: string, name: string, at: LatLng): void {
    // `Vancouver (Kitsilano)`: what stands in brackets is a part of the place.
    const plain = name.replace(/ *\(.*/, '');
    let own: Near | undefined;
    for (const place of this.#namesakes(country, plain)) {
      const km = distanceKm(place, at);
      if (km < (own?.km ?? ownNameKm)) own = { place, km };
    }
    const near = own ?? this.#partlyNamed(country, plain, at);
    if (near) this.#add(near.place, { code, weight: 1, km: near.km });
  }

  #partlyNamed(country: string, name: string, at: LatLng): Near | undefined {
    const words = name.split(/\s+/);
    let best: Near | undefined;
    for (const part of [words.slice(0, 2), words.slice(-2), words.slice(0, 1), words.slice(-1)]) {
      if (part.length === words.length) continue;
      for (const place of this.#namesakes(country, part.join(' '))) {
        const km = distanceKm(place, at);
        const isBetter = place.population > (best?.place.population ?? -1);
        if (isBetter && km <= reachKm(place.population)) best = { place, km };
      }
    }
    return best;
  }

  #namesakes(country: string, name: string): readonly Place[] {
    const places = this.#places;
    return this.#named.getOrInsertComputed(`${country}\t${name}`, () =>
      places.named(name, country).map((index) => places.get(index)),
    );
  }

  #add(place: Place, found: CodeAtPlace): void {
    const { codes } = this.#codes.getOrInsertComputed(place.index, () => ({ place, codes: new Map() }));
    const known = codes.getOrInsert(found.code, { ...found, weight: 0 });
    known.weight += found.weight;
    known.km = Math.min(known.km, found.km);
  }

  /** The codes of all places: the main one first, the others ascending. */
  finish(): CodesOfPlace[] {
    return [...this.#codes.values()].map(({ place, codes: found }) => {
      const all = [...found.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
      const main = mainCode(all);
      const codes = [main.code, ...all.filter((entry) => entry !== main).map(({ code }) => code)];
      return { placeId: place.id, country: place.country, codes };
    });
  }
}

/**
 * Posts number a town from its centre outwards (Berlin 10115, Wien 1010). So with positions the main code is the lowest
 * one at the place's centre, else the nearest. Codes that share one position are ignored: it is the town's, and they
 * are PO boxes and companies. Without positions it is the lowest code that is not rare in the place.
 */
function mainCode(ascending: readonly CodeAtPlace[]): CodeAtPlace {
  const measured = ascending.filter(({ km }) => km !== Number.POSITIVE_INFINITY);
  if (measured.length > 0) {
    const sharers = new Map<number, number>();
    for (const { km } of measured) sharers.set(km, (sharers.get(km) ?? 0) + 1);
    const single = measured.filter(({ km }) => sharers.get(km)! < minSharing);
    const candidates = single.length > 0 ? single : measured;
    const central = candidates.find(({ km }) => km <= centralKm);
    return central ?? candidates.reduce((best, found) => (found.km < best.km ? found : best));
  }
  const weights = Float64Array.from(ascending, ({ weight }) => weight).sort();
  const common = Math.max(minSeen, weights[weights.length >> 1] / 10);
  return ascending.find(({ weight }) => weight >= Math.min(common, weights[weights.length - 1] / 10)) ?? ascending[0];
}
