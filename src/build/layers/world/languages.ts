import { join } from 'node:path';
import { firstPast } from '../../../core/binary-search.ts';
import { type LanguageByScript, scriptLanguages } from '../../../core/script-language.ts';
import { defaultMemoryMb } from '../../../core/street-records.ts';
import { StringTableBuilder } from '../../../core/string-table.ts';
import { type GeonamesAlternateName, geonamesAlternateNames } from '../../../sources/geonames-places.ts';
import { plainRows } from '../../../sources/tables/rows.ts';
import { SortedSpool, SpoolReader } from '../../../sources/tables/sorted-spool.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import { placeLanguagesFile } from '../../../store/packed/place-languages.ts';
import { createOtherNames, otherNamesFile } from '../../../store/sqlite/other-names.ts';
import type { LayerJob, LayerReport } from '../../layer.ts';
import type { CityNames } from './city-names.ts';
import type { Corrections } from './corrected-records.ts';
import type { RankedFeature } from './features.ts';
import type { PlaceColumns } from './place-table.ts';
import type { RankedPlace, RankedPlaces } from './ranked-places.ts';

const kana = /[\p{Script=Katakana}\p{Script=Hiragana}]/u;

/** A place's name in each language. */
type Names = ReadonlyMap<string, string>;
/** The same with the rank of each name. */
type RankedNames = Map<string, { name: string; rank: number }>;
/** A place's name in a language; of several, the one with the highest rank is shown. */
type TaggedName = { language: string; name: string; rank: number };

/**
 * Writes the names that places have in languages: from the user's GeoNames alternate names, then the table of cities, and
 * without the user's those whose letters belong to one language only. Temporary files are written to `directory`.
 */
export async function buildPlaceLanguages(
  job: LayerJob,
  places: RankedPlaces,
  features: readonly RankedFeature[],
  columns: PlaceColumns,
  directory: string,
  { cityNames, corrections }: { cityNames: CityNames; corrections: Corrections },
): Promise<Omit<LayerReport, 'sources'>> {
  const userFiles = job.inputs.userFiles('geonames-alternate-names');
  const memoryBytes = (job.memoryMb ?? defaultMemoryMb) * 0.25e6;
  const spool = new SortedSpool(join(directory, 'names-in-languages'), memoryBytes, plainRows<TaggedName>());
  await readTagged(userFiles, columns, spool);
  const tagged = new SpoolReader(spool);
  const ofScript = byScript(scriptLanguages());
  const languages: string[] = [];
  const strings = new StringTableBuilder();
  const numbers = new Map<string, number>();
  const ends = new Uint32Array(places.size + features.length);
  const languageColumn: number[] = [];
  const textColumn: number[] = [];
  const others = createOtherNames(join(job.directory, otherNamesFile));
  let index = 0;
  const add = (language: string, name: string) => {
    let number = numbers.get(language);
    if (number === undefined) numbers.set(language, (number = languages.push(language) - 1));
    languageColumn.push(number);
    textColumn.push(strings.add(name));
  };
  for (const place of places) {
    const ownNames = userFiles.length > 0 ? preferred(tagged.of(index)) : ofScript(place);
    const ofCity = cityNames.get(place.id) ?? none;
    const names = userFiles.length > 0 ? [...ofCity, ...ownNames] : [...ownNames, ...ofCity];
    const shown = new Map([...names, ...Object.entries(corrections.get(place.id)?.namesIn ?? {})]);
    for (const [language, name] of shown) if (name !== place.name) add(language, name);
    others.add(place.id, further(place.alternateNames, [place.name, ...shown.values()]));
    ends[index++] = textColumn.length;
  }
  for (const { id, name: main, namesIn, knownNames, otherNames } of features) {
    for (const [language, name] of Object.entries(namesIn)) if (name !== main) add(language, name);
    others.add(id, further([...knownNames, ...otherNames], [main, ...Object.values(namesIn)]));
    ends[index++] = textColumn.length;
  }
  spool.close();
  others.finish();
  const { bytes, ends: stringEnds } = strings.finish();
  writePack(
    join(job.directory, placeLanguagesFile),
    { languages },
    {
      ends,
      language: Uint16Array.from(languageColumn),
      text: Uint32Array.from(textColumn),
      stringBytes: bytes,
      stringEnds,
    },
  );
  return { records: { namesInLanguages: textColumn.length }, dropped: {}, files: [placeLanguagesFile, otherNamesFile] };
}

/** The first name in each language; the source sorts names, so of two the shorter of a kind comes first. */
function byScript(languageOf: LanguageByScript): (place: RankedPlace) => Names {
  return ({ alternateNames, country }) => {
    let names: RankedNames | undefined;
    for (const name of alternateNames) {
      const language = languageOf(name, country);
      if (language === undefined) continue;
      // In Japan, kana only give the pronunciation of the characters.
      const rank = country === 'JP' && kana.test(name) ? 0 : 1;
      names ??= new Map();
      const before = names.get(language);
      if (!before || rank > before.rank) names.set(language, { name, rank });
    }
    return names ? namesOnly(names) : none;
  };
}

/** Maximum number of names without a language that are listed for one place. */
const maxListed = 100;

/** The distinct names that are not shown elsewhere. */
const further = (names: readonly string[], shown: readonly string[]): string[] =>
  [...new Set(names).difference(new Set(shown))].slice(0, maxListed);

const none: Names = new Map();
const namesOnly = (names: RankedNames): Names => new Map([...names].map(([language, { name }]) => [language, name]));

/** Spills the names of places by the places' positions. */
async function readTagged(
  paths: readonly string[],
  { id, byId }: PlaceColumns,
  spool: SortedSpool<TaggedName>,
): Promise<void> {
  for (const path of paths) {
    for await (const batch of geonamesAlternateNames(path)) {
      for (const row of batch) {
        if (row.language === '' || row.isHistoric || row.isColloquial) continue;
        const index = positionOf(row.placeId, id, byId);
        if (index === undefined) continue;
        spool.add(index, { language: row.language.toLowerCase(), name: row.name, rank: preference(row) });
      }
    }
  }
}

function positionOf(placeId: number, id: Uint32Array, byId: Uint32Array): number | undefined {
  const at = firstPast(0, byId.length, (at) => id[byId[at]] >= placeId);
  return at < byId.length && id[byId[at]] === placeId ? byId[at] : undefined;
}

/** Of each language the name of the highest rank, the first of several. */
function preferred(rows: readonly TaggedName[]): Names {
  const names: RankedNames = new Map();
  for (const { language, name, rank } of rows) {
    const before = names.get(language);
    if (!before || rank > before.rank) names.set(language, { name, rank });
  }
  return namesOnly(names);
}

/** Which of several names in one language is shown: the preferred one, then one that is not short for another. */
function preference({ isPreferred, isShort }: GeonamesAlternateName): number {
  return (isPreferred ? 2 : 0) + (isShort ? 0 : 1);
}
