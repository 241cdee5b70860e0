/** What a record is and covers: its kind, its box, and the object of OpenStreetMap that it is. */
import type { Static, TObject } from 'typebox';
import { earthRadiusKm, type LatLng, roundCoordinate, wrapLongitude } from '../core/geo.ts';
import { osmTypes } from '../core/osm-object.ts';
import { reachKm } from '../core/place-kinds.ts';
import { Nullable, nullable, oneOf, Type } from '../schema.ts';
import type { Store, UnnamedPlace } from '../store/store.ts';
import halfKm from './half-km.json' with { type: 'json' };

export const osmFields = {
  osm_type: nullable(
    oneOf(osmTypes, 'Type of the OpenStreetMap object that the record is; null where its source is another.'),
  ),
  osm_id: Nullable.Integer('Its id in OpenStreetMap; of a street, that of its first way.'),
};

export const extentFields = {
  kind: nullable(
    Type.String({
      description:
        'Kind of a landmark, park or natural feature (list: /docs/places); null for other records and when unknown.',
      examples: ['castle', 'national_park'],
    }),
  ),
  bbox: nullable(
    Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description:
        'Box of what the record covers: west, south, east, north in degrees; west > east crosses the antimeridian. Null when unknown.',
    }),
  ),
  bbox_source: nullable(oneOf(['area', 'estimate'], 'Whether the box is that of the area itself or an estimate.')),
  ...osmFields,
  osm_tag: nullable(
    Type.String({
      description:
        'Tag of OpenStreetMap that makes the object this record: `amenity=cafe`, `highway=residential`; null where there is none.',
      examples: ['amenity=cafe'],
    }),
  ),
};

type Extent = Pick<Static<TObject<typeof extentFields>>, 'kind' | 'bbox' | 'bbox_source'>;

/** Of a record without kind and extent. */
export const noExtent: Extent = { kind: null, bbox: null, bbox_source: null };

const kmPerDegree = (Math.PI * earthRadiusKm) / 180;

/** Half the height of an estimated box by kind, else by layer, km. Buildings have no extent. */
const halfKmOf: Readonly<Record<string, number>> = halfKm;

/**
 * Kind and box of a feature, an estimate by its kind where the source has none. A place has the box of its municipality where a source outlines it, else one around the circle that
 * its population fills (`reachKm`), marked as an estimate.
 */
export function extentOf({ places, boundaries }: Store, place: UnnamedPlace): Extent {
  const facts = places.featureFacts(place.index);
  if (!facts) {
    const box = boundaries?.boxOfPlace(place.index);
    return box
      ? { kind: null, bbox: box.map(roundCoordinate), bbox_source: 'area' }
      : estimatedExtent(place, reachKm(place.population));
  }
  const { kind, bbox } = facts;
  if (bbox) return { kind, bbox: bbox.map(roundCoordinate), bbox_source: 'area' };
  const km = halfKmOf[kind ?? ''] ?? halfKmOf[place.layer];
  return km === undefined ? { ...noExtent, kind } : estimatedExtent(place, km, kind);
}

/** The extent of what has no outline and lies around a position. */
export function estimatedExtent({ lat, lng }: LatLng, km: number, kind: string | null = null): Extent {
  const height = km / kmPerDegree;
  // Next to a pole every meridian is near.
  const width = Math.min(180, height / Math.max(1e-6, Math.cos((lat * Math.PI) / 180)));
  const south = Math.max(-90, lat - height);
  const north = Math.min(90, lat + height);
  const west = width === 180 ? -180 : wrapLongitude(lng - width);
  const east = width === 180 ? 180 : wrapLongitude(lng + width);
  return { kind, bbox: [west, south, east, north].map(roundCoordinate), bbox_source: 'estimate' };
}
