import { featureLayers } from '../core/place-kinds.ts';

/** What an answer may be, in the order of api-contract's list; a query's `layers` is a list of these. */
export const layers = [
  'country',
  'region',
  'subregion',
  'place',
  'postal',
  'street',
  'address',
  'poi',
  ...featureLayers,
] as const;
export type Layer = (typeof layers)[number];
export const placesOnly: ReadonlySet<Layer> = new Set<Layer>(['place']);
