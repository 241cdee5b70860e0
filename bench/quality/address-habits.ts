/**
 * Ways of writing an address that hold in many countries, applied to the houses of a built file. The words for floors and
 * units are those of the house's country; they are written here by hand, not taken from the dictionaries under test.
 */
import type { LatLng } from '../../src/core/geo.ts';
import { mistyped } from './forms.ts';

export type House = LatLng & {
  /** Of the street; decides which half a house belongs to. */
  id: number;
  street: string;
  number: string;
  city?: string;
  admin1?: string;
  postcode?: string;
  country: string;
};

/** A question, and whether its answer must be the house itself or the house with a contradiction. */
export type Habit = {
  name: string;
  aim: string;
  countries?: readonly string[];
  ask(house: House, random: () => number): { text: string; city?: string } | undefined;
  isContradicted?: boolean;
};

const numberFirst = new Set(['US', 'GB', 'CA', 'AU', 'FR', 'MC', 'VN', 'IE', 'KE']);
/** Street and number in the order of the country. */
const line = ({ street, number, country }: Pick<House, 'street' | 'number' | 'country'>) =>
  numberFirst.has(country) ? `${number} ${street}` : `${street} ${number}`;
const one = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)];
const place = ({ city, postcode }: House) => [postcode, city].filter(Boolean).join(' ');
const plain = /^\d+$/;

const units: Record<string, readonly string[]> = {
  DE: ['2. OG links', 'Hinterhaus', '3. Stock', 'Whg. 12', 'EG', 'Etage 4', 'App. 7'],
  AT: ['Top 5', 'Stiege 2 Top 11', 'Tür 4', '2. Stock'],
  LI: ['2. Stock', 'Whg. 3', 'EG'],
  FR: ['2e étage', 'Apt 12', 'Bât. B', 'Appartement 4', 'esc. C', '3ème étage gauche', 'rez-de-chaussée'],
  MC: ['2e étage', 'Apt 12', 'Bât. B', 'Bloc C'],
  ES: ['2º 1ª', '3º izda', '1º B', '2n 1a', 'piso 3', 'bajo', 'esc. A 2º C', 'Ático'],
  PE: ['Dpto. 302', 'Int. 4', 'Piso 2', 'Of. 501'],
  PT: ['2.º Dto', '3º Esq.', 'R/C', '1.º andar', '2º Frente', 'Loja 4', 'cave'],
  NL: ['1e verdieping', '2 hoog', 'bus 3', 'appartement 12'],
  FI: ['A 12', 'as. 5', '3. krs', 'B 7'],
  RO: ['bl. 3, sc. A, et. 2, ap. 14', 'ap. 7', 'sc. B', 'etaj 3', 'bloc M5'],
  US: ['Apt 4B', '#302', 'Suite 200', '2nd Floor', 'Unit 7', 'Ste 12', 'Fl 3', 'Lot 5'],
  CA: ['Apt 4B', 'Unit 7', 'Suite 200', 'Floor 2'],
  KE: ['4th Floor', 'Suite 12', 'Ground Floor', 'Wing B'],
  VN: ['Tầng 3', 'Lầu 2', 'Phòng 301', 'Căn hộ 12'],
  BY: ['кв. 5', 'пад’езд 2', 'офис 12', 'кватэра 7'],
  RU: ['кв. 5', 'этаж 3', 'подъезд 2', 'офис 12', 'оф. 4'],
  PL: ['m. 5', 'lok. 12', 'II piętro', 'mieszkanie 3'],
  IS: ['2. hæð', 'íbúð 3'],
};

const firms = ['Zwick & Sons Ltd', 'Bäckerei Quirin GmbH', 'Café Ombrelle', 'Tellux Consulting S.A.', 'Villa Primrose'];
const persons = ['Ana Quintero', 'J. Doe', 'Familie Brandstötter', 'Dr. Ilse Weyrauch'];
const careOf = ['c/o', 'C/O', 'Attn:', 'z. Hd.', 'a/c', 'p/a'];
const boxes = ['PO Box 123', 'P.O. Box 4711', 'Postfach 12', 'Apartado 44', 'BP 12', 'Casilla 7'];
const phones = ['Tel. +49 6103 123456', 'Tel: 555-0134', '☎ 0123 456789'];
const labels = ['Address:', 'Adresse:', 'Dirección:', 'Endereço:', 'Anschrift'];

