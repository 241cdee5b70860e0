/** Street search: by name, and by name around a position. */
import { StreetMatcher } from '../../core/address/street-match.ts';
import { isTelling, queryWords, type Word } from '../../core/address/words.ts';
import { cellsAround } from '../../core/geo-cells.ts';
import type { Street as StreetAnswer, Streets } from '../address-contract.ts';
import { identifierOf } from './identifiers.ts';
import { nearestVertexKm } from './line-block.ts';
import { Mistakes } from './mistakes.ts';
import type { Street, StreetFile } from './street-file.ts';
import { countryTerm, matchAll } from './terms.ts';
import { wholeNames } from './whole-name.ts';

/** Streets looked at in one file; around a position there are never so many of one name. */
const mostStreets = 2000;
const mostNamed = 300;

type Hit = { street: Street; file: number; km: number | null; coverage: number };

export function openStreets(files: readonly StreetFile[]): Streets {
  const matcher = new StreetMatcher();

  function find(words: readonly Word[], query: Parameters<Streets['search']>[0]): Hit[] {
    const { near, radiusKm, city, country } = query;
    const cityWords = city === undefined ? [] : queryWords(city);
    // A city without a letter or digit is no city's name.
    if (city !== undefined && cityWords.length === 0) return [];
    const place: Word[] = near ? [...cityWords, cellsAround(near, radiusKm)] : cityWords;
    const hits: Hit[] = [];
    for (const [file, opened] of files.entries()) {
      for (const street of candidates(opened, words, place, near !== undefined, country)) {
        const match = street.isMapped ? matcher.best(street.names, words) : undefined;
        if (!match || match.used.size < words.length) continue;
        const area = opened.area(street.area);
        if (country !== undefined && area.country !== country) continue;
        if (!cityWords.every((word) => word.some((spelling) => area.terms.includes(spelling)))) continue;
        const km = near && street.lines ? nearestVertexKm(street.lines, near) : null;
        if (near && (km === null || km > radiusKm)) continue;
        hits.push({ street, file, km, coverage: match.coverage });
      }
    }
    return hits;
  }

  function candidates(
    file: StreetFile,
    words: readonly Word[],
    place: readonly Word[],
    isNear: boolean,
    country: string | undefined,
  ): Street[] {
    const find = (groups: readonly Word[]) =>
      isNear ? file.matchingLines(matchAll(groups), mostStreets) : file.matching(matchAll(groups), mostNamed);
    const most = isNear ? mostStreets : mostNamed;
    // As for addresses: first only by the words that tell streets apart.
    const telling = words.filter(isTelling);
    if (telling.length + place.length > 0) {
      const found = find([...telling, ...place]);
      if (found.length < most) return found;
    }
    const all = country === undefined ? place : [...place, [countryTerm(country)]];
    const found = find([...words, ...all]);
    if (isNear || found.length < most) return found;
    const exact = find([wholeNames(words), ...all]);
    return [...new Map([...exact, ...found].map((street) => [street.id, street])).values()];
  }

  return {
    search(query) {
      const words = queryWords(query.text);
      if (words.length === 0) return [];
      let hits = find(words, query);
      if (hits.length === 0) hits = find(new Mistakes(files).of(words), query);
      hits.sort(
        (a, b) =>
          (a.km === null ? b.coverage - a.coverage : a.km - b.km!) || a.street.id - b.street.id || a.file - b.file,
      );
      return hits.slice(0, query.limit).map(({ street, file, km }): StreetAnswer => {
        const { city, admin1, country } = files[file].area(street.area);
        const { id, names, highway, lat, lng } = street;
        return {
          id: identifierOf(id, file),
          name: names[0],
          highwayType: highway,
          city,
          admin1,
          country,
          lat,
          lng,
          distanceKm: km,
        };
      });
    },
  };
}
