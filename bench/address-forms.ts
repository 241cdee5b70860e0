/**
 * How many real addresses are found when they are written in a country's own way (quality/address-forms.ts). Prints the
 * misses of the training half, and totals of both; writes the table of docs/internal/quality.md:
 *   node bench/address-forms.ts [dataset directory [misses to print [part of a form's name]]]
 */
import { createHash } from 'node:crypto';
import { distanceKm } from '../src/core/geo.ts';
import { defaultDataset, sharedData } from '../test/support/dataset.ts';
import { importStreetFiles, type StreetDataset } from '../test/support/street-dataset.ts';
import { type AddressForm, addressForms, crossingForms, type FormCase } from './quality/address-forms.ts';
import { nearEnoughKm } from './quality/measure.ts';
import { replacePart, share, tableOf } from './quality/page.ts';
import { crossingsOf, draw, randomNumbers, type Sample, taggedAddresses } from './quality/samples.ts';

const [dataset = defaultDataset(), printed = '0', wanted = ''] = process.argv.slice(2);
if (!dataset) throw new Error('no dataset is built; run "npm run whereabouts -- build" or name a directory');

const isHeldOut = (text: string) => createHash('sha256').update(text).digest()[0] % 2 === 1;

/** Maximum number of crossings queried of one file. */
const maxCrossings = 400;

function isRight(
  addresses: StreetDataset['addresses'],
  { expected, ...query }: FormCase,
  matchType: 'exact' | 'intersection',
): [boolean, string] {
  const [first] = addresses.search({ ...query, limit: 5 });
  const got = first ? `${first.street} ${first.houseNumber}, ${first.city}: ${first.matchType}` : 'nothing';
  if (expected === undefined) return [first?.matchType !== 'exact', got];
  const isThere = expected.some((each) => first !== undefined && distanceKm(first, each) <= nearEnoughKm);
  return [first?.matchType === matchType && isThere, got];
}

/** Cases of a form; addresses at several places are left out, as no answer is right for all. */
function casesOf(form: AddressForm, samples: ReturnType<typeof taggedAddresses>): FormCase[] {
  const byText = new Map<string, FormCase[]>();
  const places = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = `${sample.street} ${sample.number}`;
    places.set(key, [...(places.get(key) ?? []), sample]);
  }
  for (const [at, sample] of samples.entries()) {
    const query = form.of(sample, at);
    const others = sample.street === '' ? [] : places.get(`${sample.street} ${sample.number}`)!;
    if (!query || others.some((other) => distanceKm(other, sample) > nearEnoughKm)) continue;
    const key = `${query.text}\t${query.city ?? ''}`;
    const one = { ...query, expected: form.isAbsent ? undefined : [sample] };
    byText.set(key, [...(byText.get(key) ?? []), one]);
  }
  const isOnePlace = ([first, ...others]: FormCase[]) =>
    !first.expected || others.every(({ expected }) => distanceKm(expected![0], first.expected![0]) <= nearEnoughKm);
  return [...byText.values()].filter(isOnePlace).map(([first]) => first);
}

const rows: (string | number)[][] = [];
const files = [...new Set([...addressForms, ...crossingForms].map(({ file }) => file))];
for (const file of files) {
  const isWanted = (form: { file: string; name: string }) => form.file === file && form.name.includes(wanted);
  const forms = addressForms.filter(isWanted);
  const ofCrossings = crossingForms.filter(isWanted);
  if (forms.length + ofCrossings.length === 0) continue;
  const path = sharedData(file);
  if (!path) throw new Error(`${file} is not in ../shared/data`);
  const samples = forms.length > 0 ? taggedAddresses(path) : [];
  const imported = await importStreetFiles(dataset, [path]);
  for (const form of forms) report(form, casesOf(form, samples), 'exact');
  const pairs = ofCrossings.length > 0 ? draw(crossingsOf(path), maxCrossings, randomNumbers(5)) : [];
  for (const form of ofCrossings) {
    report(
      form,
      pairs.map(({ one, other, at }) => ({ text: form.of(one, other), expected: at })),
      'intersection',
    );
  }

  function report({ name }: { name: string }, cases: readonly FormCase[], matchType: 'exact' | 'intersection'): void {
    const right = { mended: 0, heldOut: 0 };
    const queries = { mended: 0, heldOut: 0 };
    let shown = 0;
    for (const one of cases) {
      const half = isHeldOut(one.text) ? 'heldOut' : 'mended';
      const [isHit, got] = isRight(imported.addresses, one, matchType);
      queries[half]++;
      if (isHit) right[half]++;
      else if (half === 'mended' && shown++ < Number(printed))
        console.log(`    ${one.text} [${one.city ?? ''}] -> ${got}`);
    }
    const row = [
      name,
      file.replace(/.*\/|\.osm.*/g, ''),
      queries.mended,
      share(right.mended, queries.mended),
      queries.heldOut,
      share(right.heldOut, queries.heldOut),
    ];
    console.log(row.join(' | '));
    rows.push(row);
  }
  imported.remove();
}
if (wanted === '') {
  const head = ['written as', 'file', 'mended on', 'right', 'held out', 'right'];
  replacePart('forms', [tableOf(head, rows)]);
}
