import { join } from 'node:path';
import { areaOfCountry, areaOfRegion, type NameKind, nameKinds } from '../../../store/gazetteer.ts';
import { type NameColumns, NameIndexBuilder } from '../../../store/packed/names/name-index.ts';
import { mixedRanks, postingRanks } from '../../../store/packed/names/postings.ts';
import { packedColumns, writePack } from '../../../store/packed/pack-file.ts';
import { placeNamesFile } from '../../../store/packed/place-columns.ts';
import type { Countries, Regions } from '../../../store/store.ts';
import { fold } from '../../../text/fold.ts';
import { stopWordSet } from '../../../text/word-lists.ts';
import { placeWordSpellings, withLettersSpelledOut } from '../../../text/words.ts';
import type { LayerJob, LayerReport } from '../../layer.ts';
import type { RankedFeature } from './features.ts';
import type { CountryNames } from './languages.ts';
import type { PlaceColumns, RankedPlace, RankedPlaces } from './place-table.ts';

// The keys under which a place is found: its names folded, and the other ways people write them.

/** The folded forms of a name, the plain one first; empty when the name has nothing that can be matched. */
function foldedForms(name: string, plain = fold(name)): string[] {
  if (plain === '') return [];
  const forms = [plain];
  // Some rows have one name in two scripts: `Khartún - الخرطوم`.
  if (name.includes(' - '))
    forms.push(
      ...name
        .split(' - ')
        .map(fold)
        .filter((part) => part.length > 2),
    );
  // The Arabic article is written or left out.
  if (plain.length > 4 && plain.startsWith('ال')) forms.push(plain.slice(2));
  const spelledOut = withLettersSpelledOut(name);
  if (spelledOut !== undefined) forms.push(fold(spelledOut));
  // A Chinese or Japanese city is written with and without the word for city.
  if (plain.length >= 3 && plain.endsWith('市')) forms.push(plain.slice(0, -1));
  return forms;
}

/** The same folded name with its abbreviations written out, or its long words abbreviated; empty when none applies. */
function otherSpellings(folded: string): string[] {
  const words = folded.split(' ');
  const spellings: string[] = [];
  for (const [at, word] of words.entries()) {
    if (words.length === 1) break;
    for (const other of placeWordSpellings(word)) spellings.push(words.with(at, other).join(' '));
  }
  return spellings;
}

/** The suffixes of a folded name that start at a later word worth looking for; empty for a name of one word. */
function suffixes(folded: string): string[] {
  const found: string[] = [];
  for (let at = folded.indexOf(' ') + 1; at > 0; at = folded.indexOf(' ', at) + 1) {
    const tail = folded.slice(at);
    const blank = tail.indexOf(' ');
    const first = blank < 0 ? tail : tail.slice(0, blank);
    if (first.length > 1 && !stopWordSet.has(first)) found.push(tail);
  }
  return found;
}

