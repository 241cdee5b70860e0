/** The line format in which records of streets are spilled; `street-groups.ts` reads it. */
import type { LatLng } from '../../core/geo.ts';
import { middleOfLine } from '../../core/line-geometry.ts';
import { isOsmObject } from '../../core/osm-object.ts';
import type { StreetBatch } from '../../core/street-records.ts';

type Address = StreetBatch['addresses'][number];
type Street = StreetBatch['streets'][number];
type Interpolation = StreetBatch['interpolations'][number];

/** A record with its kind and the name of its street. */
type SpooledRecord = { street: string } & (
  | { kind: 'a'; record: Address }
  | { kind: 's'; record: Street }
  | { kind: 'i'; record: Interpolation }
);

/** The records of a batch that belong to streets. */
export function* recordsIn({ addresses, streets, interpolations }: StreetBatch): Generator<SpooledRecord> {
  for (const record of addresses) yield { kind: 'a', street: record.street, record };
  for (const record of streets) yield { kind: 's', street: record.name, record };
  for (const record of interpolations) yield { kind: 'i', street: record.street, record };
}

/** The position that represents a record. */
export const positionOf = ({ kind, record }: SpooledRecord): LatLng =>
  kind === 'i' ? middleOfLine(record.line) : record;

/** The fields of a record of an area and a source, by their numbers. */
export function fieldsOf(of: SpooledRecord, area: number, source: number): (string | number | undefined)[] {
  const { kind, street } = of;
  if (kind === 'a') {
    const { houseNumber, otherNumbers, otherStreetNames, postalCode, isPart, isPlace, lat, lng, sourceId } = of.record;
    return [
      kind,
      area,
      street,
      joined(otherStreetNames),
      houseNumber,
      postalCode,
      lat.toFixed(6),
      lng.toFixed(6),
      source,
      isPart ? 1 : undefined,
      isPlace ? 1 : undefined,
      joined(otherNumbers),
      isOsmObject(sourceId) ? sourceId : undefined,
    ];
  }
  if (kind === 's') {
    const { otherNames, highwayType, lat, lng, lines, pieceIds } = of.record;
    const geometry = JSON.stringify(lines.map((line) => [...line]));
    return [
      kind,
      area,
      street,
      joined(otherNames),
      lat,
      lng,
      highwayType,
      source,
      geometry,
      pieceIds?.filter(isOsmObject).join(' '),
    ];
  }
  const { from, to, step, line } = of.record;
  return [kind, area, street, '', JSON.stringify([from, to, step, [...line]])];
}

/** Names as one field. */
const joined = (names: readonly string[] | undefined) => names?.filter((name) => !name.includes('|')).join('|');

/** A field as it comes back from a line: tabs and line breaks separate fields and lines. */
export const cleanField = (field: string | number | undefined): string =>
  typeof field === 'string' ? field.replace(/[\t\n\r]+/g, ' ') : `${field ?? ''}`;
