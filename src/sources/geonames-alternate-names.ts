/**
 * GeoNames' alternate names with their languages: `alternateNamesV2.txt` or `alternateNames.txt`, plain or zipped,
 * 8 to 10 tab-separated columns. Licence CC BY 4.0, https://download.geonames.org/export/dump/readme.txt.
 */
import { basename } from 'node:path';
import { textLines } from './open-bytes.ts';

/** A name of a place in a language. */
export type GeonamesAlternateName = {
  /** Identifier of the place. */
  placeId: number;
  /** Language as BCP 47, `''` when the source does not state it. */
  language: string;
  name: string;
  isPreferred: boolean;
  isShort: boolean;
  isColloquial: boolean;
  isHistoric: boolean;
};

/** Pseudo-languages of rows that are not names: codes, links, postal codes. */
const noNames = new Set([
  'link',
  'wkdt',
  'post',
  'iata',
  'icao',
  'faac',
  'tcid',
  'unlc',
  'abbr',
  'phon',
  'piny',
  'fr_1793',
]);
const languageTag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The names of a file in batches, in the file's order; rows that are not names are passed over. */
export async function* geonamesAlternateNames(
  path: string,
  progress?: (share: number) => void,
): AsyncGenerator<GeonamesAlternateName[]> {
  for await (const lines of textLines(path, { isWanted: isNameTable, progress })) {
    const names: GeonamesAlternateName[] = [];
    for (const line of lines) {
      const fields = line.split('\t');
      const placeId = Number(fields[1]);
      if (fields.length < 4 || fields[3] === '' || !Number.isInteger(placeId) || placeId <= 0) continue;
      const language = fields[2];
      if (noNames.has(language) || (language !== '' && !languageTag.test(language))) continue;
      names.push({
        placeId,
        language,
        name: fields[3],
        isPreferred: fields[4] === '1',
        isShort: fields[5] === '1',
        isColloquial: fields[6] === '1',
        isHistoric: fields[7] === '1',
      });
    }
    yield names;
  }
}

/** The archive also holds the list of languages. */
function isNameTable(name: string): boolean {
  return basename(name).toLowerCase().startsWith('alternatename');
}
