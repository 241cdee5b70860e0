/**
 * The slowest texts that a random search finds: changes one at random, keeps it where it costs more CPU time, and
 * prints the worst of each endpoint: `node bench/worst-queries.ts [seconds for each [seed]]`. The time of a text is the
 * minimum of a few calls, so that collecting garbage and other programs count little.
 */
import { address } from '../src/endpoints/address.ts';
import { autocomplete } from '../src/endpoints/autocomplete.ts';
import type { Endpoint } from '../src/endpoints/endpoint.ts';
import { search } from '../src/endpoints/search.ts';
import { openDataset } from '../src/store/open.ts';
import type { Store } from '../src/store/store.ts';
import { ask } from '../test/support/ask.ts';
import { defaultDataset } from '../test/support/dataset.ts';
import { randomNumbers } from './quality/samples.ts';

const [seconds = '30', seed = '1'] = process.argv.slice(2);
const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
// Answers of a changing store are not cached.
const store: Store = Object.create(openDataset(directory), { isPartial: { value: true } });
const random = randomNumbers(Number(seed));
const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];

const starts = [
  Array.from({ length: 40 }, (_, at) => 11 + 7 * at).join(' '),
  Array.from({ length: 12 }, (_, at) => `san ${at}`).join(' '),
  'Zwick & Sons Ltd, 7 Rue de la Paix, Zona Pradera, Montevideo, Uruguay',
  'a b c d e f g h i j k l m n o p q r s t u v w x y z',
  'santa maria de la san jose del rio grande north new york city',
  '18 de Julio y Ejido y Colonia y San Jose, Montevideo',
  'нижний новгород улица ленина дом сорок два корпус 3',
  '東京都千代田区霞が関三丁目1番1号中央区日本橋本町',
  'οδός αγίου γεωργίου 12 θεσσαλονίκη ελλάδα',
  'شارع الملك فهد ۱۲ الرياض المملكة العربية السعودية',
  'नई दिल्ली महात्मा गांधी मार्ग १२ भारत',
  'ถนนสุขุมวิท ซอย 12 กรุงเทพมหานคร',
  '서울특별시 중구 세종대로 110 대한민국',
  'רחוב הרצל 12 תל אביב ישראל',
];
/** Letters of the scripts that texts come in, a few of each: an attacker has more than the Latin ones. */
const letters = [...'aeisnt1,9 äßçøžаеинояьщαεισςθاليمنوةअािनर्म東京市区のア1서울시구אהוגוกานเ์'];

const words = [
  ...'san santa de la 12 1 new st saint north & y and , 10115 main street avenue al el city 1a'.split(' '),
  ...'улица дом щяжю ленина οδός ψξθφ شارع الملك ۱۲ मार्ग १२ ถนน ซอย 12ก 東京都 丁目 3番 로 길 시 רחוב ﷺ ½ №5 1a2b3c 5-7/9'.split(
    ' ',
  ),
  ...foreignNames(60),
  ...Array.from({ length: 60 }, () => store.places.get(Math.floor(store.places.size * random() ** 2)).name),
];

/** Words of place names in other scripts. */
function foreignNames(count: number): string[] {
  const { placeNames } = store.gazetteer;
  const names: string[] = [];
  for (const start of 'абвмнскτακσاملعनमकदถบก東京山大서대부ירשת'.split('')) {
    const { from, to } = placeNames.prefixRange(start);
    for (let at = 0; at < 3 && from < to; at++) names.push(placeNames.text(from + Math.floor(random() * (to - from))));
  }
  return names.slice(0, 2 * count);
}

/** A text with a word or letter added, removed or replaced. */
function changed(text: string): string {
  const parts = text.split(' ');
  const at = Math.floor(random() * parts.length);
  const kind = Math.floor(random() * 5);
  if (kind === 0) parts.splice(at, 0, any(words));
  else if (kind === 1 && parts.length > 1) parts.splice(at, 1);
  else if (kind === 2) parts[at] = any(words);
  else if (kind === 3) parts.splice(at, 0, any(parts));
  else {
    const letter = Math.floor(random() * (parts[at].length + 1));
    parts[at] = parts[at].slice(0, letter) + any(letters) + parts[at].slice(letter + Math.floor(random() * 2));
  }
  return parts.join(' ').slice(0, 250);
}

/** CPU time of a call in ms: the minimum of a few. */
function cost(endpoint: Endpoint, q: string, calls = 3): number {
  let min = Number.POSITIVE_INFINITY;
  for (let call = 0; call < calls; call++) {
    const before = process.cpuUsage();
    ask(endpoint, store, { q });
    const { user, system } = process.cpuUsage(before);
    min = Math.min(min, (user + system) / 1000);
  }
  return min;
}

for (const endpoint of [search, autocomplete, address] as Endpoint[]) {
  // Compiled code is what is measured.
  for (const start of starts) cost(endpoint, start, 10);
  let kept = starts.map((text) => ({ text, ms: cost(endpoint, text) }));
  const end = Date.now() + Number(seconds) * 1000;
  while (Date.now() < end) {
    const text = changed(any(kept).text);
    if (text.trim().length < 2) continue;
    kept.push({ text, ms: cost(endpoint, text) });
    kept = kept.toSorted((left, right) => right.ms - left.ms).slice(0, 8);
  }
  console.log(endpoint.path);
  for (const { text } of kept.slice(0, 4)) console.log(`  ${cost(endpoint, text, 9).toFixed(1)} ms  ${text}`);
}
