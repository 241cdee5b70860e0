/** A row of the GeoNames dump file `countryInfo.txt`; `''` where the row has nothing. */
export type CountryInfo = {
  iso2: string;
  capital: string;
  population: number;
  /** `AF`, `AN`, `AS`, `EU`, `NA`, `OC` or `SA`. */
  continent: string;
  currency: string;
  /** As GeoNames writes it: `49`, `+1-268`, `+1-809 and 1-829`. */
  phone: string;
};

/** Reads `countryInfo.txt`: countries by alpha-2 code. Throws when a row has not the dump's columns. */
export function readCountryInfo(text: string, path: string): Map<string, CountryInfo> {
  const countries = new Map<string, CountryInfo>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const columns = line.split('\t');
    if (columns.length < 16 || !/^[A-Z]{2}$/.test(columns[0])) {
      throw new Error(
        `${path}, line ${index + 1}: ${columns.length} columns that begin with ${JSON.stringify(columns[0])}, ` +
          'expected the columns of GeoNames countryInfo.txt; give the unchanged dump file',
      );
    }
    const [iso2, , , , , capital, , population, continent, , currency, , phone] = columns;
    countries.set(iso2, { iso2, capital, population: Number(population) || 0, continent, currency, phone });
  }
  return countries;
}
