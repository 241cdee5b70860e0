/** The kinds of files that a user can add to a build. A new kind is one entry here, its reader, and its terms in terms.json. */
import type { AdminAreaRecord, ReadOptions, StreetReader } from '../core/source-records.ts';
import type terms from './terms.json';

/** The name of a source in terms.json. */
export type SourceId = keyof typeof terms;

/** Areas until the source ends. Throws SourceError when the source is no such file or is broken. */
type AreaReader = (path: string, options?: ReadOptions) => AsyncIterable<AdminAreaRecord>;

type Kind = {
  /** Official names of such files; those of an earlier kind take precedence. */
  names?: RegExp;
  /** Names of files that are of this kind if they are of no other. */
  otherNames?: RegExp;
  /** Its source in terms.json, as street-level data and as boundaries; `overture` has one a theme. */
  source?: SourceId;
  areaSource?: SourceId;
  /** The reader of street-level data, and that of administrative areas. */
  streets?: () => Promise<StreetReader>;
  areas?: () => Promise<AreaReader>;
};

const osm = {
  source: 'openstreetmap',
  areaSource: 'openstreetmap-boundaries',
  streets: async () => (await import('./osm/read-osm.ts')).readOsm,
  areas: async () => (await import('./osm/read-osm.ts')).readOsmAreas,
} as const;

const kinds = {
  'geonames-places': { names: /^cities\d+(?!.*\.geojson).*\.(txt|zip)$/i },
  'geonames-admin1': { names: /^admin1Codes.*\.txt$/i },
  'geonames-admin2': { names: /^admin2Codes.*\.txt$/i },
  'geonames-countries': { names: /^countryInfo.*\.txt$/i },
  'geonames-alternate-names': { names: /^alternateNames(?!.*\.geojson).*\.(txt|zip)$/i },
  // Whole postal codes of three countries; tab-separated in spite of their name.
  'geonames-postal': { names: /^(CA|GB|NL)_full\.(csv\.zip|txt)$/i },
  landmarks: {},
  mmdb: { names: /\.mmdb(\.gz)?$/i },
  'osm-pbf': { names: /\.pbf$/i, ...osm },
  'osm-xml': { names: /\.osm(\.gz|\.bz2|\.zst)?$/i, ...osm },
  openaddresses: {
    names: /^(?!geoBoundaries).*\.geojson(l|s)?(\.gz|\.zip)?$/i,
    otherNames: /\.csv(\.gz|\.zip)?$/i,
    source: 'openaddresses',
    streets: async () => (await import('./openaddresses.ts')).readOpenAddresses,
  },
  overture: {
    names: /\.(geo)?parquet$/i,
    areaSource: 'overture-divisions',
    streets: async () => (await import('./overture.ts')).readOverture,
    areas: async () => (await import('./overture.ts')).readOvertureAreas,
  },
  geoboundaries: {
    names: /^geoBoundaries.*\.(geojson(\.gz)?|zip)$/i,
    areaSource: 'geoboundaries',
    areas: async () => (await import('./polygon-files.ts')).readGeoBoundaries,
  },
  ban: {
    names: /^(BAN_|adresses-).*\.(csv|csv\.gz|zip)$/i,
    source: 'ban',
    streets: async () => (await import('./address-registers.ts')).readBan,
  },
  bag: {
    names: /^bag.*\.csv(\.gz|\.zip)?$/i,
    source: 'bag',
    streets: async () => (await import('./address-registers.ts')).readBag,
  },
  stadfang: {
    names: /^STADFANG.*\.(dsv|csv)$/i,
    source: 'stadfang',
    streets: async () => (await import('./address-registers.ts')).readStadfang,
  },
} as const satisfies Record<string, Kind>;

export type SourceKind = keyof typeof kinds;
/** Those of files with street-level data, and with administrative areas. */
export type StreetKind = { [K in SourceKind]: (typeof kinds)[K] extends { streets: unknown } ? K : never }[SourceKind];
type AreaKind = { [K in SourceKind]: (typeof kinds)[K] extends { areas: unknown } ? K : never }[SourceKind];

export const sourceKinds = Object.keys(kinds) as SourceKind[];
/** What is known of each kind. */
export const kindOf = (kind: SourceKind): Kind => kinds[kind];
export const streetKinds = sourceKinds.filter((kind): kind is StreetKind => 'streets' in kinds[kind]);
export const areaKinds = sourceKinds.filter((kind): kind is AreaKind => 'areas' in kinds[kind]);

/** The records of a file with street-level data. Throws SourceError when it is no such file or is broken. */
export const readStreets: (kind: StreetKind, ...file: Parameters<StreetReader>) => ReturnType<StreetReader> =
  async function* (kind, ...file) {
    const read: StreetReader = await kinds[kind].streets();
    yield* read(...file);
  };

/** The areas of a file. Throws SourceError when it is no such file or is broken. */
export async function* readAreas(kind: AreaKind, ...file: Parameters<AreaReader>): AsyncGenerator<AdminAreaRecord> {
  const read: AreaReader = await kinds[kind].areas();
  yield* read(...file);
}
