/**
 * Ways of writing an address, each of which belongs to a country or a habit, applied to real addresses of one file. A
 * case is in the training half or in the held-out half, by a hash of its text.
 */
import type { LatLng } from '../../src/core/geo.ts';
import type { Sample } from './samples.ts';

/** The query of a case, and its expected answer. */
export type FormCase = {
  text: string;
  city?: string;
  country?: string;
  /** Where the first answer must be, exactly that address or crossing; undefined where no exact answer is right. */
  expected: readonly LatLng[] | undefined;
};

export type AddressForm = {
  name: string;
  file: string;
  /** The case of an address; undefined where it has no such form. */
  of(sample: Sample & { tags?: Record<string, string> }, at: number): Omit<FormCase, 'expected'> | undefined;
  /** Whether the text names a street that is not there, so that an exact answer is wrong. */
  isAbsent?: boolean;
};

const liechtenstein = 'osm/liechtenstein-2024.osm.pbf';
const baltimore = 'osm/us-baltimore.osm.pbf';
const voronezh = 'osm/ru-voronezh.osm.gz';
const moscow = 'osm/ru-moscow.osm.gz';
const pilsen = 'osm/cz-plzen.osm.gz';
const tokyo = 'osm/jp-tokyo.osm.pbf';
const suwon = 'osm/kr-suwon.osm.gz';
const minsk = 'osm/by-minsk.osm.gz';
const granada = 'osm/es-granada.osm.gz';
const krems = 'osm/at-krems.osm.gz';

/** Russia's register puts the kind of street first, in short and without dots. */
function officialRussian({ street, number }: Sample, city: string): string | undefined {
  const kinds: Record<string, string> = {
    улица: 'ул',
    проспект: 'пр-кт',
    переулок: 'пер',
    проезд: 'проезд',
    бульвар: 'б-р',
  };
  const words = street.split(' ');
  const kind = words.find((word) => kinds[word]);
  if (!kind) return undefined;
  return `г ${city}, ${kinds[kind]} ${words.filter((word) => word !== kind).join(' ')}, д ${number}`;
}

const numberPart = (number: string, at: number) => /^(\d+)\/(\d+\p{L}?)$/u.exec(number)?.[at];
const wide = (text: string) => text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
const kanji = (number: string) => (Number(number) < 10 ? '〇一二三四五六七八九'[Number(number)] : number);

/** Chome, block and house of a Japanese address, as far as its tags state them plainly. */
function japanese({ tags }: { tags?: Record<string, string> }) {
  if (!tags?.['addr:block_number'] || !/^\d+$/.test(tags['addr:housenumber'] ?? '')) return undefined;
  const { 'addr:quarter': quarter, 'addr:city': city, 'addr:block_number': block, 'addr:housenumber': house } = tags;
  const chome = /^(\d+)(?:丁目)?$/.exec(tags['addr:neighbourhood'] ?? '')?.[1];
  return quarter && city && /^\d+$/.test(block) && chome ? { quarter, city, block, house, chome } : undefined;
}

const english = {
  ones: 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  ),
  tens: 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
};
/** A number up to 299 as Americans write it. */
function inEnglish(value: number): string {
  if (value >= 100) return `${english.ones[Math.floor(value / 100) - 1]} hundred ${inEnglish(value % 100)}`.trim();
  if (value < 20) return english.ones[value - 1] ?? '';
  return [english.tens[Math.floor(value / 10) - 2], english.ones[(value % 10) - 1]].filter(Boolean).join('-');
}

const german = {
  ones: 'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  ),
  tens: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' '),
};
/** A number up to 99. */
function inGerman(value: number): string {
  if (value < 20) return german.ones[value - 1];
  const [tens, ones] = [german.tens[Math.floor(value / 10) - 2], german.ones[(value % 10) - 1]];
  return ones ? `${ones.replace('eins', 'ein')}und${tens}` : tens;
}

const spanish = {
  ones: 'uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve'.split(
    ' ',
  ),
  tens: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' '),
};
/** A number up to 99. */
function inSpanish(value: number): string {
  if (value < 30) return spanish.ones[value - 1];
  return [spanish.tens[Math.floor(value / 10) - 3], spanish.ones[(value % 10) - 1]].filter(Boolean).join(' y ');
}

/** A house number as a whole number, where it is one up to a bound. */
const numberUpTo = (max: number, number: string) =>
  /^[1-9]\d*$/.test(number) && Number(number) <= max ? Number(number) : undefined;

