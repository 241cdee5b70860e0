/** Street search: by name, and by name around a position. */
import { StreetMatcher } from '../../core/address/street-match.ts';
import { cellsAround } from '../../core/geo-cells.ts';
import { queryWords, type Word } from '../../text/words.ts';
import type { Street as StreetAnswer, Streets } from '../address-contract.ts';
import { identifierOf } from './identifiers.ts';
import { nearestVertexKm } from './line-block.ts';
import { Mistakes } from './mistakes.ts';
import { fewCandidates, streetCandidates } from './street-candidates.ts';
import type { Street, StreetFile } from './street-file.ts';
import { matchAll } from './terms.ts';

/** When a circle has this many streets of a name, circles are searched from small to large until enough is found. */
const manyInCircle = 100;
const firstCircleKm = 1;
/** Streets looked at in one circle and file; of one name there are never so many in one of those that are gone through. */
const mostInCircle = 2000;

type Hit = { street: Street; file: number; km: number | null; coverage: number };
type Query = Parameters<Streets['search']>[0];

export function openStreets(files: readonly StreetFile[]): Streets {
  const matcher = new StreetMatcher();

  function find(words: readonly Word[], query: Query): Hit[] {
    const { near, radiusKm, city, country, limit } = query;
    const cityWords = city === undefined ? [] : queryWords(city);
    // A city without a letter or digit is no city's name.
    if (city !== undefined && cityWords.length === 0) return [];
    const hitOf = hitFinder(words, cityWords, country);
    if (near === undefined) {
      const within = { groups: cityWords, country };
      return files.flatMap((opened, file) =>
        streetCandidates(opened, words, within).flatMap((id) => hitOf(file, opened.get(id), null)),
      );
    }
    const groups = (km: number) => [...cityWords, cellsAround(near, km)];
    const hitsWithin = (km: number, ids: readonly number[], file: number) =>
      ids.flatMap((id) => {
        const street = files[file].getWithLines(id);
        const distance = street.lines ? nearestVertexKm(street.lines, near) : Number.POSITIVE_INFINITY;
        return distance > km ? [] : hitOf(file, street, distance);
      });
    const all = files.map((file) => fewCandidates(file, words, { groups: groups(radiusKm), country }, manyInCircle));
    if (all.every((ids) => ids !== undefined)) return all.flatMap((ids, file) => hitsWithin(radiusKm, ids, file));
    for (let km = Math.min(firstCircleKm, radiusKm); ; km = Math.min(radiusKm, 2 * km)) {
      const match = matchAll([...words, ...groups(km)]);
      const hits = files.flatMap((opened, file) => hitsWithin(km, opened.matching(match, mostInCircle), file));
      if (km === radiusKm || hits.length >= limit) return hits;
    }
  }

  /** Gives a street as a hit where it has all words in one of its names and lies in the city and country asked for. */
  function hitFinder(words: readonly Word[], cityWords: readonly Word[], country: string | undefined) {
    return (file: number, street: Street, km: number | null): Hit[] => {
      const match = street.isMapped ? matcher.best(street.names, words) : undefined;
      if (!match || match.used.size < words.length) return [];
      const area = files[file].area(street.area);
      if (country !== undefined && area.country !== country) return [];
      if (!cityWords.every((word) => word.some((spelling) => area.terms.includes(spelling)))) return [];
      return [{ street, file, km, coverage: match.coverage }];
    };
  }

  return {
    search(query) {
      const words = queryWords(query.text);
      if (words.length === 0) return [];
      let hits = find(words, query);
      if (hits.length === 0) hits = find(new Mistakes(files).of(words, query.text), query);
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
