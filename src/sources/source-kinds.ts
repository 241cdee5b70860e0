/** The kinds of files that a user can add to a build; detect.ts distinguishes them. */
export const sourceKinds = [
  'geonames-places',
  'geonames-admin1',
  'geonames-admin2',
  'geonames-countries',
  'geonames-alternate-names',
  'geonames-postal',
  'landmarks',
  'mmdb',
  'osm-pbf',
  'osm-xml',
  'openaddresses',
  'overture',
  'geoboundaries',
  'ban',
  'bag',
  'stadfang',
  'prg',
] as const;

export type SourceKind = (typeof sourceKinds)[number];
