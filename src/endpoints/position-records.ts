/** What a text that is a position answers with, for the endpoints that answer to a text: as /reverse does there. */
import type { LatLng } from '../core/geo.ts';
import { positionOf } from '../geocoding/position.ts';
import type { Store } from '../store/store.ts';
import type { Context } from './endpoint.ts';
import type { GeocodedRecord } from './geocoded-record.ts';
import { reverse } from './reverse.ts';

/** The position that a text is, including a short plus code next to a place. */
export const positionIn = ({ cities }: Store, text: string): LatLng | undefined =>
  positionOf(text, (place) => cities.resolve(place));

const maxResults = 10;

/** The records there: the city that holds the position and the nearest places, or those of the layers requested. */
export function recordsAt(
  { lat, lng }: LatLng,
  { limit, lang, layers }: { limit: number; lang: string | undefined; layers: string | undefined },
  context: Context,
): (GeocodedRecord & { sources: string[] })[] {
  const options = { lat, lng, lang, limit: Math.min(maxResults, limit) };
  const { results } = reverse.handle(layers === undefined ? options : { ...options, layers }, context);
  // A point of interest without a name is called by its category.
  const records = results.map(({ name, category, ...record }) => ({ ...record, name: name ?? category ?? '' }));
  return records as unknown as (GeocodedRecord & { sources: string[] })[];
}