/** What people paste: everything between a firm's name and its telephone. */
const pasted: readonly ((house: House, random: () => number) => string)[] = [
  (house, random) => `${one(careOf, random)} ${one(persons, random)}, ${line(house)}, ${place(house)}`,
  (house, random) => `${one(firms, random)}\n${line(house)}\n${place(house)}`,
  (house, random) =>
    `${one(persons, random)}\n${one(firms, random)}\n${line(house)}\n${place(house)}\n${nameOf(house)}`,
  (house, random) => `${one(firms, random)} - ${line(house)} - ${place(house)}`,
  (house, random) => `${one(firms, random)} | ${line(house)} | ${place(house)}`,
  (house, random) => `${one(boxes, random)}, ${line(house)}, ${place(house)}`,
  (house, random) => `${line(house)}, ${one(boxes, random)}, ${place(house)}`,
  (house, random) => `${one(labels, random)} ${line(house)}, ${place(house)}`,
  (house, random) => `${line(house)}, ${place(house)}, ${one(phones, random)}`,
  (house) => `${line(house)} (${house.city})`,
  (house) => `${line(house)}; ${place(house)}; ${nameOf(house)}`,
  (house) => `${line(house)} • ${place(house)}`,
  (house) => `"${line(house)}, ${place(house)}"`,
  (house) => `${line(house).toUpperCase()}\t${place(house).toUpperCase()}`,
  (house) => `${nameOf(house)}, ${place(house)}, ${line(house)}`,
  (house, random) => `${one(firms, random)} (${one(persons, random)}), ${line(house)}, ${place(house)}.`,
];
const names = new Intl.DisplayNames('en', { type: 'region' });
const nameOf = ({ country }: House) => names.of(country)!;

/** The metropolitan city of which a house of another municipality is a part, as people write it. */
const metropolises: Record<string, string> = {
  'Dundalk, US': 'Baltimore',
  'Highlandtown, US': 'Baltimore',
  'Phường 6, VN': 'Ho Chi Minh City',
  'Phường 7, VN': 'TP.HCM',
  'Piedmont, US': 'Oakland',
  'Alameda, US': 'Oakland',
  'Águas Santas, PT': 'Porto',
  'San Isidro, PE': 'Lima',
  'Miraflores, PE': 'Lima',
  'Jesús María, PE': 'Lima',
  'Lince, PE': 'Lima',
};
function metropolisOf({ city, country }: House): string | undefined {
  const key = Object.keys(metropolises).find((each) => each.toLowerCase() === `${city}, ${country}`.toLowerCase());
  return key && metropolises[key];
}
const farTowns: Record<string, string> = {
  DE: 'Hamburg',
  AT: 'Innsbruck',
  FR: 'Marseille',
  ES: 'Bilbao',
  PE: 'Cusco',
  PT: 'Faro',
  NL: 'Groningen',
  FI: 'Oulu',
  RO: 'Timișoara',
  US: 'Houston',
  CA: 'Vancouver',
  KE: 'Mombasa',
  VN: 'Hà Nội',
  BY: 'Брэст',
  RU: 'Новосибирск',
  PL: 'Gdynia',
};
const kindOfStreet = /stra(?:ß|ss)e$/;
const typed = (street: string, random: () => number) => {
  const wrong = mistyped(street, random);
  return wrong === street ? undefined : wrong;
};

