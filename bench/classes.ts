/**
 * What a search, a list of suggestions and a reverse look-up cost by class of text, in one process and without anything kept
 * from an earlier request: the median and the 99th percentile in µs.
 * The clock of processor time is too coarse for one text; a median of the best of some rounds is hardly disturbed by other programs.
 *   node bench/classes.ts [checkout of another version, with its dataset in data/ [class]]
 * With another version both are asked in turns, each in a process of its own. Classes are texts of the dataset's places.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { defaultDataset } from '../test/support/dataset.ts';
import { randomNumbers } from '../test/support/random-numbers.ts';

type Question = { endpoint: 'search' | 'autocomplete' | 'reverse' | 'address'; parameters: Record<string, unknown> };
type Times = { median: number; high: number };
/** Of the questions of a class, those that are asked to warm up, and those that are measured. */
const warming = 200;
const measured = 400;
const rounds = 3;

const [other, only = '', questionsOfRun] = process.argv.slice(2);
if (questionsOfRun) await run(other, questionsOfRun);
else await compare();

/** The classes of questions, each with distinct texts. */
async function classesOf(): Promise<Record<string, Question[]>> {
  const { openDataset } = await import('../src/api/open.ts');
  const store = openDataset(defaultDataset()!);
  const { places, regions, countries } = store;
  const random = randomNumbers(11);
  const some = (share: number) => places.get(Math.floor(places.size * share * random()));
  const region = (admin1: number) => (admin1 < 0 ? '' : regions.get(admin1).name);
  const country = (code: string) => countries.get(code)?.name ?? '';
  const typo = (name: string) => {
    const at = 1 + Math.floor(random() * Math.max(1, name.length - 2));
    return name.slice(0, at) + name.slice(at + 1);
  };
  const isLong = ({ name }: { name: string }) => /^[a-z ]{6,}$/i.test(name);
  const where = (share: number) => {
    for (;;) {
      const place = some(share);
      if (isLong(place) && place.admin1 >= 0) return place;
    }
  };
  const words = () => Array.from({ length: 16 }, () => some(0.3).name.split(' ')[0]).join(' ');
  const nonsense = () => Math.floor(random() * 36 ** 8).toString(36);
  const house = () => {
    for (;;) {
      const { lat, lng, name } = some(0.1);
      const from = { lat: lat + (random() - 0.5) / 40, lng: lng + (random() - 0.5) / 40 };
      const [found] = store.addresses?.nearest(from, { maxKm: 1, limit: 1 }) ?? [];
      if (found?.houseNumber) return `${found.street} ${found.houseNumber}, ${found.city ?? name}`;
    }
  };
  const anywhere = () => ({ lat: (Math.asin(random() * 2 - 1) * 180) / Math.PI, lng: random() * 360 - 180 });
  const near = () => {
    const { lat, lng } = some(0.02);
    return { lat: lat + (random() - 0.5) / 50, lng: lng + (random() - 0.5) / 50 };
  };
  const scripts = ['ru', 'ar', 'zh', 'ja', 'el', 'hi', 'ko'];
  const inScript = () => {
    for (;;) {
      const place = some(0.02);
      const name = places.nameIn(place.index, scripts[Math.floor(random() * scripts.length)]);
      if (name !== place.name) return name;
    }
  };
  const make: Record<string, () => Question> = {
    'exact, large city': () => search(some(0.01).name),
    'exact, any place': () => search(some(1).name),
    'name + region': () => ((place) => search(`${place.name}, ${region(place.admin1)}`))(where(0.05)),
    'name + country': () => ((place) => search(`${place.name} ${country(place.country)}`))(where(0.05)),
    typo: () => search(typo(where(0.05).name)),
    'typo + country': () => ((place) => search(`${typo(place.name)} ${country(place.country)}`))(where(0.05)),
    'no match': () => search(nonsense()),
    'long, 16 words': () => search(words()),
    'ambiguous + region': () => ((place) => search(`San ${place.name} ${region(place.admin1)}`))(where(0.05)),
    postcode: () => search(String(10_000 + Math.floor(random() * 89_999))),
    'other script': () => search(inScript()),
    coordinates: () => ((at) => search(`${at.lat.toFixed(5)}, ${at.lng.toFixed(5)}`))(anywhere()),
    ...Object.fromEntries(
      [2, 3, 4, 5, 6, 8].map((letters) => [
        `prefix, ${letters} letters`,
        () => suggest([...some(0.1).name].slice(0, letters).join('').padEnd(2, 'a')),
      ]),
    ),
    'city + 3 letters of region': () =>
      ((place) => suggest(`${place.name} ${region(place.admin1).slice(0, 3)}`))(where(0.05)),
    'prefix with a typo': () => suggest(typo(where(0.05).name.slice(0, 7))),
    'address, /search': () => search(house()),
    'address, /address': () => ({ endpoint: 'address', parameters: { q: house() } }),
    'address with a typo, /search': () => search(typo(house())),
    'address with a typo, /address': () => ({ endpoint: 'address', parameters: { q: typo(house()) } }),
    'reverse, near a city': () => reverse(near()),
    'reverse, anywhere': () => reverse(anywhere()),
  };
  const classes: Record<string, Question[]> = {};
  for (const [name, one] of Object.entries(make)) {
    if (!name.includes(only)) continue;
    const distinct = new Map<string, Question>();
    for (let tried = 0; distinct.size < warming + measured && tried < 20_000; tried++) {
      const question = one();
      distinct.set(JSON.stringify(question), question);
    }
    classes[name] = [...distinct.values()];
  }
  return classes;
}

