import { join } from 'node:path';
import { type LanguageByScript, scriptLanguages } from '../../../core/script-language.ts';
import { StringTableBuilder } from '../../../core/string-table.ts';
import { type GeonamesAlternateName, geonamesAlternateNames } from '../../../sources/geonames-alternate-names.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import { placeLanguagesFile } from '../../../store/packed/place-languages.ts';
import type { LayerJob, LayerReport } from '../../layer.ts';
import type { RankedPlace } from './places.ts';

const kana = /[\p{Script=Katakana}\p{Script=Hiragana}]/u;

/** A place's name in each language. */
type Names = Map<string, { name: string; rank: number }>;

/**
 * Writes the names that places have in languages: from GeoNames' alternate names when they are given, else those whose
 * letters belong to one language only.
 */
export async function buildPlaceLanguages(
  job: LayerJob,
  places: readonly RankedPlace[],
): Promise<Omit<LayerReport, 'sources'>> {
  const given = job.inputs.given('geonames-alternate-names');
  const names: (Names | undefined)[] =
    given.length > 0 ? await tagged(given, places) : places.map(byScript(scriptLanguages()));
  const languages: string[] = [];
  const strings = new StringTableBuilder();
  const numbers = new Map<string, number>();
  const ends = new Uint32Array(places.length);
  const languageColumn: number[] = [];
  const textColumn: number[] = [];
  for (const [index, { name: mainName }] of places.entries()) {
    for (const [language, { name }] of names[index] ?? []) {
      if (name === mainName) continue;
      let number = numbers.get(language);
      if (number === undefined) numbers.set(language, (number = languages.push(language) - 1));
      languageColumn.push(number);
      textColumn.push(strings.add(name));
    }
    ends[index] = textColumn.length;
  }
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
  return { records: { namesInLanguages: textColumn.length }, dropped: {}, files: [placeLanguagesFile] };
}

/** The first name in each language; the source sorts names, so of two the shorter of a kind comes first. */
function byScript(languageOf: LanguageByScript): (place: RankedPlace) => Names | undefined {
  return ({ alternateNames, country }) => {
    let names: Names | undefined;
    for (const name of alternateNames) {
      const language = languageOf(name, country);
      if (language === undefined) continue;
      // In Japan the syllables only tell how the characters are read.
      const rank = country === 'JP' && kana.test(name) ? 0 : 1;
      names ??= new Map();
      const before = names.get(language);
      if (!before || rank > before.rank) names.set(language, { name, rank });
    }
    return names;
  };
}

async function tagged(paths: readonly string[], places: readonly RankedPlace[]): Promise<(Names | undefined)[]> {
  const positions = new Map(places.map(({ id }, index) => [id, index]));
  const names: (Names | undefined)[] = new Array(places.length);
  for (const path of paths) {
    for await (const batch of geonamesAlternateNames(path)) {
      for (const row of batch) {
        const index = positions.get(row.placeId);
        if (index === undefined || row.language === '' || row.isHistoric || row.isColloquial) continue;
        const language = row.language.toLowerCase();
        const rank = preference(row);
        const ofPlace = (names[index] ??= new Map());
        const before = ofPlace.get(language);
        if (!before || rank > before.rank) ofPlace.set(language, { name: row.name, rank });
      }
    }
  }
  return names;
}

/** Which of several names in one language is shown: the preferred one, then one that is not short for another. */
function preference({ isPreferred, isShort }: GeonamesAlternateName): number {
  return (isPreferred ? 2 : 0) + (isShort ? 0 : 1);
}
