/** Everything that a part of street-level data answers, without the internal row numbers. */

import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import { nameWords } from '../../src/text/words.ts';
import { poiCategories } from './poi-categories.ts';

/** The streets of a part in order with their houses, its points of interest, and how many records have each word. */
export function dumpPart(directory: string, name: string, countries: readonly string[]) {
  const { streets: files, pois: poiFiles, close } = openStreetFiles(directory, [{ name, number: 0 }]);
  const streets: unknown[] = [];
  const pois: string[] = [];
  const words: Record<string, number> = {};
  for (const file of files) {
    const found = countries.flatMap((country) => file.matching([{ country }], 1e6)).sort((a, b) => a - b);
    for (const id of found) {
      const { area, names, ...street } = file.street(id);
      const houses = [];
      for (let block = file.housesAt(id, 0); ; block = file.housesAfter(id, block.at(-1)!.base)) {
        if (block.length === 0 && houses.length === 0) block = file.housesAfter(id, 0);
        if (block.length === 0) break;
        houses.push(...block);
      }
      streets.push({ ...street, id: 0, names, area: file.area(area), houses });
      for (const word of names.flatMap((text) => nameWords(text).flat())) words[word] = file.vocabulary.count(word);
    }
    words.records = file.vocabulary.records;
  }
  for (const file of poiFiles) {
    for (const category of poiCategories) {
      for (const { id, lat, lng } of file.matching([{ category }])) pois.push(JSON.stringify([lat, lng, file.poi(id)]));
    }
  }
  close();
  return { streets, pois: pois.sort(), words };
}
