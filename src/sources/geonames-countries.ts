import { UsageError } from '../errors.ts';

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
