/** Administrative areas of Overture's theme divisions, type `division_area` (docs.overturemaps.org/schema). */
import type { AdminAreaRecord } from '../core/admin-areas.ts';
import { type ReadOptions, SourceError } from '../core/street-records.ts';
import { openParquet } from './parquet-rows.ts';
import type { Shape } from './well-known-binary.ts';

/** Levels of OpenStreetMap by Overture's kinds of areas. */
const levels: Record<string, number> = {
  country: 2,
  dependency: 2,
  macroregion: 3,
  region: 4,
  macrocounty: 5,
  county: 6,
  localadmin: 8,
  locality: 8,
  macrohood: 9,
  neighborhood: 10,
  microhood: 11,
};

type Text = string | null | undefined;
type Row = {
  geometry?: Shape;
  subtype?: Text;
  class?: Text;
  is_land?: boolean | null;
  country?: Text;
  region?: Text;
  division_id?: Text;
  names?: { primary?: Text; common?: Record<string, Text> | null } | null;
};

const columns = ['geometry', 'subtype', 'class', 'is_land', 'country', 'region', 'division_id', 'names'];

/** The land areas of a file with a name. Throws SourceError for a file of another theme. */
export async function* readOvertureAreas(path: string, options: ReadOptions = {}): AsyncGenerator<AdminAreaRecord> {
  const { progress = () => {}, dropped = () => {} } = options;
  const file = await openParquet(path);
  if (!file.columns.has('division_id') || !file.columns.has('geometry')) {
    throw new SourceError(
      `${path} has the columns ${[...file.columns].slice(0, 8).join(', ')}, expected those of Overture's theme divisions, ` +
        'type division_area (division_id, subtype, geometry)',
    );
  }
  for await (const { rows, share } of file.shapes<Row>(columns.filter((name) => file.columns.has(name)))) {
    for (const row of rows) {
      const area = areaOf(row);
      if (typeof area === 'string') dropped(area, 1);
      else yield area;
    }
    progress(share, 'reading Overture records');
  }
}

function areaOf(row: Row): AdminAreaRecord | string {
  const level = levels[row.subtype ?? ''];
  const name = row.names?.primary?.trim();
  if (row.is_land === false || row.class === 'maritime') return 'boundary of the sea';
  if (level === undefined) return 'boundary of an unknown kind';
  if (!name) return 'boundary without a name';
  const polygons = row.geometry?.polygons ?? [];
  if (polygons.length === 0) return 'boundary without a polygon';
  const isoCode = level === 2 ? row.country : row.subtype === 'region' ? row.region : undefined;
  const names = Object.entries(row.names?.common ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return {
    level,
    name,
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...(isoCode && { isoCode }),
    ...(row.country && { country: row.country }),
    polygons,
    ...(row.division_id && { sourceId: row.division_id }),
  };
}