const typo = (text: string, at: number) => {
  const letters = [...text.matchAll(/\p{L}/gu)].map(({ index }) => index).filter((index) => index > 0);
  const place = letters[(at * 7) % letters.length];
  return at % 2 ? text.slice(0, place) + text.slice(place + 1) : `${text.slice(0, place)}e${text.slice(place)}`;
};

export const addressForms: readonly AddressForm[] = [
  { name: 'г Город, ул Улица, д 6', file: voronezh, of: (sample) => textOf(officialRussian(sample, 'Воронеж')) },
  { name: 'г Город, ул Улица, д 6', file: moscow, of: (sample) => textOf(officialRussian(sample, 'Москва')) },
  {
    name: '394000, Область, г Город, ул Улица, д 6, кв 5',
    file: voronezh,
    of: (sample) => {
      const text = officialRussian(sample, 'Воронеж');
      return textOf(text && `394000, Воронежская обл, ${text}, кв 5`);
    },
  },
  {
    name: 'by the number in the street (25 of 137/25)',
    file: pilsen,
    of: ({ street, number }) => textOf(numberPart(number, 2) && `${street} ${numberPart(number, 2)}`),
  },
  {
    name: 'by the number of the house in its village (137)',
    file: pilsen,
    of: ({ street, number }) => textOf(numberPart(number, 1) && `${street} č.p. ${numberPart(number, 1)}, Plzeň`),
  },
  {
    name: '東京都千代田区霞が関3-1-1',
    file: tokyo,
    of: (sample) => {
      const parts = japanese(sample);
      return textOf(parts && `東京都${parts.city}${parts.quarter}${parts.chome}-${parts.block}-${parts.house}`);
    },
  },
  {
    name: '霞が関三丁目1番1号',
    file: tokyo,
    of: (sample) => {
      const parts = japanese(sample);
      return textOf(parts && `${parts.city}${parts.quarter}${kanji(parts.chome)}丁目${parts.block}番${parts.house}号`);
    },
  },
  {
    name: '〒100-0013 東京都…３－１－１',
    file: tokyo,
    of: (sample) => {
      const parts = japanese(sample);
      const code = sample.tags?.['addr:postcode'];
      return textOf(
        parts &&
          `${code ? `〒${code} ` : ''}東京都${parts.city}${parts.quarter}${wide(`${parts.chome}-${parts.block}-${parts.house}`)}`,
      );
    },
  },
  { name: 'addr:full as mapped', file: tokyo, of: ({ tags }) => textOf(tags?.['addr:full']) },
  { name: '아주로37', file: suwon, of: ({ street, number }) => textOf(`${street}${number}`) },
  {
    name: '경기도 수원시 영통구 아주로 37',
    file: suwon,
    of: ({ street, number }) => textOf(`경기도 수원시 영통구 ${street} ${number}`),
  },
  {
    name: '경기도수원시영통구아주로37',
    file: suwon,
    of: ({ street, number }) => textOf(street && `경기도수원시영통구${street}${number}`),
  },
  {
    name: 'number in words: One Hundred Twelve Main Street, Baltimore',
    file: baltimore,
    of: ({ street, number }) => {
      const value = numberUpTo(299, number);
      return textOf(value && street && `${inEnglish(value)} ${street}, Baltimore`);
    },
  },
  {
    name: 'number in words: Städtle fünfundzwanzig, Vaduz',
    file: liechtenstein,
    of: ({ street, number, city }, at) => {
      const value = numberUpTo(99, number);
      return textOf(at % 20 === 7 && value && street && city && `${street} ${inGerman(value)}, ${city}`);
    },
  },
  {
    name: 'number in words: Calle Mayor veintitrés',
    file: granada,
    of: ({ street, number }) => {
      const value = numberUpTo(99, number);
      return textOf(value && street && `${street} ${inSpanish(value)}`);
    },
  },
  {
    name: 'Erlenstraße19',
    file: liechtenstein,
    of: ({ street, number, city }, at) => textOf(at % 40 === 0 && city ? `${street}${number}, ${city}` : undefined),
  },
  {
    name: '168Allen Street',
    file: baltimore,
    of: ({ street, number }, at) => textOf(at % 4 === 0 && !/^\d/.test(street) ? `${number}${street}` : undefined),
  },
  { name: 'full-width digits', file: krems, of: ({ street, number }) => textOf(street && `${street} ${wide(number)}`) },
  {
    name: 'Arabic digits',
    file: krems,
    of: ({ street, number }) =>
      textOf(street && `${street} ${number.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)])}`),
  },
  {
    name: 'city with its district (Baltimore 12)',
    file: baltimore,
    of: ({ street, number, city }, at) =>
      at % 5 || !city ? undefined : { text: `${number} ${street}`, city: `${city} ${(at % 24) + 1}` },
  },
  {
    name: 'city with postal code',
    file: liechtenstein,
    of: ({ street, number, city, postcode }, at) =>
      at % 40 || !city || !postcode ? undefined : { text: `${street} ${number}`, city: `${postcode} ${city}` },
  },
  {
    name: 'city with region (Krems (NÖ))',
    file: krems,
    of: ({ street, number, city }) => (city ? { text: `${street} ${number}`, city: `${city} (NÖ)` } : undefined),
  },
  {
    name: 'region and place: 12 Main Street, Baltimore, Maryland',
    file: baltimore,
    of: ({ street, number, city }, at) =>
      textOf(at % 5 === 1 && city && street ? `${number} ${street}, ${city}, Maryland` : undefined),
  },
  {
    name: 'city that the data do not name, region (Canton, Maryland)',
    file: baltimore,
    of: ({ street, number }, at) =>
      textOf(at % 5 === 2 && street ? `${number} ${street}, Canton, Maryland` : undefined),
  },
  ...[minsk, granada, voronezh, pilsen, suwon, krems].map(
    (file): AddressForm => ({
      name: 'one typing mistake',
      file,
      of: ({ street, number }, at) => textOf(street.length > 2 && `${typo(street, at)} ${number}`),
    }),
  ),
  {
    name: 'unknown street of a known kind: Дваранская вуліца 17',
    file: minsk,
    isAbsent: true,
    of: ({ street, number }) =>
      textOf(/вуліца|праспект/.test(street) ? `Дваранская ${/вуліца|праспект/.exec(street)![0]} ${number}` : undefined),
  },
  {
    name: 'unknown street of a known kind: улица Зобельная 7',
    file: voronezh,
    isAbsent: true,
    of: ({ street, number }) => textOf(`${/улица|проспект|переулок/.exec(street)?.[0] ?? 'улица'} Зобельная ${number}`),
  },
  {
    name: 'unknown street of a known kind: Calle Zobel 7',
    file: granada,
    isAbsent: true,
    of: ({ street, number }) => textOf(`${street.split(' ')[0]} Zobelino ${number}`),
  },
  {
    name: 'unknown street of a known kind: 7 East Zobel Street',
    file: baltimore,
    isAbsent: true,
    of: ({ street, number }, at) =>
      textOf(
        at % 6 === 0 && /\p{Lu}\S* (?:Street|Avenue|Road|Lane|Drive)$/u.test(street)
          ? `${number} ${street.replace(/(\p{Lu}\S*)(?= (?:Street|Avenue|Road|Lane|Drive)$)/u, 'Zobelton')}, Baltimore`
          : undefined,
      ),
  },
  {
    name: 'the other direction: 128 East Street for West Street',
    file: baltimore,
    isAbsent: true,
    of: ({ street, number }) =>
      textOf(
        /^(North|South|East|West) /.test(street)
          ? `${number} ${street.replace(/^\S+/, (word) => ({ North: 'Northeast', South: 'Northeast', East: 'Northwest', West: 'Southeast' })[word]!)}`
          : undefined,
      ),
  },
];

