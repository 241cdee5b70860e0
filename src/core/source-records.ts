import { OneLineError } from '../errors.ts';
import type { LatLng } from './geo.ts';
import type { PoiCategory } from './place-kinds.ts';

// What readers of street-level data yield, whatever the publisher's format: addresses, streets, points of interest and
// interpolation lines. Texts are trimmed and never empty: what a source does not say is `undefined`.

/** Where a record is, as far as the source says. A builder fills what is missing from the world layer. */
export type Settlement = {
  city?: string;
  /** Name of the state or province as the source writes it: a name, or a short code such as `CA`. */
  admin1?: string;
  /** Alpha-2 code in upper case. */
  country?: string;
};

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes with a name that are no countries: unions, outlying Oceania, and locales for tests. */
const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);
const countryCodes = new Map<string, string | undefined>();

/** The alpha-2 code that a source writes in any letters; undefined for what is none today: `UK` is an alias of GB, `SU` a former one. */
export function countryCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z]{2}$/.test(code) || noCountries.has(code)) return undefined;
  const isCountry = () => regionNames.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code;
  return countryCodes.getOrInsertComputed(code, () => (isCountry() ? code : undefined));
}

/** One house: a number in a street, or in a village or quarter without streets. Exactly one house number text, e.g.
 * `12-14`; of a house without a number, its name. */
export type AddressRecord = Settlement &
  LatLng & {
    houseNumber: string;
    /** Further numbers of the same house: `137` and `25` where `houseNumber` is the Czech `137/25`. */
    otherNumbers?: readonly string[];
    /** Name of the street; where `isPlace`, of the village, hamlet or block that numbers its houses without streets. */
    street: string;
    isPlace?: true;
    /** Whether the object is something in the house, such as a shop, and not the house itself or its entrance. */
    isPart?: true;
    /** Other names of the same street (other languages); the first name is in `street`. */
    otherStreetNames?: readonly string[];
    postalCode?: string;
    /** Id of the object at the source (`n123`, `w5`, `r7` for OpenStreetMap); unique within a source where given. */
    sourceId?: string;
  };

/** A named street of one settlement, merged from all its pieces; or a settlement itself, which has no lines. */
export type StreetRecord = Settlement &
  LatLng & {
    name: string;
    otherNames?: readonly string[];
    /**
     * OpenStreetMap's `highway` value of most of the length, of a settlement its `place` value. `lat`, `lng` lie on the
     * street, near its middle.
     */
    highwayType?: string;
    /** The pieces with every vertex of the source, each as lng, lat, lng, lat, … in degrees; empty for a settlement. */
    lines: readonly Float64Array[];
    /** Of the first piece. */
    sourceId?: string;
    /** Of all pieces. */
    pieceIds?: readonly string[];
  };

export type PoiRecord = Settlement &
  LatLng & {
    /** Many car parks, pitches and cash machines have none. */
    name?: string;
    otherNames?: readonly string[];
    category: PoiCategory;
    /** Kinds of food as the source writes them, first one first: `pizza;italian`. */
    cuisine?: string;
    brand?: string;
    sourceId?: string;
    /** The tag of OpenStreetMap that makes it a point of interest: `amenity=cafe`. Only objects of OpenStreetMap have one. */
    tag?: string;
  };

/** A line along which house numbers between two known houses lie (`addr:interpolation`). */
export type InterpolationRecord = Settlement & {
  street: string;
  /** House numbers at the two ends; `from` may be above `to`. */
  from: number;
  to: number;
  /** 1 where every number is there, 2 where only odd or only even ones are. */
  step: 1 | 2;
  postalCode?: string;
  /** lng, lat, lng, lat, … in degrees from the house `from` to the house `to`. */
  line: Float64Array;
  sourceId?: string;
};

/** Records in the order of the source, some thousands at a time. Any of the lists may be empty. */
export type StreetBatch = {
  addresses: AddressRecord[];
  streets: StreetRecord[];
  pois: PoiRecord[];
  interpolations: InterpolationRecord[];
};

/** An empty batch to fill. */
export function emptyBatch(): StreetBatch {
  return { addresses: [], streets: [], pois: [], interpolations: [] };
}

/** Number of records in a batch, of all kinds. */
export function batchSize(batch: StreetBatch): number {
  return batch.addresses.length + batch.streets.length + batch.pois.length + batch.interpolations.length;
}

/** Memory for the tables of a reader, and of a builder, where nobody says how much. */
export const defaultMemoryMb = 512;

export type ReadOptions = {
  /** Called with how far the reader is: a share in [0, 1] that never falls, and what it is doing. */
  progress?(share: number, step: string): void;
  /** Called for each row that is left out, and why. */
  dropped?: Drop;
  /** Memory for the reader's own tables in MB, 512 by default; what does not fit goes to temporary files. */
  memoryMb?: number | undefined;
  /** Directory for temporary files, which are removed at the end; the system's by default. */
  temporaryDirectory?: string;
  /** Country of records that do not say theirs: alpha-2 code in upper case. */
  country?: string;
  /** Change files of an OpenStreetMap extract, oldest first, that are applied to it while it is read. */
  changes?: readonly string[];
};

/** A reader: batches until the source ends. Throws SourceError when the source is no such file or is broken. */
export type StreetReader = (path: string, options?: ReadOptions) => AsyncIterable<StreetBatch>;

/**
 * A source that cannot be read: the message names the file, the place in it, what was expected and the remedy. One line, also
 * where it quotes the source.
 */
export class SourceError extends OneLineError {
  override readonly name = 'SourceError';
}

/** The records of rows. `recordOf` says why a row has none, which is reported, and gives undefined for one to pass over. */
export function recordsOf<Row, R extends object>(
  rows: Iterable<Row>,
  recordOf: (row: Row) => R | string | undefined,
  dropped: Drop,
): R[] {
  return Array.from(rows, recordOf).filter((record) => {
    if (typeof record === 'string') dropped(record);
    return typeof record === 'object';
  });
}

// What readers of boundaries yield, whatever the publisher's format.

/** An administrative area and its land. */
export type AdminAreaRecord = {
  /** OpenStreetMap's `admin_level`: 2 country, 4 mostly the region, 6 the county, 8 the municipality, 9 to 11 its parts. */
  level: number;
  /** In the language of the area. */
  name: string;
  /** Names by language code (`de`, `sr-Latn`), where the source has any. */
  names?: Readonly<Record<string, string>>;
  /** ISO 3166-1 alpha-2 of a country, ISO 3166-2 of a part of one, where the source says it. */
  isoCode?: string;
  /** Alpha-2 code of the country, where the source says it. */
  country?: string;
  /** Each an outer ring and its holes as [lng0, lat0, lng1, lat1, …] in degrees, closed; never empty. */
  polygons: Float64Array[][];
  /** Id of the area at the source (`r51477` for OpenStreetMap). */
  sourceId?: string;
};

/** Receives why something is left out, and how many rows or records. */
export type Drop = (reason: string, count?: number) => void;

/** Counts what a build leaves out, by reason. */
export function dropCounter(): { dropped: Record<string, number>; drop: Drop } {
  const dropped: Record<string, number> = {};
  return { dropped, drop: (reason, count = 1) => void (dropped[reason] = (dropped[reason] ?? 0) + count) };
}
