/** Street search: by name, and by name around a position. */
import { StreetMatcher } from '../../core/address/street-match.ts';
import { queryWords, type Word } from '../../core/address/words.ts';
import { cellsAround } from '../../core/geo-cells.ts';
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
    const fits = (file: StreetFile, { area }: Street) => {
      const { country: itsCountry, terms } = file.area(area);
      const isInCity = cityWords.every((word) => word.some((spelling) => terms.includes(spelling)));
      return isInCity && (country === undefined || itsCountry === country);
    };
    if (!near) {
      return files.flatMap((opened, file) =>
        streetCandidates(opened, words, { groups: cityWords, country }).flatMap((id): Hit[] => {
          const street = opened.get(id);
          const coverage = coverageOf(street, words);
          return coverage === undefined || !fits(opened, street) ? [] : [{ street, file, km: null, coverage }];
        }),
      );
    }
    const groups = (km: number) => [...cityWords, cellsAround(near, km)];
    const within = (km: number, streets: (file: StreetFile) => readonly number[]) =>
      files.flatMap((opened, file) =>
        streets(opened).flatMap((id): Hit[] => {
          const street = opened.getWithLines(id);
          const coverage = coverageOf(street, words);
          if (coverage === undefined || !street.lines || !fits(opened, street)) return [];
          const distance = nearestVertexKm(street.lines, near);
          return distance > km ? [] : [{ street, file, km: distance, coverage }];
        }),
      );
    const few = files.map((file) => fewCandidates(file, words, { groups: groups(radiusKm), country }, manyInCircle));
    if (!few.includes(undefined)) return within(radiusKm, (file) => few[files.indexOf(file)]!);
    for (let km = Math.min(firstCircleKm, radiusKm); ; km = Math.min(radiusKm, 2 * km)) {
      const hits = within(km, (file) => file.matching(matchAll([...words, ...groups(km)]), mostInCircle));
      if (km === radiusKm || hits.length >= limit) return hits;
    }
  }

  /** Share of a street's name that the words are; undefined when a word is not in it or it has no geometry. */
  function coverageOf(street: Street, words: readonly Word[]): number | undefined {
    const match = street.isMapped ? matcher.best(street.names, words) : undefined;
    return match?.used.size === words.length ? match.coverage : undefined;
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
