/** Streets of Overture's theme transportation: named segments of the subtype road, a record each. */
import { lengthKm, middleOfLine } from '../core/line-geometry.ts';
import { emptyBatch, type ReadOptions, type StreetBatch, type StreetRecord } from '../core/street-records.ts';
import { namesOf, type OvertureNames, textOf } from './overture-fields.ts';
import type { ParquetFile } from './parquet-file.ts';
import type { Shape } from './well-known-binary.ts';

type Row = {
  id?: unknown;
  geometry?: Shape;
  subtype?: unknown;
  class?: unknown;
  subclass?: unknown;
  names?: OvertureNames;
};

const columns = ['id', 'geometry', 'subtype', 'class', 'subclass', 'names'];

/**
 * The named roads of a file of segments. A street comes in many segments, which do not state their town: the consumer
 * merges those with one name and town.
 */
export async function* streetsOf(file: ParquetFile, options: ReadOptions): AsyncGenerator<StreetBatch> {
  const { progress = () => {}, dropped = () => {} } = options;
  for await (const { rows, share } of file.shapes<Row>(columns.filter((name) => file.columns.has(name)))) {
    const batch = emptyBatch();
    for (const row of rows) {
      const record = streetOf(row);
      if (typeof record === 'string') dropped(record, 1);
      else batch.streets.push(record);
    }
    yield batch;
    progress(share, 'reading Overture records');
  }
}

function streetOf({ id, geometry, subtype, class: roadClass, subclass, names }: Row): StreetRecord | string {
  if (subtype !== undefined && subtype !== 'road') return 'street that is a railway or a waterway';
  const { name, otherNames } = namesOf(names);
  if (name === undefined) return 'street without a name';
  const lines = geometry?.lines.filter((line) => line.length >= 4) ?? [];
  if (lines.length === 0) return 'street without a line';
  const longest = lines.reduce((best, line) => (lengthKm(line) > lengthKm(best) ? line : best));
  const kind = textOf(roadClass);
  const sourceId = textOf(id);
  return {
    name,
    ...(otherNames.length > 0 && { otherNames }),
    ...(kind && kind !== 'unknown' && { highwayType: subclass === 'link' ? `${kind}_link` : kind }),
    ...middleOfLine(longest),
    lines,
    ...(sourceId && { sourceId }),
  };
}
