import type { LatLng } from '../core/geo.ts';
import { areaOfCountry, areaOfRegion, type Gazetteer } from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';

/** The properties of a candidate that context is compared with. */
export type Located = LatLng & {
  /** Areas that contain it, including itself where it is one; `areaOfRegion(-1)` for none. */
  country: number;
  admin1: number;
  admin2: number;
  /** Index in the place table; larger for less prominent places, and beyond all places for areas. */
  place: number;
  /** Layer of a place or feature; undefined for areas. */
  layer: string | undefined;
};

/** A place as context sees it: one object for all places in turn, which reads only what is asked for. */
export class PlaceInContext implements Located {
  place = 0;
  readonly #facts: Gazetteer['facts'];

  constructor(facts: Gazetteer['facts']) {
    this.#facts = facts;
  }

  get lat(): number {
    return this.#facts.lat(this.place) / 1e6;
  }

  get lng(): number {
    return this.#facts.lng(this.place) / 1e6;
  }

  get country(): number {
    return areaOfCountry(this.#facts.country(this.place));
  }

  get admin1(): number {
    return areaOfRegion(this.#facts.admin1(this.place));
  }

  get admin2(): number {
    return areaOfRegion(this.#facts.admin2(this.place));
  }

  get layer(): string {
    return layerOfKind(this.#facts.type(this.place));
  }
}
