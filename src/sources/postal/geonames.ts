/**
 * GeoNames' postal code dump: `XX.txt` of one country or `allCountries.txt`, plain or zipped. 12 tab-separated
 * columns: country, code, place, admin1 name and code, admin2 name and code, admin3 name and code, latitude,
 * longitude, accuracy. Licence CC BY 4.0, https://download.geonames.org/export/zip/readme.txt.
 */
import { basename } from 'node:path';
import { type DroppedRows, drop } from '../../core/dropped-rows.ts';
import type { MeasuredPostalRow } from '../../core/postal/code.ts';
import { UsageError } from '../../errors.ts';
import { textLines } from '../open-bytes.ts';

const columns = 12;
/** The business mail suffix of French codes is not part of the code: `75380 CEDEX 08`. */
const cedex = / CEDEX( \d+)?$/i;

/**
 * The rows of a file in batches, in the file's order. Bad rows are counted in `dropped` by reason. Throws UsageError
 * when the file has no row of 12 columns at all: it is another file, binary or empty.
 */
export async function* geonamesPostal(path: string, dropped: DroppedRows): AsyncGenerator<MeasuredPostalRow[]> {
  let good = 0;
  let bad = 0;
  for await (const lines of readable(path)) {
    const rows: MeasuredPostalRow[] = [];
    for (const line of lines) {
      const fields = line.split('\t');
      const row = fields.length === columns ? rowOf(fields) : 'postal row without 12 columns';
      if (typeof row !== 'string') rows.push(row);
      else drop(dropped, row);
      if (fields.length === columns) good++;
      else bad++;
    }
    if (good === 0 && bad >= 100) break;
    yield rows;
  }
  if (good === 0) {
    throw new UsageError(
      `${path} is not a GeoNames postal code file: ${bad === 0 ? 'it is empty' : 'none of its lines has 12 tab-separated columns'}; use XX.txt, allCountries.txt or their zip from download.geonames.org/export/zip`,
    );
  }
}

/** The file's lines; errors carry its name. */
async function* readable(path: string): AsyncGenerator<string[]> {
  try {
    yield* textLines(path, { isWanted: isPostalTable });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} cannot be read as a GeoNames postal code file: ${reason}`, { cause: error });
  }
}

function isPostalTable(name: string): boolean {
  return name.endsWith('.txt') && !basename(name).toLowerCase().startsWith('readme');
}

/** A row, or why it is left out. */
function rowOf(fields: string[]): MeasuredPostalRow | string {
  const [country, code, place, admin1, , admin2, , , , latText, lngText, accuracy] = fields;
  if (!/^[A-Z]{2}$/.test(country)) return 'postal row without country code';
  if (code.trim() === '') return 'postal row without code';
  if (place.trim() === '') return 'postal row without place name';
  const lat = Number(latText);
  const lng = Number(lngText);
  if (latText === '' || lngText === '' || !(Math.abs(lat) <= 90) || !(Math.abs(lng) <= 180))
    return 'postal row without position';
  return {
    country,
    code: code.replace(cedex, ''),
    place: place.trim(),
    admin1: admin1 || null,
    admin2: admin2 || null,
    lat,
    lng,
    // 1 to 3 are estimates from neighbouring codes; 4 is the place of the row itself, 5 and 6 address centroids.
    accuracy: accuracy >= '1' && accuracy <= '3' ? 'place' : 'point',
  };
}
