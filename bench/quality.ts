/**
 * How many addresses of real files are found again when queried as people write them. Writes the tables of
 * docs/internal/quality.md. Needs ../shared/data, osmium, unzip, and a built dataset:
 *   node bench/quality.ts [dataset directory [misses to print [part of a file's title]]]
 * With a part of a title only those files are measured, and nothing is written.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Addresses } from '../src/store/address-contract.ts';
import { defaultDataset, sharedData } from '../test/support/dataset.ts';
import { importStreetFiles } from '../test/support/street-dataset.ts';
import { forms } from './quality/forms.ts';
import { asOpenAddresses, banSamples, defaultSections, sanFranciscoSamples } from './quality/held-out.ts';
import { measure, Namesakes, type Tally } from './quality/measure.ts';
import { replacePart, share, tableOf } from './quality/page.ts';
import { addressesOf, draw, randomNumbers, type Sample } from './quality/samples.ts';

const sampleSize = 1000;
const tunedOn: readonly (readonly [file: string, country: string])[] = [
  ['osm/liechtenstein-2024.osm.pbf', 'Liechtenstein'],
  ['osm/fi-helsinki.osm.pbf', 'Finland'],
  ['osm/us-baltimore.osm.pbf', 'USA'],
  ['osm/at-krems.osm.gz', 'Austria'],
  ['osm/de-dreieich.osm.gz', 'Germany'],
  ['osm/ru-moscow.osm.gz', 'Russia'],
  ['osm/monaco-planetiler.osm.pbf', 'Monaco'],
  ['openaddresses/oa-output-alameda/alameda/us/ca/alameda.csv', 'United States'],
  ['openaddresses/oa-output-santa_clara/santa_clara/us/ca/santa_clara.csv', 'United States of America'],
];

const dataset = process.argv[2] ?? defaultDataset();
if (!dataset) throw new Error('no dataset is built; run "npm run whereabouts -- build" or name a directory');
const printed = Number(process.argv[3] ?? 0);
const only = process.argv[4] ?? '';

const head = ['asked as', 'queries', 'first answer', 'at one place', 'of these, first answer', 'among ten', 'aim'];
function cellsOf({ queries, first, single, firstOfSingle, found }: Tally): (string | number)[] {
  return [queries, share(first, queries), single, share(firstOfSingle, single), share(found, queries)];
}

/** A section with a row for each form; says on the console how it goes. */
function section(title: string, all: readonly Sample[], addresses: Addresses, country: string): string {
  if (!title.includes(only)) return '';
  const samples = draw(all, sampleSize, randomNumbers(42)).map((sample) => ({ ...sample, country }));
  const namesakes = new Namesakes(all);
  const rows = forms.flatMap((form) => {
    const tally = measure(addresses, samples, namesakes, form);
    if (tally.queries === 0) return [];
    console.log([title, form.name, ...cellsOf(tally)].join(' | '));
    for (const miss of tally.misses.slice(0, printed)) console.log(`    ${miss}`);
    return [[form.name, ...cellsOf(tally), form.aim]];
  });
  return [`### ${title}`, '', `${samples.length} of ${all.length} addresses.`, '', tableOf(head, rows)].join('\n');
}

function shared(file: string): string {
  const path = sharedData(file);
  if (!path) throw new Error(`${file} is not in ../shared/data`);
  return path;
}

async function ofFile(dataset: string, title: string, path: string, all: readonly Sample[], country: string) {
  if (!title.includes(only)) return '';
  const imported = await importStreetFiles(dataset, [path]);
  const text = section(title, all, imported.addresses, country);
  imported.remove();
  return text;
}

async function tuned(dataset: string): Promise<string[]> {
  const sections: string[] = [];
  for (const [file, country] of tunedOn) {
    const path = shared(file);
    sections.push(await ofFile(dataset, basename(file), path, addressesOf(path), country));
  }
  return sections;
}

async function heldOut(dataset: string): Promise<string[]> {
  const layouts = (name: string) => shared(`openaddresses/source-layouts/${name}`);
  const paris = layouts('BAN_licence_gratuite_repartage_75.zip');
  const sanFrancisco = sanFranciscoSamples(layouts('us-ca-san_francisco-excerpt.zip'));
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-quality-'));
  try {
    const folder = join(directory, 'us/ca');
    mkdirSync(folder, { recursive: true });
    const csv = join(folder, 'san_francisco.csv');
    writeFileSync(csv, asOpenAddresses(sanFrancisco));
    return [
      await ofFile(dataset, 'Paris (BAN, 2015)', paris, banSamples(paris), 'France'),
      await ofFile(dataset, 'San Francisco (its own register)', csv, sanFrancisco, 'USA'),
      ...defaultSections(dataset, section),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const heldOutSections = await heldOut(dataset);
const tunedSections = await tuned(dataset);
if (only === '') {
  replacePart('held out', heldOutSections);
  replacePart('tuned on', tunedSections);
}