/** Whether a name is one of GeoNames' machine romanisations: all small ASCII letters, as in `mosukuwa`. */
const isRomanised = (name: string): boolean => /^[a-z][a-z' =\-.]*$/.test(name);

/** Minimum population of a place whose attested aliases rank with main names. */
const wellKnownPopulation = 100_000;

/**
 * Writes the index of the names of places and features, and of the areas (countries, regions) that are their context.
 */
export async function buildPlaceNames(
  job: LayerJob,
  places: RankedPlaces,
  features: readonly RankedFeature[],
  columns: PlaceColumns,
  regions: Regions,
  countries: Countries,
  countryNames: CountryNames,
): Promise<Omit<LayerReport, 'sources'>> {
  const builder = new NameIndexBuilder();
  const ranks = mixedRanks(columns.prominence, columns.population, columns.placeCount);
  const postings = postingRanks(ranks);
  const rankOf = postings.ranks();
  const namesakes = mainNames(columns);
  let names = 0;
  let index = 0;
  for (const place of places) {
    const at = index++;
    names += addNames(place, namesakes, (key, kind) => builder.add(key, rankOf(at, kind)));
    if (index % 20_000 === 0) job.progress(0.45 + 0.3 * (index / places.size), 'indexing names');
  }
  for (const feature of features) {
    const at = index++;
    names += addFeatureNames(feature, (key, kind) => builder.add(key, rankOf(at, kind)));
  }
  const keys = builder.size;
  job.progress(0.8, 'sorting names');
  const nameIndex = builder.finish(
    columns.countries.length,
    (rank) => columns.country[postings.place(rank)],
    (rank) => postings.place(rank),
  );
  job.progress(0.9, 'indexing areas');
  const areas = buildAreas(columns, regions, countries, countryNames);
  writePack(join(job.directory, placeNamesFile), null, {
    ...packedColumns('name', nameIndex),
    ...packedColumns('area', areas.index),
    areas: areas.areas,
    ranks,
  });
  return { records: { names, nameKeys: keys }, dropped: {}, files: [placeNamesFile] };
}

/** Adds the keys of a main name: its forms, other spellings, and their suffixes. */
function addMainName(name: string, add: (key: string, kind: NameKind) => void): void {
  for (const form of foldedForms(name)) {
    for (const writing of [form, ...otherSpellings(form)]) {
      add(writing, nameKinds.main);
      for (const tail of suffixes(writing)) add(tail, nameKinds.inner);
    }
  }
}

/** Adds the keys of another name: its forms and other spellings. */
function addOtherName(name: string, kind: NameKind, add: (key: string, kind: NameKind) => void, plain?: string): void {
  for (const form of foldedForms(name, plain))
    for (const writing of [form, ...otherSpellings(form)]) add(writing, kind);
}

/** Adds all keys of a feature; returns the number of its distinct names. */
function addFeatureNames(feature: RankedFeature, add: (key: string, kind: NameKind) => void): number {
  addMainName(feature.name, add);
  const main = new Set([feature.name]);
  const others = new Set(feature.otherNames).difference(main);
  const known = new Set([...feature.knownNames, ...Object.values(feature.namesIn)]).difference(main).difference(others);
  for (const name of known) addOtherName(name, nameKinds.known, add);
  for (const name of others) addOtherName(name, nameKinds.other, add);
  return 1 + known.size + others.size;
}

/** Adds all keys of a place; returns the number of its distinct names. */
function addNames(
  place: RankedPlace,
  namesakes: ReadonlySet<string>,
  add: (key: string, kind: NameKind) => void,
): number {
  const main = new Set([place.name, place.asciiName, place.otherMainName ?? place.name]);
  for (const name of main) addMainName(name, add);
  const others = new Set(place.alternateNames).difference(main);
  const isAttested = place.population >= wellKnownPopulation ? attested(place, namesakes) : () => false;
  // With a distinguishing addition: Neustadt an der Weinstraße.
  const extended = `${fold(place.name)} `;
  for (const name of others) {
    const folded = fold(name);
    if (isRomanised(name)) {
      add(folded, nameKinds.romanised);
      continue;
    }
    const isKnown = place.knownNames?.includes(name) || isAttested(folded) || folded.startsWith(extended);
    addOtherName(name, isKnown ? nameKinds.known : nameKinds.other, add, folded);
  }
  return main.size + others.size;
}

/**
 * Minimum length of a common prefix, and number of names of a place that share it, for an alias to count as attested:
 * more where another town has it as its main name (Odessa in Texas, Salem in Oregon).
 */
const enough = { letters: 3, names: 2 };
const minPopulationDespiteNamesake = { letters: 4, names: 4 };
/** Minimum number of names for such evidence. */
const minNames = 12;
const latinLetter = /^[a-z]/;
/** People in a namesake of at least this population mean that one. */
const namesakePopulation = 15_000;

/** Folded main names of towns. */
function mainNames({ population, placeCount, nameOf }: PlaceColumns): ReadonlySet<string> {
  const towns = [...population.subarray(0, placeCount).entries()].filter(([, people]) => people >= namesakePopulation);
  return new Set(towns.map(([at]) => fold(nameOf(at))));
}

/**
 * Whether a name, folded, is what people call a place: without language tags the evidence is that other names of it begin alike
 * (Moskva, Moskau, Moskou; but one Salem of Jerusalem), or that it has a script of its own.
 */
function attested({ name, alternateNames }: RankedPlace, namesakes: ReadonlySet<string>): (key: string) => boolean {
  const folded = new Set([name, ...alternateNames]);
  const counts = new Map<string, number>();
  for (const each of folded) {
    if (isRomanised(each)) continue;
    const whole = fold(each);
    for (const { letters } of [enough, minPopulationDespiteNamesake]) {
      const beginning = `${letters} ${whole.slice(0, letters)}`;
      counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
    }
  }
  if (alternateNames.length < minNames) return () => true;
  return (key) => {
    if (!latinLetter.test(key)) return true;
    const { letters, names } = namesakes.has(key) ? minPopulationDespiteNamesake : enough;
    return counts.get(`${letters} ${key.slice(0, letters)}`)! >= names;
  };
}

/**
 * A name index whose posting values are positions in `areas`, the most populous area first; past its end they are
 * those of areas by a shortened name.
 */
type AreaColumns = { index: NameColumns; areas: Uint32Array };

/**
 * Lays out the countries and regions that hold places, by all their names and codes, so that a query's context words
 * can be looked up. `countryNames` are further names of countries by alpha-2 code.
 */
function buildAreas(
  places: PlaceColumns,
  regions: Regions,
  countries: Countries,
  countryNames: CountryNames,
): AreaColumns {
  const { areaPopulation: people, areaPlaceEnds: ends } = places;
  const areas = [...ends.keys()].filter((area) => ends[area] > (ends[area - 1] ?? 0));
  areas.sort((left, right) => people[right] - people[left] || left - right);
  const rank = new Map(areas.map((area, position) => [area, position]));
  const builder = new NameIndexBuilder();
  for (const [number, code] of places.countries.entries()) {
    if (code === '') continue;
    const position = rank.get(areaOfCountry(number))!;
    const country = countries.get(code)!;
    const names = [country.name, code, country.iso3, ...(countryNames.get(code) ?? [])];
    for (const name of new Set(names.map(fold))) {
      if (name !== '') builder.add(name, position);
    }
  }
  const shortened: { position: number; names: ReadonlySet<string> }[] = [];
  for (let region = 0; region < regions.size; region++) {
    const position = rank.get(areaOfRegion(region));
    if (position === undefined) continue;
    const { level, country, name, isoCode, sourceCode } = regions.get(region);
    const names = new Set([fold(name), ...regions.foldedNames(region)]);
    if (level === 1) {
      if (isoCode) names.add(fold(isoCode)).add(fold(isoCode.slice(3)));
      if (/\p{L}/u.test(sourceCode)) names.add(fold(sourceCode));
    }
    if (level === 2 && writtenSubregionCodes.has(country)) names.add(fold(sourceCode));
    for (const key of names) if (key !== '') builder.add(key, position);
    shortened.push({ position, names });
  }
  const common = commonWords(shortened.flatMap(({ names }) => [...names]));
  for (const { position, names } of shortened) {
    for (const name of names) {
      const short = withoutCommonWords(name, common);
      if (short !== undefined) builder.add(short, areas.length + position);
    }
  }
  return {
    index: builder.finish(
      0,
      () => 0,
      (value) => value % areas.length,
    ),
    areas: Uint32Array.from(areas),
  };
}

/** Countries where a town is written with the code of its level-2 region: `Lucca (LU)`. */
const writtenSubregionCodes: ReadonlySet<string> = new Set(['IT', 'FR']);

/** A word in at least this many names of regions is not distinctive: `county`, `oblast`, `north`. */
const commonFrom = 25;

/** Words that many names of regions begin or end with. */
function commonWords(names: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const words = name.split(' ');
    if (words.length === 1) continue;
    for (const word of new Set([words[0], words.at(-1)!])) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= commonFrom).map(([word]) => word));
}

/** A region's name as people shorten it: `Lamar County` is Lamar, `North Yorkshire` Yorkshire; undefined when it is short. */
function withoutCommonWords(name: string, common: ReadonlySet<string>): string | undefined {
  const words = name.split(' ');
  let from = 0;
  let to = words.length;
  while (to - from > 1 && common.has(words[to - 1])) to--;
  while (to - from > 1 && (common.has(words[from]) || words[from].length < 3)) from++;
  const short = words.slice(from, to).join(' ');
  return short.length >= 3 && short !== name ? short : undefined;
}
