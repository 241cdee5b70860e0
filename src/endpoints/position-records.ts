/** What a text that is a position answers with, for the endpoints that answer to a text: as /reverse does there. */
import { type BoundingBox, isWithin } from '../core/bounding-box.ts';
import type { LatLng } from '../core/geo.ts';
import { positionOf } from '../geocoding/position.ts';
import type { PlaceType, Store } from '../store/store.ts';
import type { Context } from './endpoint.ts';
import type { GeocodedRecord } from './geocoded-record.ts';
import { reverse } from './reverse.ts';

/** The position that a text is, including a short plus code next to a place. */
export const positionIn = ({ cities }: Store, text: string): LatLng | undefined =>
  positionOf(text, (place) => cities.resolve(place));

const maxResults = 10;

export type RecordsAtOptions = {
  limit: number;
  lang: string | undefined;
  layers: string | undefined;
  /** What else the records must be, as those of any other text. */
  country?: string;
  type?: PlaceType;
  bbox?: BoundingBox;
};

/** The records there: the city that holds the position and the nearest places, or those of the layers requested. */
export function recordsAt(
  { lat, lng }: LatLng,
  { limit, lang, layers, country, type, bbox }: RecordsAtOptions,
  context: Context,
): (GeocodedRecord & { sources: string[] })[] {
  const isFiltered = country !== undefined || type !== undefined || bbox !== undefined;
  const options = { lat, lng, lang, limit: isFiltered ? maxResults : Math.min(maxResults, limit) };
  const { results } = reverse.handle(layers === undefined ? options : { ...options, layers }, context);
  // A point of interest without a name is called by its category.
  const records = results.map(({ name, category, ...record }) => ({ ...record, name: name ?? category ?? '' }));
  return (records as unknown as (GeocodedRecord & { sources: string[] })[])
    .filter(
      (record) =>
        (country === undefined || record.country === country) &&
        (type === undefined || record.type === type) &&
        (!bbox || isWithin(record.lat, record.lng, bbox)),
    )
    .slice(0, limit);
}
