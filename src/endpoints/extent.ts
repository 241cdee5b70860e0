/** What a record is and covers: its kind and its box. */
import { Type } from '../schema.ts';
import type { Store } from '../store/store.ts';
import { nullable, oneOf } from './parameters.ts';

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
};

export type Extent = { kind: string | null; bbox: number[] | null; bbox_source: 'area' | 'estimate' | null };

/** Of a record without kind and extent. */
export const noExtent: Extent = { kind: null, bbox: null, bbox_source: null };

/** Kind and box of a feature, by its position in the place table; neither for a place. */
export function extentOf({ places }: Store, index: number): Extent {
  const { kind, bbox } = places.featureFacts(index) ?? {};
  return { kind: kind ?? null, bbox: bbox ? [...bbox] : null, bbox_source: bbox ? 'area' : null };
}
