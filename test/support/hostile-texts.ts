/** Texts that cost much work: found by changing one at random and keeping it where it costs more, in every interface. */
import { StatementSync } from 'node:sqlite';
import { endpoints } from '../../src/endpoints/index.ts';
import { PlaceSearch } from '../../src/geocoding/search-places.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from './ask.ts';
import { testService } from './service.ts';

const { address, autocomplete, search } = endpoints;

/** Longer texts are cut. */
const maxLetters = 200;
/** Texts that are changed further: the dearest so far. */
const kept = 8;

const repeated = (text: string) => text.repeat(Math.ceil(maxLetters / text.length)).slice(0, maxLetters);

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
  "fr gb box a san lake 1丁目 1丁目 di il ул old san , road north 東京都 london monaco park del zum ' springfield fr monaco suite vaduz bar de , a 1丁目 à lake y london park",
  "y é de monaco charlotte po york li l' москва la fr landstrasse é ; o und 1 شارع شارع , 新宿区 улица ; ü , park park ; 1-2-3 , park park gb улица park ; 1-2-3 ü in park ; z 1-2-3 in",
  "улица l' de de hotel شارع north park é la landstrasse é ; ; 1 شارع улица , li 1-2-3 , park park gb park park gb y ; 1-2-3 ü ; 1-2-3 ü in in charlotte ; 1-2-3 ü 9490",
  ...['1 a,', '1 a b, ', ',, берлин ', 'Straße ', 'ﷺ', "d' "].map(repeated),
  ...['i ', 'de ', 'la rue '].map((unit) => `1 ${repeated(unit).slice(2, -2)} a`),
];
/** Letters of the scripts that texts come in, a few of each: an attacker has more than the Latin ones. */
const letters = [...'aeisnt1,9 äßçøžаеинояьщαεισςθاليمنوةअािनर्म東京市区のア1서울시구אהוגוกานเ์'];
const fixedWords = [
  ...'san santa de la 12 1 new st saint north & y and , 10115 main street avenue al el city 1a'.split(' '),
  ...'улица дом щяжю ленина οδός ψξθφ شارع الملك ۱۲ मार्ग १२ ถนน ซอย 12ก 東京都 丁目 3番 로 길 시 רחוב ﷺ ½ №5 1a2b3c 5-7/9'.split(
    ' ',
  ),
];

/** What each interface does with a text; `close` ends the service of the drop-ins. */
export async function interfacesOf(
  store: Store,
): Promise<{ interfaces: Record<string, (q: string) => void | Promise<void>>; close(): Promise<void> }> {
  // Answers of a changing store are not cached.
  const changing: Store = Object.create(store, { isPartial: { value: true } });
  const service = await testService(undefined, { store: { current: changing } });
  const asking =
    (path: string, name = 'q', more = {}) =>
    async (text: string) => {
      const { status } = await service.ask(`${path}?${new URLSearchParams({ ...more, [name]: text })}`);
      if (status >= 500) throw new Error(`${path} answers ${status} to ${text}`);
    };
  const interfaces = {
    '/v1/search': (q: string) => void ask(search, changing, { q }),
    '/v1/search?layers=place': (q: string) => void ask(search, changing, { q, layers: 'place' }),
    '/v1/search?layers=address': (q: string) => void ask(search, changing, { q, layers: 'address' }),
    '/v1/search?layers=place,street,address,poi': (q: string) =>
      void ask(search, changing, { q, layers: 'place,street,address,poi' }),
    '/v1/autocomplete': (q: string) => void ask(autocomplete, changing, { q }),
    '/v1/autocomplete?layers=address': (q: string) => void ask(autocomplete, changing, { q, layers: 'address' }),
    '/v1/address': (q: string) => void ask(address, changing, { q }),
    '/v1/address?street=&city=': (q: string) =>
      void ask(address, changing, { street: q, city: q.slice(maxLetters / 2) || q }),
    '/nominatim/search': asking('/nominatim/search'),
    '/photon/api': asking('/photon/api'),
    '/photon/api?layer=house': asking('/photon/api', 'q', { layer: 'house' }),
    '/pelias/v1/autocomplete': asking('/pelias/v1/autocomplete', 'text'),
  };
  return { interfaces, close: service.close };
}

