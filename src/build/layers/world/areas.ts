import { areaOfCountry, areaOfRegion } from '../../../store/gazetteer.ts';
import type { NameColumns } from '../../../store/packed/names/name-index.ts';
import { NameIndexBuilder } from '../../../store/packed/names/name-index-builder.ts';
import type { Countries, Regions } from '../../../store/store.ts';
import { fold } from '../../../text/fold.ts';
import type { CountryNames } from './country-names.ts';
import type { PlaceColumns } from './place-table.ts';

/**
 * A name index whose posting values are positions in `areas`, the most populous area first; past its end they are
 * those of areas by a shortened name.
 */
type AreaColumns = { index: NameColumns; areas: Uint32Array };

/**
 * Lays out the countries and regions that hold places, by all their names and codes, so that a query's context words
 * can be looked up. `countryNames` are further names of countries by alpha-2 code.
 */
export function buildAreas(
  places: PlaceColumns,
  regions: Regions,
  countries: Countries,
  countryNames: CountryNames,
): AreaColumns {
  const inhabitants = populations(places);
  const areas = [...inhabitants.keys()].sort(
    (left, right) => inhabitants.get(right)! - inhabitants.get(left)! || left - right,
  );
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
    const { level, name, isoCode, sourceCode } = regions.get(region);
    const names = new Set([fold(name), ...regions.foldedNames(region)]);
    if (level === 1) {
      if (isoCode) names.add(fold(isoCode)).add(fold(isoCode.slice(3)));
      if (/\p{L}/u.test(sourceCode)) names.add(fold(sourceCode));
    }
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

/** Inhabitants of the known places of each area that has any place. */
/** Population of each area that contains a place or feature; features have none. */
function populations({ country, admin1, admin2, population }: PlaceColumns): Map<number, number> {
  const inhabitants = new Map<number, number>();
  const count = (area: number, people: number) => inhabitants.set(area, (inhabitants.get(area) ?? 0) + people);
  for (const [at, people] of population.entries()) {
    count(areaOfCountry(country[at]), people);
    if (admin1[at] >= 0) count(areaOfRegion(admin1[at]), people);
    if (admin2[at] >= 0) count(areaOfRegion(admin2[at]), people);
  }
  return inhabitants;
}