export const habits: readonly Habit[] = [
  { name: 'street and number, city', aim: '99 %', ask: (house) => cityText(house, line(house)) },
  {
    name: 'the same, city as a parameter',
    aim: '99 %',
    ask: (house) => (house.city ? { text: line(house), city: house.city } : undefined),
  },
  {
    name: 'one typo, city',
    aim: '96 %',
    ask(house, random) {
      const street = typed(house.street, random);
      return street === undefined ? undefined : cityText(house, line({ ...house, street }));
    },
  },
  {
    name: 'one typo, city as a parameter',
    aim: '96 %',
    ask(house, random) {
      const street = typed(house.street, random);
      return street === undefined || !house.city ? undefined : { text: line({ ...house, street }), city: house.city };
    },
  },
  {
    name: 'metropolis instead of its municipality',
    aim: '95 %',
    ask(house) {
      const city = metropolisOf(house);
      return city === undefined ? undefined : { text: `${line(house)}, ${city}` };
    },
  },
  {
    name: 'metropolis, one typo',
    aim: '95 %',
    ask(house, random) {
      const [city, street] = [metropolisOf(house), typed(house.street, random)];
      return city === undefined || street === undefined
        ? undefined
        : { text: `${line({ ...house, street })}, ${city}` };
    },
  },
  {
    name: 'metropolis as a parameter',
    aim: '95 %',
    ask(house) {
      const city = metropolisOf(house);
      return city === undefined ? undefined : { text: line(house), city };
    },
  },
  {
    name: 'unit or floor, city',
    aim: '98 %',
    ask(house, random) {
      const known = units[house.country];
      return known && house.city && plain.test(house.number)
        ? { text: `${line(house)}, ${one(known, random)}, ${house.city}` }
        : undefined;
    },
  },
  {
    name: 'unit or floor without a comma',
    aim: '98 %',
    ask(house, random) {
      const known = units[house.country];
      return known && house.city && plain.test(house.number) && !numberFirst.has(house.country)
        ? { text: `${line(house)} ${one(known, random)}, ${house.city}` }
        : undefined;
    },
  },
  {
    name: 'pasted text',
    aim: '97 %',
    ask: (house, random) => (house.city ? { text: one(pasted, random)(house, random) } : undefined),
  },
  {
    name: 'wrong town',
    aim: '95 %',
    isContradicted: true,
    ask: (house) => (farTowns[house.country] ? { text: `${line(house)}, ${farTowns[house.country]}` } : undefined),
  },
  {
    name: 'postal code and number: 5411DC 5',
    aim: '98 %',
    countries: ['NL'],
    ask: ({ postcode, number }) => (postcode ? { text: `${postcode.replace(' ', '')} ${number}` } : undefined),
  },
  {
    name: 'postal code and number: 5411 DC, 5',
    aim: '98 %',
    countries: ['NL'],
    ask: ({ postcode, number }) =>
      postcode ? { text: `${postcode.replace(/(\d{4}) ?/, '$1 ')}, ${number}` } : undefined,
  },
  {
    name: '5-I',
    aim: '98 %',
    countries: ['NL'],
    ask: (house) => (plain.test(house.number) ? cityText(house, `${line(house)}-I`) : undefined),
  },
  {
    name: '5 1 hoog',
    aim: '98 %',
    countries: ['NL'],
    ask: (house) => (plain.test(house.number) ? cityText(house, `${line(house)} 1 hoog`) : undefined),
  },
  {
    name: 'Số 131 …, P.6, Q.3, TP.HCM',
    aim: '98 %',
    countries: ['VN'],
    ask: ({ street, number }) => ({ text: `Số ${number} ${street}, P.6, Q.3, TP.HCM` }),
  },
  {
    name: 'TP.HCM Q.3 P.6 … Số 131',
    aim: '98 %',
    countries: ['VN'],
    ask: ({ street, number }) => ({ text: `TP.HCM Q.3 P.6 ${street} Số ${number}` }),
  },
  {
    name: 'Rua …, n.º 12',
    aim: '98 %',
    countries: ['PT', 'ES'],
    ask: (house) => cityText(house, `${house.street}, n.º ${house.number}`),
  },
  {
    name: 'Av. … Nº 391',
    aim: '98 %',
    countries: ['PE', 'ES'],
    ask: (house) => cityText(house, `${house.street} Nº ${house.number}`),
  },
  {
    name: '33b for 33 bis, and the other way round',
    aim: '98 %',
    countries: ['FR', 'MC'],
    ask(house) {
      const other = /bis/i.test(house.number)
        ? house.number.replace(/\s?bis/i, 'b')
        : /\d[bB]$/.test(house.number)
          ? house.number.replace(/[bB]$/, ' bis')
          : undefined;
      return other === undefined ? undefined : cityText(house, `${other} ${house.street}`);
    },
  },
  {
    name: 'typo in an abbreviated str.',
    aim: '95 %',
    countries: ['DE', 'AT', 'LI'],
    ask(house, random) {
      if (!kindOfStreet.test(house.street)) return undefined;
      const end = one(['st.', 'srt.', 'st.r', 'sr.', 'tsr.', 'strr.', 'sttr.'], random);
      return house.city
        ? { text: `${house.street.replace(kindOfStreet, end)} ${house.number} ${house.city}` }
        : undefined;
    },
  },
  {
    name: 'a lost or moved blank',
    aim: '95 %',
    ask(house, random) {
      const blanks = [...house.street.matchAll(/(?<=\p{L}{2}) (?=\p{L}{3})/gu)].map(({ index }) => index);
      if (blanks.length === 0) return undefined;
      const at = one(blanks, random);
      const { street } = house;
      const moved = `${street.slice(0, at - 1)} ${street[at - 1]}${street.slice(at + 1)}`;
      const lost = street.slice(0, at) + street.slice(at + 1);
      return cityText(house, line({ ...house, street: random() < 0.5 ? moved : lost }));
    },
  },
];

const cityText = ({ city }: House, text: string) => (city ? { text: `${text}, ${city}` } : undefined);
