import type { GeonamesPlace } from '../../../sources/geonames.ts';
import { plainRows, Spool } from '../../../sources/tables/spool.ts';

/** A place as the builder ranks it. */
export type RankedPlace = GeonamesPlace & {
  prominence: number;
  /** The alternate names that are known to be in use. */
  knownNames?: readonly string[];
};

/** Places in the order of a dataset, the most prominent first; they may be gone through several times. */
export type RankedPlaces = Iterable<RankedPlace> & { readonly size: number };

/** A place in memory, with its names, takes about 2 KB. */
const placesPerMb = 500;

/** Sorts places into the order of a dataset: in memory while they fit, else in temporary files. */
export class PlaceSorter {
  readonly #directory: string;
  readonly #memoryMb: number;
  readonly #repeated: () => void;
  #byId = new Map<number, RankedPlace>();
  #spooled: Spool<RankedPlace> | undefined;
  #ranked: Spool<RankedPlace> | undefined;

  /** `repeated` receives each place that is added again; the one added last counts. The caller empties `directory`. */
  constructor(directory: string, memoryMb: number, repeated: () => void) {
    this.#directory = directory;
    this.#memoryMb = memoryMb;
    this.#repeated = repeated;
  }

  add(place: RankedPlace): void {
    if (this.#spooled) {
      this.#spooled.add(place.id, place);
      return;
    }
    if (this.#byId.has(place.id)) this.#repeated();
    this.#byId.set(place.id, place);
    if (this.#byId.size <= this.#memoryMb * placesPerMb) return;
    this.#spooled = this.#spool();
    for (const each of this.#byId.values()) this.#spooled.add(each.id, each);
    this.#byId = new Map();
  }

  /** The places, once all were added. */
  ranked(): RankedPlaces {
    if (!this.#spooled) {
      const places = [...this.#byId.values()];
      places.sort((left, right) => right.prominence - left.prominence || left.id - right.id);
      return { size: places.length, [Symbol.iterator]: () => places.values() };
    }
    const ranked = this.#spool();
    this.#ranked = ranked;
    let last: RankedPlace | undefined;
    // Equal keys keep their order, so places of one prominence stand by their ids.
    for (const place of this.#spooled) {
      if (last?.id === place.id) this.#repeated();
      else if (last) ranked.add(-last.prominence, last);
      last = place;
    }
    if (last) ranked.add(-last.prominence, last);
    this.#spooled.close();
    return ranked;
  }

  close(): void {
    this.#spooled?.close();
    this.#ranked?.close();
  }

  #spool(): Spool<RankedPlace> {
    return new Spool(this.#directory, this.#memoryMb * 0.25e6, plainRows<RankedPlace>());
  }
}
