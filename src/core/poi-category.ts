/** The categories of points of interest, as the specification lists them. */
export const poiCategories = [
  'restaurant',
  'hotel',
  'hospital',
  'school',
  'bank',
  'shop',
  'transport',
  'tourism',
  'sport',
  'parking',
  'fuel',
] as const;
export type PoiCategory = (typeof poiCategories)[number];