function search(q: string): Question {
  return { endpoint: 'search', parameters: { q } };
}

function suggest(q: string): Question {
  return { endpoint: 'autocomplete', parameters: { q } };
}

function reverse(at: { lat: number; lng: number }): Question {
  return { endpoint: 'reverse', parameters: at };
}

/** Asks a version's library every question once and prints the times of each class as JSON. */
async function run(root: string, path: string): Promise<void> {
  const { open } = await import(join(root, 'src/index.ts'));
  const library = open(join(root, 'data'));
  const classes = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Question[]>;
  const ask = ({ endpoint, parameters }: Question) => library[endpoint](parameters);
  const tolerant = (question: Question) => {
    try {
      ask(question);
    } catch (error) {
      if (!(error as { code?: string }).code) throw error;
    }
  };
  for (const questions of Object.values(classes)) for (const each of questions.slice(0, warming)) tolerant(each);
  const times: Record<string, Times> = {};
  for (const [name, questions] of Object.entries(classes)) {
    const each = questions.slice(-measured).map((question) => {
      const before = performance.now();
      tolerant(question);
      return (performance.now() - before) * 1000;
    });
    each.sort((one, two) => one - two);
    times[name] = { median: each[each.length >> 1], high: each[Math.floor(0.99 * each.length)] };
  }
  console.log(JSON.stringify(times));
}

/** Runs the versions in turns and prints each class by its best round. */
async function compare(): Promise<void> {
  const classes = await classesOf();
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-classes-'));
  const path = join(directory, 'questions.json');
  writeFileSync(path, JSON.stringify(classes));
  const roots = [...(other ? [resolve(other)] : []), join(import.meta.dirname, '..')];
  const best = new Map<string, Times>();
  for (let round = 0; round < rounds; round++) {
    for (const root of roots) {
      const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, root, '', path], { cwd: root });
      if (stdout.length === 0) throw new Error(String(stderr));
      for (const [name, times] of Object.entries(JSON.parse(String(stdout)) as Record<string, Times>)) {
        const key = `${root} ${name}`;
        const { median, high } = best.get(key) ?? times;
        best.set(key, { median: Math.min(median, times.median), high: Math.min(high, times.high) });
      }
    }
  }
  rmSync(directory, { recursive: true });
  console.log(`| µs: median, 99th percentile | ${roots.join(' | ')} |\n|---|${roots.map(() => '---').join('|')}|`);
  for (const name of Object.keys(classes)) {
    const cells = roots.map((root) => {
      const { median, high } = best.get(`${root} ${name}`)!;
      return `${median.toFixed(0)} · ${high.toFixed(0)}`;
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}
