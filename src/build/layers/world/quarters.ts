/** Quarters of the table of landmarks that are places of the gazetteer too: one record, that of the place. */
import { distanceKm } from '../../../core/geo.ts';
import type { NamedFeature } from '../../../core/named-feature.ts';
import type { GeonamesPlace } from '../../../sources/geonames-places.ts';
import { fold } from '../../../text/fold.ts';

/** A part of a city and a quarter of its name are one within this distance. */
const sameKm = 4;

/** Finds the quarters of the table that are places. */
export class Quarters {
  /** Those that are a place. */
  readonly found = new Set<NamedFeature>();
  readonly #byName: Map<string, NamedFeature[]>;

  constructor(features: readonly NamedFeature[]) {
    this.#byName = Map.groupBy(
      features.filter(({ kind }) => kind === 'quarter'),
      ({ name }) => fold(name),
    );
  }

  /** The quarter that a place is; undefined when it is none. Each is one place's. */
  of(place: Pick<GeonamesPlace, 'name' | 'lat' | 'lng'>): NamedFeature | undefined {
    const quarter = this.#byName
      .get(fold(place.name))
      ?.find((each) => !this.found.has(each) && distanceKm(each, place) <= sameKm);
    if (quarter) this.found.add(quarter);
    return quarter;
  }
}