/**
 * The dearest texts of `rounds` random changes (or until `isOver`), dearest first; `costOf` says what a text costs, `random`
 * returns numbers in [0, 1). Equal random numbers and costs give equal texts.
 */
export async function dearestTexts(
  store: Store,
  costOf: (text: string) => Promise<number>,
  random: () => number,
  isOver: (round: number) => boolean,
): Promise<{ text: string; cost: number }[]> {
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const words = [
    ...fixedWords,
    ...foreignNames(store, random),
    ...Array.from({ length: 60 }, () => store.places.get(Math.floor(store.places.size * random() ** 2)).name),
  ];
  /** A text with a word or letter added, removed or replaced, or the start of it again and again. */
  const changed = (text: string): string => {
    const parts = text.split(' ');
    const at = Math.floor(random() * parts.length);
    const kind = Math.floor(random() * 6);
    if (kind === 0) parts.splice(at, 0, any(words));
    else if (kind === 1 && parts.length > 1) parts.splice(at, 1);
    else if (kind === 2) parts[at] = any(words);
    else if (kind === 3) parts.splice(at, 0, any(parts));
    else if (kind === 4) return repeated(`${parts.slice(at, at + 3).join(' ')} `);
    else {
      const letter = Math.floor(random() * (parts[at].length + 1));
      parts[at] = parts[at].slice(0, letter) + any(letters) + parts[at].slice(letter + Math.floor(random() * 2));
    }
    return parts.join(' ').slice(0, maxLetters);
  };
  let dearest = await Array.fromAsync(starts, async (text) => ({ text, cost: await costOf(text) }));
  for (let round = 0; !isOver(round); round++) {
    const text = changed(any(dearest).text);
    if (text.trim().length < 2) continue;
    dearest.push({ text, cost: await costOf(text) });
    dearest = dearest.toSorted((left, right) => right.cost - left.cost).slice(0, kept);
  }
  return dearest;
}

/** Words of place names in other scripts. */
function foreignNames({ gazetteer: { placeNames } }: Store, random: () => number): string[] {
  const names: string[] = [];
  for (const start of 'абвмнскτακσاملعनमकदถบก東京山大서대부ירשת') {
    const { from, to } = placeNames.prefixRange(start);
    for (let at = 0; at < 3 && from < to; at++) names.push(placeNames.text(from + Math.floor(random() * (to - from))));
  }
  return names.slice(0, 120);
}

/** A statement of SQLite costs about as much as so many look-ups of a name. */
const stepsOfStatement = 100;

/**
 * Counts the steps of all look-ups from now on, in this process: names looked up, keys compared, nodes of tries, postings,
 * places scored, statements of SQLite and their rows. The same call takes the same steps on any machine. Returns the number so far.
 */
export function countSteps({ gazetteer }: Store): () => number {
  let steps = 0;
  const around = <T extends object>(owner: T, names: readonly string[], made: (method: Method) => Method) => {
    const methods = owner as Record<string, Method>;
    for (const name of names) methods[name] = made(methods[name]);
  };
  const counted = (method: Method): Method =>
    function (this: unknown, ...given) {
      steps++;
      return method.apply(this, given);
    };
  const nameIndexes = [gazetteer.placeNames, gazetteer.areaNames];
  for (const index of nameIndexes) around(index, ['exact', 'prefixRange'], counted);
  const { lattice } = new PlaceSearch(gazetteer, '', { layers: new Set(), isFuzzy: false });
  around(Object.getPrototypeOf(lattice), ['contextCostOfPlace'], counted);
  for (const index of nameIndexes) {
    around(
      index,
      ['oneEdit', 'fuzzy'],
      (method) =>
        function (this: unknown, ...given) {
          const taken = method.apply(this, given);
          steps += taken as number;
          return taken;
        },
    );
    around(
      index,
      ['visit', 'visitGroup'],
      (method) =>
        function (this: unknown, ...given) {
          const visit = given.pop() as Method;
          return method.call(this, ...given, (...posting: unknown[]) => {
            steps++;
            return visit(...posting);
          });
        },
    );
  }
  around(
    StatementSync.prototype,
    ['all', 'get'],
    (method) =>
      function (this: unknown, ...given) {
        const rows = method.apply(this, given);
        steps += stepsOfStatement + (Array.isArray(rows) ? rows.length : 1);
        return rows;
      },
  );
  return () => steps;
}

type Method = (this: unknown, ...given: unknown[]) => unknown;
