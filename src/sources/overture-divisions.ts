/** Administrative areas of Overture's theme divisions, type `division_area` (docs.overturemaps.org/schema). */
import type { AdminAreaRecord } from '../core/admin-areas.ts';
import { type ReadOptions, SourceError } from '../core/street-records.ts';
import { commonNames, type OvertureNames, textOf } from './overture.ts';
import { openParquet } from './parquet-file.ts';
import type { Shape } from './well-known-binary.ts';

/** Levels of OpenStreetMap by Overture's kinds of areas. */
const levels = new Map([
  ['country', 2],
  ['dependency', 2],
  ['macroregion', 3],
  ['region', 4],
  ['macrocounty', 5],
  ['county', 6],
  ['localadmin', 8],
  ['locality', 8],
  ['macrohood', 9],
  ['neighborhood', 10],
  ['microhood', 11],
]);

type Row = {
  geometry?: Shape;
  subtype?: unknown;
  class?: unknown;
  is_land?: unknown;
  country?: unknown;
  region?: unknown;
  division_id?: unknown;
  names?: OvertureNames;
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
  const kind = textOf(row.subtype);
  const level = levels.get(kind ?? '');
  const name = textOf(row.names?.primary);
  if (row.is_land === false || row.class === 'maritime') return 'boundary of the sea';
  if (level === undefined) return 'boundary of an unknown kind';
  if (name === undefined) return 'boundary without a name';
  const polygons = row.geometry?.polygons ?? [];
  if (polygons.length === 0) return 'boundary without a polygon';
  const country = textOf(row.country);
  const isoCode = level === 2 ? country : kind === 'region' ? textOf(row.region) : undefined;
  const names = commonNames(row.names);
  const sourceId = textOf(row.division_id);
  return {
    level,
    name,
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...(isoCode && { isoCode }),
    ...(country && { country }),
    polygons,
    ...(sourceId && { sourceId }),
  };
}
