/**
 * Identifiers are whole numbers below 2^53, unique across all layers of a dataset. Places of the gazetteer are below a
 * billion; areas, postal codes, landmarks and features of the gazetteer follow up to 2^32; street-level records are above. Their
 * number is composed of street, ordinal in the street, and file.
 */

/** Areas of the gazetteer: see gazetteer.ts. */
export const firstAreaId = 1_000_000_000;
/** Rows of the postal table. */
export const firstPostalId = 1_100_000_000;
/** Rows of sources/landmarks, by the table's own ids: the same in every dataset. */
export const firstLandmarkId = 1_900_000_000;
/** Rows of an operator's own table of landmarks, by its ids. */
export const firstOwnLandmarkId = 1_950_000_000;
/** Features of the gazetteer. */
export const firstFeatureId = 2_000_000_000;
export const firstStreetLevelId = 2 ** 32;

/** Maximum number of files that identifiers can distinguish. */
export const maxFiles = 2048;

/** Ordinals in a street: its houses, then interpolated positions, then points of interest, then the street itself. */
const ordinalsPerStreet = 2 ** 18;
const firstInterpolated = 2 ** 17;
const firstPoi = 2 ** 18 - 2 ** 12;
/** The ordinal of a street itself. */
export const wholeStreet = ordinalsPerStreet - 1;
const poisPerStreet = wholeStreet - firstPoi;
/** For interpolated numbers with letters, and the few that are too high. */
const otherInterpolated = firstPoi - 1;

/** The ordinal of a position between houses; `number` is undefined where it has letters. */
export const interpolatedOrdinal = (number: number | undefined) =>
  Math.min(firstInterpolated + (number ?? otherInterpolated), otherInterpolated);

/** Streets are numbered from here, so that their identifiers differ from those of places, areas and postal codes. */
const firstStreet = firstStreetLevelId / ordinalsPerStreet / maxFiles;
/** Maximum number of streets in a file. */
export const maxStreets = 2 ** 24 - 1 - firstStreet;

/** A record of a file of streets or of points of interest. */
export type StreetLevelRecord =
  | { kind: 'street'; street: number }
  | { kind: 'house'; street: number; ordinal: number }
  /** A position between houses; `number` is undefined where it is not known any more. */
  | { kind: 'interpolated'; street: number; number: number | undefined }
  | { kind: 'poi'; poi: number };

/** The identifier of the record with an ordinal in a street of a file. */
export const identifierOf = (street: number, ordinal: number, file: number) =>
  ((firstStreet + street) * ordinalsPerStreet + ordinal) * maxFiles + file;

/** The identifier of a point of interest of a file. */
export const identifierOfPoi = (poi: number, file: number) =>
  identifierOf(Math.floor(poi / poisPerStreet), firstPoi + (poi % poisPerStreet), file);

/** The record and file of an identifier; undefined if it is not one of street-level data. */
export function recordOf(identifier: number): { record: StreetLevelRecord; file: number } | undefined {
  if (identifier < firstStreetLevelId) return undefined;
  const row = Math.floor(identifier / maxFiles);
  const street = Math.floor(row / ordinalsPerStreet) - firstStreet;
  return { record: recordAt(street, row % ordinalsPerStreet), file: fileOf(identifier) };
}

function recordAt(street: number, ordinal: number): StreetLevelRecord {
  if (ordinal === wholeStreet) return { kind: 'street', street };
  if (ordinal >= firstPoi) return { kind: 'poi', poi: street * poisPerStreet + ordinal - firstPoi };
  if (ordinal < firstInterpolated) return { kind: 'house', street, ordinal };
  return {
    kind: 'interpolated',
    street,
    number: ordinal < otherInterpolated ? ordinal - firstInterpolated : undefined,
  };
}

/** The identifier of a house's street; undefined for other identifiers. */
export function streetOf(identifier: number): number | undefined {
  const { record, file } = recordOf(identifier) ?? {};
  return file === undefined || !record || record.kind === 'poi'
    ? undefined
    : identifierOf(record.street, wholeStreet, file);
}

/** Number of the file of a street-level identifier. */
export const fileOf = (identifier: number) => identifier % maxFiles;
