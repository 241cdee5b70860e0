/** The kinds of files a user can give to a build; detect.ts tells them apart. */
export const sourceKinds = [
  'geonames-places',
  'geonames-admin1',
  'geonames-admin2',
  'geonames-countries',
  'geonames-alternate-names',
  'geonames-postal',
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
