/** Streets of Overture's theme transportation: named segments of the subtype road, a record each. */
import { lengthKm, middleOfLine } from '../core/line-geometry.ts';
import { emptyBatch, type ReadOptions, type StreetBatch, type StreetRecord } from '../core/street-records.ts';
import type { ParquetFile } from './parquet-rows.ts';
import type { Shape } from './well-known-binary.ts';

type Text = string | null | undefined;
type Row = {
  id?: Text;
  geometry?: Shape;
  subtype?: Text;
  class?: Text;
  subclass?: Text;
  names?: { primary?: Text; common?: Record<string, Text> | null; rules?: { value?: Text }[] | null } | null;
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

function streetOf({ id, geometry, subtype, class: kind, subclass, names }: Row): StreetRecord | string {
  if (subtype !== undefined && subtype !== 'road') return 'street that is a railway or a waterway';
  const name = names?.primary?.trim();
  if (!name) return 'street without a name';
  const lines = geometry?.lines.filter((line) => line.length >= 4) ?? [];
  if (lines.length === 0) return 'street without a line';
  const written = [...Object.values(names?.common ?? {}), ...(names?.rules ?? []).map((rule) => rule?.value)];
  const others = new Set(written.map((other) => other?.trim()).filter((other) => other && other !== name));
  const longest = lines.reduce((best, line) => (lengthKm(line) > lengthKm(best) ? line : best));
  return {
    name,
    ...(others.size > 0 && { otherNames: [...others] as string[] }),
    ...(kind && kind !== 'unknown' && { highwayType: subclass === 'link' ? `${kind}_link` : kind }),
    ...middleOfLine(longest),
    lines,
    ...(id && { sourceId: id }),
  };
}
