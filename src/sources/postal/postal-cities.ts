/**
 * Which place a postal code belongs to, for 218 countries: the "postal cities" tables of the Pelias geocoder (one
 * XXX.tsv a country, by alpha-3 code), from the npm package `pelias-wof-admin-lookup` (src/data). They were mined from
 * OpenStreetMap and OpenAddresses addresses against Who's On First. Columns: code, Who's On First id, place name,
 * abbreviation, place type, weight. The package says "open-data" and states no licence of the tables.
 */
import { readFileSync } from 'node:fs';
import { type DroppedRows, drop } from '../../core/dropped-rows.ts';
import type { NamedPostalRow } from '../../core/postal/code.ts';

/** Rows of one country's table, in its order; codes are as mined and hold much junk. */
export function postalCities(path: string, country: string, dropped: DroppedRows): NamedPostalRow[] {
  const rows: NamedPostalRow[] = [];
  const names = new Map<string, readonly string[]>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    const [code, , place, , , weight] = line.split('\t');
    if (!code || !place || !(Number(weight) > 0)) {
      drop(dropped, 'postal city row without code, place or weight');
      continue;
    }
    if (!names.has(place)) names.set(place, namesOf(place));
    rows.push({ country, code, place, names: names.get(place)!, weight: Number(weight) });
  }
  return rows;
}

/** What the tables add to names: `Shinagawa-ku`, `Chaves Municipality`, `Lausanne 25`. */
const suffix = /([- ](shi|ku|machi|cho|mura|gun|si|gu|eup|myeon|dong)| (Municipality|County|District|City)| \d+)$/i;

/** Ways in which gazetteers write the place: without additions, each half of `Benitachell / El Poble Nou`. */
function namesOf(place: string): string[] {
  const plain = place.replace(/ *\([^)]*\)/g, '').trim();
  const names = [place, plain, plain.replace(suffix, '')];
  if (/^St\.? /.test(plain)) names.push(plain.replace(/^St\.? /, 'Sankt '), plain.replace(/^St\.? /, 'Saint '));
  for (const half of plain.split(/ ?\/ ?/)) names.push(half);
  const article = /^(.+), (\p{L}{1,4})$/u.exec(plain);
  if (article) names.push(`${article[2]} ${article[1]}`);
  return [...new Set(names)].filter((name) => name !== '');
}
