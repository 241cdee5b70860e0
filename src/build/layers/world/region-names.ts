import type { CrosswalkRegion, IsoSubdivision } from '../../../sources/place-lists.ts';
import type { NaturalEarthRegion } from '../../../sources/polygon-files.ts';
import { fold, simplifiedChinese } from '../../../text/fold.ts';

/** Names and their languages; `und` where the language is not stated. The first of a language is the one to show. */
export type Names = [language: string, name: string][];

/** A level-1 region to collect names for. */
type RegionToName = {
  /** `US.CA`: alpha-2 code and GeoNames admin1 code. */
  key: string;
  name: string;
  isoCode: string | undefined;
  crosswalk: CrosswalkRegion | undefined;
};

/** Countries whose codes ISO has reassigned since the crosswalk was made. */
const renumbered = new Set(['IR', 'MA']);

/**
 * Names of level-1 regions in all languages, one list for each region: those of its crosswalk entry, CLDR's English
 * one, those of CLDR in the languages that are still without one, those of Natural Earth, and ISO's local one. Codes in
 * all but CLDR may be a neighbour's, so names count only where one of them, folded, is a name the region is already known by.
 */
export function regionNames(
  regions: readonly RegionToName[],
  englishNames: ReadonlyMap<string, string>,
  naturalEarth: readonly NaturalEarthRegion[],
  cldr: ReadonlyMap<string, Names>,
  subdivisions: readonly IsoSubdivision[],
): Names[] {
  const isoNames = new Map(subdivisions.map(({ code, name }) => [code, name]));
  const ofCountry = Map.groupBy(
    regions.map(({ key, name }) => ({ key, name: fold(name) })),
    ({ key }) => key.slice(0, 2),
  );
  const lists = regions.map((region) => {
    const { name, isoCode = '', crosswalk } = region;
    const list = nameList(name);
    const fromCrosswalk = crosswalk ? [...crosswalk.names] : [];
    const isSameCode = crosswalk?.isoCode === isoCode && !renumbered.has(isoCode.slice(0, 2));
    const entry = new Set(fromCrosswalk.map(([, text]) => fold(text)));
    const own = fold(name);
    const isOfAnother = ofCountry.get(region.key.slice(0, 2))!.some((other) => isEntryOf(entry, own, other.name));
    if (!isOfAnother && (isSameCode || list.countOfShared(fromCrosswalk) > 0)) list.add(fromCrosswalk);
    const english: Names = [['en', englishNames.get(isoCode) ?? '']];
    if (list.countOfShared(english) > 0) list.add(english);
    return list;
  });

  const byCountry = Map.groupBy(lists.keys(), (position) => regions[position].key.slice(0, 2));
  const inCountry = new Map<NameList, NameList[]>();
  for (const positions of byCountry.values()) {
    const neighbours = positions.map((position) => lists[position]);
    for (const list of neighbours) inCountry.set(list, neighbours);
  }

  const byCode = new Map<string, NameList>();
  for (const [position, { key, isoCode }] of regions.entries()) {
    byCode.set(key, lists[position]);
    if (isoCode !== undefined) byCode.set(isoCode, lists[position]);
  }
  for (const { isoCode = '', geonamesCode = '', names } of naturalEarth) {
    const [best, other] = [...new Set([byCode.get(isoCode), byCode.get(geonamesCode)])]
      .filter((list) => list !== undefined)
      .map((list) => ({ list, shared: list.countOfShared(names) }))
      .sort((a, b) => b.shared - a.shared);
    // An entry whose codes are of two regions may have the names of both: Moscow's has those of Moscow Oblast.
    if (!best || best.shared === 0 || other?.shared) continue;
    // Its translations may be another region's altogether: Altai Krai's are those of the Altai Republic.
    const english = names.filter(([language]) => language === 'en');
    const isOfAnother = inCountry.get(best.list)!.some((list) => list !== best.list && list.countOfShared(english) > 0);
    if (!isOfAnother || best.list.countOfShared(english) > 0) best.list.addLater(names);
  }

  return regions.map(({ isoCode = '' }, position) => {
    // ISO writes local names, some with an addition: `Praha, Hlavní město`, `Puducherry (Pondicherry)`.
    const local = isoNames.get(isoCode)?.split(/\s*[,([]/)[0];
    return lists[position].finish(cldr.get(isoCode) ?? [], local ? [['und', local]] : []);
  });
}

/**
 * Whether a region's crosswalk entry is in truth another's: it has that one's name and not its own (Rukwa and Ruvuma are
 * swapped, West New Britain has the entry of East New Britain). A city may share a name with the region around it: Minsk
 * City is Minsk in most languages.
 */
function isEntryOf(entry: ReadonlySet<string>, own: string, others: string): boolean {
  return !entry.has(own) && entry.has(others) && !own.includes(others) && !others.includes(own);
}

/** A Chinese name in simplified characters, and as the sources have it where they write traditional ones. */
function inBothCharacters([language, name]: Names[number]): Names {
  const simplified = language === 'zh' ? simplifiedChinese(name) : name;
  return simplified === name
    ? [[language, name]]
    : [
        ['zh', simplified],
        ['zh-hant', name],
      ];
}

type NameList = ReturnType<typeof nameList>;

function nameList(mainName: string) {
  const all: Names = [];
  const later: Names = [];
  const folded = new Set([fold(mainName)]);
  const add = (names: Names) => {
    for (const [language, name] of names.flatMap(inBothCharacters)) {
      const isThere = all.some((other) => other[1] === name && (other[0] === language || language === 'und'));
      if (!isThere) all.push([language, name]);
      folded.add(fold(name));
    }
  };
  return {
    add,
    countOfShared: (names: Names): number => names.filter(([, name]) => folded.has(fold(name))).length,
    /** Adds names at the end, so that they do not decide which further names are shared. */
    addLater: (names: Names) => later.push(...names),
    finish(further: Names, last: Names): Names {
      const known = new Set(all.map(([language]) => language));
      add(further.filter(([language]) => !known.has(language)));
      add([...later, ...last]);
      return all;
    },
  };
}
