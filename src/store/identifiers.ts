/**
 * Identifiers: one whole number below 2^53, which says by itself what it is of, so that no two records of a dataset
 * share one. Places of the gazetteer are below a billion; areas, postal codes and features of the gazetteer follow up to
 * 2^32; what street-level files hold is above. There a number is made of the street, what it is in the street, and the file.
 */

/** Areas of the gazetteer: see gazetteer.ts. */
export const firstAreaId = 1_000_000_000;
/** Rows of the postal table. */
export const firstPostalId = 1_100_000_000;
/** What the gazetteer names besides settlements. */
export const firstFeatureId = 2_000_000_000;
export const firstStreetLevelId = 2 ** 32;

/** Files that identifiers have room for. */
export const maxFiles = 2048;

/** Ordinals in a street: its houses, then interpolated positions, then room for points of interest, then the street itself. */
const ordinalsPerStreet = 2 ** 18;
const firstInterpolated = 2 ** 17;
const firstPoi = 2 ** 18 - 2 ** 12;
/** The ordinal of a street itself. */
export const wholeStreet = ordinalsPerStreet - 1;
const poisPerStreet = wholeStreet - firstPoi;
/** For interpolated numbers with letters, and the few that are higher than there is room for. */
const otherInterpolated = firstPoi - 1;

/** The ordinal of a position between houses; `number` is undefined where it has letters. */
export const interpolatedOrdinal = (number: number | undefined) =>
  Math.min(firstInterpolated + (number ?? otherInterpolated), otherInterpolated);

/** Streets count from here, so that no identifier of theirs is one of a place, area or postal code. */
const firstStreet = firstStreetLevelId / ordinalsPerStreet / maxFiles;
/** Most streets of a file. */
export const maxStreets = 2 ** 24 - 1 - firstStreet;

/** What a file of streets or of points of interest holds. */
export type StreetLevelRecord =
  | { kind: 'street'; street: number }
  | { kind: 'house'; street: number; ordinal: number }
  /** A position between houses; `number` is undefined where it is not known any more. */
  | { kind: 'interpolated'; street: number; number: number | undefined }
  | { kind: 'poi'; poi: number };

/** The identifier of what has an ordinal in a street of a file. */
export const identifierOf = (street: number, ordinal: number, file: number) =>
  ((firstStreet + street) * ordinalsPerStreet + ordinal) * maxFiles + file;

/** The identifier of a point of interest of a file. */
export const identifierOfPoi = (poi: number, file: number) =>
  identifierOf(Math.floor(poi / poisPerStreet), firstPoi + (poi % poisPerStreet), file);

/** What an identifier is of, and in which file; undefined where it is none of street-level data. */
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

/** The identifier of the street that an identifier of a house is in; undefined for others. */
export function streetOf(identifier: number): number | undefined {
  const { record, file } = recordOf(identifier) ?? {};
  return file === undefined || !record || record.kind === 'poi'
    ? undefined
    : identifierOf(record.street, wholeStreet, file);
}

/** Number of the file that an identifier of street-level data is of. */
export const fileOf = (identifier: number) => identifier % maxFiles;
