/**
 * How many addresses of real files are found again when they are asked for as people write them. Writes the tables of
 * docs/quality.md. Needs ../shared/data, osmium, and a built dataset:
 *   node bench/quality.ts [dataset directory]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { distanceKm } from '../src/core/geo.ts';
import type { Addresses } from '../src/store/address-contract.ts';
import { defaultDataset, sharedData } from '../test/support/dataset.ts';
import { importStreetFiles } from '../test/support/street-dataset.ts';
import { type Form, forms } from './quality/forms.ts';
import { addressesOf, draw, randomNumbers, type Sample } from './quality/samples.ts';

const sampleSize = 1000;
const nearEnoughKm = 0.025;
const files = [
  'osm/liechtenstein-2024.osm.pbf',
  'osm/fi-helsinki.osm.pbf',
  'osm/us-baltimore.osm.pbf',
  'osm/at-krems.osm.gz',
  'osm/de-dreieich.osm.gz',
  'osm/ru-moscow.osm.gz',
  'osm/monaco-planetiler.osm.pbf',
  'openaddresses/oa-output-alameda/alameda/us/ca/alameda.csv',
  'openaddresses/oa-output-santa_clara/santa_clara/us/ca/santa_clara.csv',
];

type Tally = { asked: number; first: number; found: number; misses: string[] };

function measure(addresses: Addresses, samples: readonly Sample[], form: Form): Tally {
  const random = randomNumbers(7);
  const tally: Tally = { asked: 0, first: 0, found: 0, misses: [] };
  for (const sample of samples) {
    const text = form.ask(sample, random);
    if (text === undefined) continue;
    tally.asked++;
    const results = addresses.search({ text, limit: 10 });
    const isHit = results.map((result) => result.matchType === 'exact' && distanceKm(result, sample) <= nearEnoughKm);
    if (isHit[0]) tally.first++;
    if (isHit.includes(true)) tally.found++;
    else
      tally.misses.push(
        `${text} [${sample.city ?? ''}] -> ${results[0]?.street} ${results[0]?.houseNumber} ${results[0]?.matchType}`,
      );
  }
  return tally;
}

const share = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

const dataset = process.argv[2] ?? defaultDataset();
if (!dataset) throw new Error('no dataset is built; run "npm run whereabouts -- build" or name a directory');
const sections: string[] = [];
for (const file of files) {
  const path = sharedData(file);
  if (!path) throw new Error(`${file} is not in ../shared/data`);
  const all = addressesOf(path);
  const samples = draw(all, sampleSize, randomNumbers(42));
  const imported = await importStreetFiles(dataset, [path]);
  const rows = forms.map((form) => {
    const { asked, first, found, misses } = measure(imported.addresses, samples, form);
    console.log(
      `${basename(file)}: ${form.name}: ${asked} asked, first ${share(first, asked)}, among 10 ${share(found, asked)}`,
    );
    for (const miss of misses.slice(0, Number(process.argv[3] ?? 0))) console.log(`    ${miss}`);
    return `| ${form.name} | ${asked} | ${share(first, asked)} | ${share(found, asked)} | ${form.aim} |`;
  });
  imported.remove();
  sections.push(
    [
      `### ${basename(file)}`,
      '',
      `${samples.length} of ${all.length} addresses.`,
      '',
      '| asked as | queries | first answer | among ten | aim |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
  );
}
const page = join(import.meta.dirname, '../docs/quality.md');
const begin = '<!-- made by bench/quality.ts -->';
const [head] = readFileSync(page, 'utf8').split(begin);
writeFileSync(page, `${head}${begin}\n\n${sections.join('\n\n')}\n`);
