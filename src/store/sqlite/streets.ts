/** Street search: by name, and by name around a position. */
import { StreetMatcher } from '../../core/address/street-match.ts';
import { queryWords, type Word } from '../../core/address/words.ts';
import { cellsAround } from '../../core/geo-cells.ts';
import type { Street as StreetAnswer, Streets } from '../address-contract.ts';
import { identifierOf } from './identifiers.ts';
import { nearestVertexKm } from './line-block.ts';
import type { Street, StreetFile } from './street-file.ts';
import { matchAll } from './terms.ts';
import { wholeNames } from './whole-name.ts';

/** Streets looked at in one file; around a position there are never so many of one name. */
const mostStreets = 2000;
const mostNamed = 300;

type Hit = { street: Street; file: number; km: number | null; coverage: number };

export function openStreets(files: readonly StreetFile[]): Streets {
  const matcher = new StreetMatcher();

  function find(words: readonly Word[], query: Parameters<Streets['search']>[0]): Hit[] {
    const { near, radiusKm, city, country } = query;
    const groups: Word[] = [['=s'], ...words];
    if (country !== undefined) groups.push([`=c${country.toLowerCase()}`]);
    const cityWords = city === undefined ? [] : queryWords(city);
    groups.push(...cityWords);
    if (near) {
      const cells = cellsAround(near, radiusKm);
      if (cells) groups.push(cells);
    }
    const hits: Hit[] = [];
    for (const [file, opened] of files.entries()) {
      let found = near
        ? opened.matchingLines(matchAll(groups), mostStreets)
        : opened.matching(matchAll(groups), mostNamed);
      if (!near && found.length === mostNamed) {
        found = [...opened.matching(matchAll([...groups, wholeNames(words)]), mostNamed), ...found];
        found = [...new Map(found.map((street) => [street.id, street])).values()];
      }
      for (const street of found) {
        const match = matcher.best(street.names, words);
        if (!match || match.used.size < words.length) continue;
        const { terms } = opened.area(street.area);
        if (!cityWords.every((word) => word.some((spelling) => terms.includes(spelling)))) continue;
        const km = near && street.lines ? nearestVertexKm(street.lines, near) : null;
        if (near && (km === null || km > radiusKm)) continue;
        hits.push({ street, file, km, coverage: match.coverage });
      }
    }
    return hits;
  }

  return {
    search(query) {
      const words = queryWords(query.text);
      if (words.length === 0) return [];
      let hits = find(words, query);
      if (hits.length === 0) {
        const near = (word: Word) => [
          ...word,
          ...(word.length > 1 ? [] : files.flatMap((file) => file.spelling.near(word[0]))),
        ];
        hits = find(
          words.map((word) => [...new Set(near(word))]),
          query,
        );
      }
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