/** A way to write crossings of a file's streets. */
export type CrossingForm = { name: string; file: string; of(one: string, other: string): string };

export const crossingForms: readonly CrossingForm[] = [
  { name: 'crossing: Main Street & Elm Street', file: baltimore, of: (one, other) => `${one} & ${other}` },
  {
    name: 'crossing: corner of … and …, Maryland',
    file: baltimore,
    of: (one, other) => `corner of ${one} and ${other}, Maryland`,
  },
  {
    name: 'crossing: Main & Elm, Maryland, without kinds',
    file: baltimore,
    of: (one, other) => `${withoutKind(one)} & ${withoutKind(other)}, Maryland`,
  },
  {
    name: 'crossing: Ecke Städtle und Herrengasse',
    file: liechtenstein,
    of: (one, other) => `Ecke ${one} und ${other}`,
  },
  { name: 'crossing: Städtle / Herrengasse', file: liechtenstein, of: (one, other) => `${one} / ${other}` },
  {
    name: 'crossing: Rua A esquina com Rua B, Portugal',
    file: 'osm/pt-porto.osm.pbf',
    of: (one, other) => `${one} esquina com ${other}, Portugal`,
  },
];

const withoutKind = (street: string) =>
  street.replace(/(?<=\S) (?:Street|Avenue|Road|Lane|Drive|Boulevard|Place|Court|Way)$/, '');

const textOf = (text: string | number | undefined | false) => (text ? { text: String(text) } : undefined);
