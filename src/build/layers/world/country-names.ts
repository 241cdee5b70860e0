import { readFileSync } from 'node:fs';
import { readTerritoryNames } from '../../../sources/cldr.ts';
import { countryNameLanguages, countryNamesFile } from '../../../sources/default-packages.ts';
import type { Inputs } from '../../layer.ts';
import { shortFormsOfCountries } from './short-forms.ts';

/** Names of countries by alpha-2 code, besides their English ones. */
export type CountryNames = ReadonlyMap<string, readonly string[]>;

/** Those of every language of CLDR, and what people call them besides. */
export function readCountryNames(inputs: Inputs): CountryNames {
  const found = shortFormsOfCountries();
  for (const language of countryNameLanguages) {
    const path = inputs.packageFile('cldr-localenames-full', countryNamesFile(language));
    for (const [code, names] of readTerritoryNames(readFileSync(path, 'utf8'))) {
      found.set(code, [...(found.get(code) ?? []), ...names]);
    }
  }
  return found;
}
