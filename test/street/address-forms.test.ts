/** Addresses in the forms in which people of many countries write them, each of which must find its house. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { StreetLevel } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { addressLines, assertRecorded, chosenTexts } from '../support/recorded-lines.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import type { AddressRecord } from '../support/street-batches.ts';
import { citiesOf, openStreets } from '../support/street-engines.ts';

type Place = [country: string, city: string, street: string, number: string, code?: string, region?: string];

/** One house each, and houses with which they could be mistaken. */
const houses: readonly Place[] = [
  ['US', 'Springfield', 'Maple Grove Avenue', '660', '62704', 'IL'],
  ['US', 'Springfield', 'Maple', '660', '62704', 'IL'],
  ['US', 'Springfield', 'Maple Grove Avenue', '660', '65806', 'MO'],
  ['US', 'Springfield', 'Southwest 8th Street', '1144', '62703', 'IL'],
  ['US', 'Springfield', 'US Highway 27 North', '35983', '62707', 'IL'],
  ['US', 'Springfield', 'Mc Carroll Street', '1036', '62701', 'IL'],
  ['US', 'Springfield', 'France Street', '31', '62701', 'IL'],
  ['US', 'Washington', 'Alder Street Northwest', '1600', '20500', 'DC'],
  ['DE', 'Berlin', 'Linienstraße', '40', '10119'],
  ['DE', 'Berlin', 'Am Falkplatz', '5', '10437'],
  ['DE', 'Munich', 'Linienstraße', '40', '80331'],
  ['DE', 'Berlin', 'Höf', '2'],
  ['DE', 'Munich', 'Hof', '2'],
  ['FR', 'Paris', 'Rue des Lilas', '5 bis', '75002'],
  ['FR', 'Paris', 'Quai du Midi', '12', '75001'],
  ['GB', 'London', 'Saffron Row', '60-66', 'EC1N 8QX'],
  ['GB', 'London', 'New Tanner Street', '115', 'W1T 5DU'],
  ['SE', 'Göteborg', 'Storgatan', '33', '41134'],
  ['CZ', 'Plzeň', 'Resslova', '343/10', '30100'],
  ['AU', 'Melbourne', 'Main Street', '345', '3000', 'Victoria'],
  ['AU', 'Melbourne', 'Main Street', '12', '3000', 'Victoria'],
  ['AT', 'Wien', 'Annagasse', '12', '1010'],
  ['AO', 'Luanda', 'Avenida 4 de Fevereiro', '120'],
  ['RO', 'București', 'Strada Lalelelor', '12', '010101'],
  ['DK', 'København', 'Vesterbrogade', '12', '1620'],
  ['PL', 'Warszawa', 'Prosta', '12', '00-850'],
  ['ES', 'Madrid', 'Calle Mayor', '7', '28013'],
  ['IT', 'Milano', 'Via Roma', '5', '20121'],
  ['PT', 'Lisboa', 'Rua Augusta', '12', '1100-053'],
  ['BR', 'Rio de Janeiro', 'Rua Silveira Martins', '68', '22221-000'],
  ['HU', 'Budapest', 'Dezső utca', '11', '1016'],
  ['TR', 'İstanbul', 'Atatürk Caddesi', '5', '34430'],
  ['JM', 'Kingston', 'Windward Road', '16½'],
  ['KZ', 'Астана', 'улица 189', '6/1'],
  ['RU', 'Москва', 'улица Арбат', '12', '119019'],
  ['RU', 'Воронеж', 'Елецкая улица', '6'],
  ['BY', 'Мінск', 'праспект Незалежнасці', '16'],
  ['BY', 'Мінск', 'вуліца Валадарскага', '16'],
  ['JP', '千代田区', '霞が関', '3-1-1'],
  ['JP', '中央区', '日本橋本町', '2-3'],
  ['CN', '北京市', '建国路', '88'],
  ['KR', '수원시', '아주로', '37'],
  ['KR', '수원시', '월드컵로193번길', '8'],
  ['DE', 'Bindlach', 'Alte Bahnhofstraße', '4'],
  ['DE', 'Bindlach', 'Burgweg', '7'],
  ['ES', 'Granada', 'Camino de Ronda', '125'],
  ['US', 'Louisville', 'West Kentucky Street', '128', '40203', 'KY'],
  ['US', 'Louisville', 'Louisville Street', '17', '40203', 'KY'],
  ['US', 'Louisville', 'Grand Street', '243', '40203', 'KY'],
  ['MT', 'Birkirkara', 'Triq il-Kbira', 'Blk A3'],
  ['TH', 'กรุงเทพมหานคร', 'ซอยสุขุมวิท', '21'],
  ['IR', 'تهران', 'خیابان ولیعصر', '12'],
  ['VN', 'Hồ Chí Minh', 'Nguyễn Huệ', '12'],
  ['GB', 'Smithtown', 'Church Lane', 'Rose Cottage'],
  ['GB', 'London', 'Downing Street', '10'],
  ['DE', 'Berlin', 'Seestraße', '5', '13353'],
  ['UY', 'Montevideo', 'Montevideo', '5'],
  ['UY', 'Montevideo', 'Rivera', '7'],
  ['UY', 'Montevideo', 'Canelones', '1130', '11100'],
  ['UY', 'Montevideo', 'Avenida 18 de Julio', '1234', '11100'],
  ['UY', 'Montevideo', 'Avenida 8 de Octubre', '2738'],
  ['UY', 'Montevideo', 'Avenida Luis Alberto de Herrera', '1290'],
  ['UY', 'Montevideo', 'José Ellauri', '350'],
  ['UY', 'Montevideo', 'Pasaje C', '7-14'],
  ['KZ', 'Астана', 'улица Сакена Сейфуллина', '10'],
  // The same number with another code.
  ['DE', 'Berlin', 'Seestraße', '5', '13347'],
];

const queries: readonly (readonly [text: string, street: string, city: string])[] = [
  // Units and floors in the words of a country, and numbers with its signs.
  ['Calle Mayor 7, esc. A 2º C, Madrid', 'Calle Mayor', 'Madrid'],
  ['Calle Mayor 7 2n 1a, Madrid', 'Calle Mayor', 'Madrid'],
  ['Rua Augusta, n.º 12, 2.º Dto, Lisboa', 'Rua Augusta', 'Lisboa'],
  ['Số 12 Nguyễn Huệ, Tầng 3, P.6, Q.3, Hồ Chí Minh', 'Nguyễn Huệ', 'Hồ Chí Minh'],
  ['Linienstr. 40, 2. OG links, Berlin', 'Linienstraße', 'Berlin'],
  ['5b Rue des Lilas, Paris', 'Rue des Lilas', 'Paris'],
  ['Linienstraße 40-II, Berlin', 'Linienstraße', 'Berlin'],
  // A lost or misplaced blank, a typo in an abbreviation; a city's sign.
  ['Linienst.r 40 Berlin', 'Linienstraße', 'Berlin'],
  ['Liniensrt. 40 Berlin', 'Linienstraße', 'Berlin'],
  ['Seest.r 5 Berlin', 'Seestraße', 'Berlin'],
  ['5bis Ru edes Lilas, Paris', 'Rue des Lilas', 'Paris'],
  ['5bis Rue desLilas, Paris', 'Rue des Lilas', 'Paris'],
  ['AmFalkplatz 5, Berlin', 'Am Falkplatz', 'Berlin'],
  // Pasted: lines, bullets, brackets, dashes, telephones.
  ['Dr. Ilse Weyrauch\nTellux Consulting\nLinienstraße 40\n10119 Berlin\nGermany', 'Linienstraße', 'Berlin'],
  ['Villa Primrose - Linienstraße 40 - 10119 Berlin', 'Linienstraße', 'Berlin'],
  ['Linienstraße 40 • 10119 Berlin', 'Linienstraße', 'Berlin'],
  ['Linienstraße 40 (Berlin)', 'Linienstraße', 'Berlin'],
  ['Linienstraße 40, 10119 Berlin, Tel. +49 30 123456', 'Linienstraße', 'Berlin'],
  ['Zwick Ltd, 660 Avenue Maple Grove, Springfield', 'Maple Grove Avenue', 'Springfield'],
  // Firms, buildings, districts and counties with the address, with commas and without.
  ['Zwick & Sons Ltd, 660 Maple Grove Ave, Springfield, IL', 'Maple Grove Avenue', 'Springfield'],
  ['Tellux Alliance for Just Trade 660 Maple Grove Ave, Springfield, IL 62704', 'Maple Grove Avenue', 'Springfield'],
  ['660 Maple Grove Ave, Zobel County, Springfield 62704', 'Maple Grove Avenue', 'Springfield'],
  ['Café Ombrelle, Linienstraße 40 10119 Berlin', 'Linienstraße', 'Berlin'],
  ['Linienstraße 40, Bezirk Mooslau, 10119 Berlin', 'Linienstraße', 'Berlin'],
  ['Embassy of Elbonia, Avenida 4 de Fevereiro 120, Luanda, Angola', 'Avenida 4 de Fevereiro', 'Luanda'],
  ['Flat 14, Ziggurat Building, 60-66 Saffron Row, London, EC1N 8QX, United Kingdom', 'Saffron Row', 'London'],
  ['1016 Budapest, Dezső utca 11., Hungary', 'Dezső utca', 'Budapest'],
  [
    'Condomínio Zobel, Rua Silveira Martins, 68, Catete, Rio de Janeiro - RJ, 22221-000',
    'Rua Silveira Martins',
    'Rio de Janeiro',
  ],
  // Countries in other languages, at the end and at the beginning.
  ['Linienstraße 40, Berlin, Deutschland', 'Linienstraße', 'Berlin'],
  ['Linienstraße 40, Berlin, Allemagne', 'Linienstraße', 'Berlin'],
  ['Deutschland, 10119 Berlin, Linienstraße 40', 'Linienstraße', 'Berlin'],
  ['660 Maple Grove Avenue, Springfield, IL 62704, United States of America', 'Maple Grove Avenue', 'Springfield'],
  ['115 New Tanner Street, London W1T 5DU, UK', 'New Tanner Street', 'London'],
  ['France St 31, Zobel Plaza, Springfield', 'France Street', 'Springfield'],
  // Postal codes as people write them.
  ['660 Maple Grove Ave, Springfield, IL 62704-1234', 'Maple Grove Avenue', 'Springfield'],
  ['1144 SW 8 ST, SPRINGFIELD, IL, 627033604', 'Southwest 8th Street', 'Springfield'],
  ['1600 Alder St NW, Washington, D.C. 20500', 'Alder Street Northwest', 'Washington'],
  ['Storgatan 33, 411 34 Göteborg', 'Storgatan', 'Göteborg'],
  ['Resslova 343/10, 301 00 Plzeň', 'Resslova', 'Plzeň'],
  ['Rua Silveira Martins 68, CEP 22221-000', 'Rua Silveira Martins', 'Rio de Janeiro'],
  ['D-10119 Berlin, Linienstr. 40', 'Linienstraße', 'Berlin'],
  // Units, floors, staircases and boxes.
  ['660 Maple Grove Ave Ste 4-106, Springfield, IL', 'Maple Grove Avenue', 'Springfield'],
  ['660 Maple Grove Ave Apt #A2 Springfield IL', 'Maple Grove Avenue', 'Springfield'],
  ['660 Maple Grove Ave 6th Fl, Springfield IL', 'Maple Grove Avenue', 'Springfield'],
  ['660 Maple Grove Avenue Sixth Floor Springfield IL', 'Maple Grove Avenue', 'Springfield'],
  ['35983 US Hwy 27 N Ste E, Springfield, IL', 'US Highway 27 North', 'Springfield'],
  ['PO Box 123, 660 Maple Grove Ave, Springfield IL', 'Maple Grove Avenue', 'Springfield'],
  ['Unit 12/345 Main St, Melbourne VIC 3000', 'Main Street', 'Melbourne'],
  ['12/345 Main St, Melbourne', 'Main Street', 'Melbourne'],
  ['Annagasse 12/3/Top 5, 1010 Wien', 'Annagasse', 'Wien'],
  ['Linienstr. 40, 1. Stock, Berlin', 'Linienstraße', 'Berlin'],
  ['Linienstr. 40, Hinterhaus, 3. OG, Berlin', 'Linienstraße', 'Berlin'],
  ['5 bis rue des Lilas, bât. C, 2ème étage, 75002 Paris', 'Rue des Lilas', 'Paris'],
  ['Str. Lalelelor nr. 12, bl. 3, sc. A, et. 2, ap. 7, București', 'Strada Lalelelor', 'București'],
  ['Vesterbrogade 12, 2. th, 1620 København', 'Vesterbrogade', 'København'],
  ['Vesterbrogade 12 4 t.v. København, 1620 Danmark', 'Vesterbrogade', 'København'],
  ['ul. Prosta 12 m. 5, 00-850 Warszawa', 'Prosta', 'Warszawa'],
  ['C/ Mayor 7, 3º izda, 28013 Madrid', 'Calle Mayor', 'Madrid'],
  ['Via Roma 5 int. 3, sc. B, 20121 Milano', 'Via Roma', 'Milano'],
  ['R. Augusta 12, 3º Dto, Lisboa', 'Rua Augusta', 'Lisboa'],
  ['Dezső u. 11. 2. em. 3, Budapest', 'Dezső utca', 'Budapest'],
  ['Atatürk Cad. No:5 D:3, 34430 İstanbul', 'Atatürk Caddesi', 'İstanbul'],
  ['ул. Арбат, д. 12, кв. 5, Москва', 'улица Арбат', 'Москва'],
  ['ul. Arbat, d. 12, kv. 5, Moskva', 'улица Арбат', 'Москва'],
  // Names in one piece or two, numbers in odd forms, typing mistakes in short words.
  ['1036 McCarroll St, Springfield', 'Mc Carroll Street', 'Springfield'],
  ['1036 MCCARROLL ST', 'Mc Carroll Street', 'Springfield'],
  ['16 1/2 Windward Rd, Kingston', 'Windward Road', 'Kingston'],
  ['улица 189 6/1, Астана', 'улица 189', 'Астана'],
  ['Qai du Midi 12', 'Quai du Midi', 'Paris'],
  ['Annagse 12', 'Annagasse', 'Wien'],
  // Mistakes in words that are kinds of streets elsewhere, and in letters that Latin writes with two.
  ['Alte Banhofstraße 4', 'Alte Bahnhofstraße', 'Bindlach'],
  ['Burgeg 7', 'Burgweg', 'Bindlach'],
  ['Camio de Ronda 125', 'Camino de Ronda', 'Granada'],
  ['Grand Steet 243', 'Grand Street', 'Louisville'],
  ['Елецка улица 6', 'Елецкая улица', 'Воронеж'],
  ['праспект Незалежнасіц 16', 'праспект Незалежнасці', 'Мінск'],
  // Registers, blanks that were lost, digits of other scripts, houses without a number.
  ['г Москва, ул Арбат, д 12', 'улица Арбат', 'Москва'],
  ['Linienstraße40, Berlin', 'Linienstraße', 'Berlin'],
  ['660Maple Grove Ave', 'Maple Grove Avenue', 'Springfield'],
  ['Linienstraße ４０, Berlin', 'Linienstraße', 'Berlin'],
  ['Linienstraße ٤٠, Berlin', 'Linienstraße', 'Berlin'],
  // Blocks, districts, numbers in words, houses with a name.
  ['Blk A3, Triq il-Kbira, Birkirkara', 'Triq il-Kbira', 'Birkirkara'],
  ['A3 Triq il-Kbira, Birkirkara', 'Triq il-Kbira', 'Birkirkara'],
  ['12 Nguyễn Huệ, District 1, Hồ Chí Minh', 'Nguyễn Huệ', 'Hồ Chí Minh'],
  ['12 Nguyen Hue, Quận 1, Ho Chi Minh', 'Nguyễn Huệ', 'Hồ Chí Minh'],
  ['Ten Downing Street, London', 'Downing Street', 'London'],
  ['Rose Cottage, Church Lane, Smithtown', 'Church Lane', 'Smithtown'],
  ['تهران، خیابان ولیعصر، پلاک ۱۲', 'خیابان ولیعصر', 'تهران'],
  ['21 ซ.สุขุมวิท', 'ซอยสุขุมวิท', 'กรุงเทพมหานคร'],
  // From the country down to the house, without blanks.
  ['東京都千代田区霞が関3-1-1', '霞が関', '千代田区'],
  ['千代田区霞が関三丁目1番1号', '霞が関', '千代田区'],
  ['〒100-0013 東京都千代田区霞が関３－１－１', '霞が関', '千代田区'],
  ['中央区日本橋本町2丁目3番地', '日本橋本町', '中央区'],
  ['北京市建国路88号', '建国路', '北京市'],
  ['아주로37', '아주로', '수원시'],
  ['수원시월드컵로193번길8', '월드컵로193번길', '수원시'],
];

/** The same of Montevideo and Astana: block, marks of number, titles, initials, other languages, what stands before and behind. */
const local: readonly (readonly [text: string, street: string, city: string])[] = [
  ['Canelones 1130 e/ Paraguay y Río Negro', 'Canelones', 'Montevideo'],
  ['Canelones 1130 entre Paraguay y Gutiérrez Ruiz, Montevideo', 'Canelones', 'Montevideo'],
  ['18 de Julio # 1234', 'Avenida 18 de Julio', 'Montevideo'],
  ['18 de Julio 1.234', 'Avenida 18 de Julio', 'Montevideo'],
  ['Ocho de Octubre 2738', 'Avenida 8 de Octubre', 'Montevideo'],
  ['Av. Dr. Luis Alberto de Herrera 1290', 'Avenida Luis Alberto de Herrera', 'Montevideo'],
  ['Dr. Luis A. de Herrera 1290', 'Avenida Luis Alberto de Herrera', 'Montevideo'],
  ['J. Ellauri 350', 'José Ellauri', 'Montevideo'],
  ['Calle J. Ellauri 350', 'José Ellauri', 'Montevideo'],
  ['Сейфуллин көшесі 10', 'улица Сакена Сейфуллина', 'Астана'],
  ['Seifullin street 10', 'улица Сакена Сейфуллина', 'Астана'],
  ['010000, г. Астана, ул. Сейфуллина, 10', 'улица Сакена Сейфуллина', 'Астана'],
  ['c/o Zobel 18 de Julio 1234 Montevideo', 'Avenida 18 de Julio', 'Montevideo'],
  ['Canelones 1130, Familia Zobel Zwick', 'Canelones', 'Montevideo'],
];

/** Streets that do not exist, next to ones that share a word with them: no house of those is the answer. */
const absent: readonly string[] = [
  'Дваранская вуліца 16',
  'Дваранская праспект 16, Мінск',
  '128 East Kentucky Street, Louisville',
  '17 Zobelton Street, Louisville',
  'West Zobel Street 128, Louisville',
  'Calle Zobel 125',
  'праспект Незасці 16',
  'Rose, Church Lane, Smithtown',
  'Pasaje 12',
  '128 N Kentucky Street, Louisville',
];

/** Two numbers, of which the one after a word or sign for it is the house's, by language. */
const marked = [
  ['#', '№'],
  ['house no', 'plot no', 'blk'],
  ['nr', 'hausnummer'],
  ['n°', 'nº'],
  ['nro', 'núm'],
  ['n.º', 'número'],
  ['дом', 'владение'],
  ['буд', 'будинок'],
  ['č. p.', 'č.'],
  ['br.'],
  ['αρ', 'αριθμός'],
  ['پلاک'],
  ['số'],
].flatMap((marks) =>
  marks.flatMap((mark) => [`Maple Grove Avenue 11, ${mark} 660, Springfield`, `${mark} 40, Linienstraße 7 Berlin`]),
);

describe('addresses as people write them', () => {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-forms-'));
  let level: StreetLevel;
  const latOf = (at: number) => 10 + at * 0.5;

  before(async () => {
    await buildSmallDataset(directory);
    for (const name of readdirSync(directory))
      if (/^(streets|pois).*\.sqlite$/.test(name)) rmSync(join(directory, name));
    const addresses = houses.map(
      ([country, city, street, houseNumber, postalCode, admin1], at): AddressRecord => ({
        country,
        city,
        street,
        houseNumber,
        lat: latOf(at),
        lng: 10,
        ...(postalCode && { postalCode }),
        ...(admin1 && { admin1 }),
      }),
    );
    await buildStreetLevel({ directory, progress() {} }, [sourceOf({ addresses })]);
    level = openStreets(directory, citiesOf(directory));
  });
  after(() => {
    level.close();
    rmSync(directory, { recursive: true });
  });

  for (const [text, street, city] of [...queries, ...local]) {
    test(text, () => {
      const [found] = level.addresses.search({ text, limit: 5 });
      assert.ok(found, 'nothing');
      assert.deepEqual([found.matchType, found.street, found.city], ['exact', street, city]);
    });
  }

  test('the unit before the number is not the house', () => {
    const [found] = level.addresses.search({ text: '12/345 Main St, Melbourne', limit: 5 });
    assert.equal(found.houseNumber, '345');
    assert.equal(level.addresses.search({ text: '12 Main St, Melbourne', limit: 5 })[0].houseNumber, '12');
  });

  test('a part of a longer name is not an answer to it', () => {
    const found = level.addresses.search({ text: '660 Maple Hollow Avenue, Springfield, IL 62704', limit: 5 });
    assert.ok(!found.some(({ street }) => street === 'Maple'), found[0]?.street);
  });

  test('a name spelled as in the text comes before one that only folds to the same', () => {
    const first = (text: string) => level.addresses.search({ text, limit: 5 })[0].street;
    assert.equal(first('Hof 2'), 'Hof');
    assert.equal(first('Höf 2'), 'Höf');
  });

  test('the requested region decides between two towns of one name, the country between two countries', () => {
    const lat = (text: string) => level.addresses.search({ text, limit: 5 })[0]?.lat;
    const [illinois, , missouri] = [0, 1, 2].map(latOf);
    assert.equal(lat('Zwick Ltd, 660 Maple Grove Ave, Springfield, IL'), illinois);
    assert.equal(lat('Zwick Ltd, 660 Maple Grove Ave, Springfield, MO'), missouri);
    assert.equal(lat('Zwick Ltd, 660 Maple Grove Ave, Springfield, Germany'), undefined);
  });

  for (const text of absent) {
    test(`${text} is not a house`, () => {
      const [found] = level.addresses.search({ text, limit: 5 });
      assert.notEqual(found?.matchType, 'exact', `${found?.street} ${found?.houseNumber}`);
    });
  }

  test('the requested city may have a district, a postal code or a region next to its name', () => {
    const found = (text: string, city: string) => level.addresses.search({ text, city, limit: 5 })[0];
    for (const city of ['Berlin 12', '10119 Berlin', 'Berlin (BE)', 'Berlin 10119']) {
      const house = found('Linienstraße 40', city);
      assert.deepEqual([house?.houseNumber, house?.city], ['40', 'Berlin'], city);
    }
    assert.equal(found('Linienstraße 40', 'Zobelstadt 12'), undefined);
  });

  test('the kind of street stands on either side of the name, and a region that the register abbreviates is not noise', () => {
    const text = '394000, Воронежская обл, г Воронеж, ул Елецкая, д 6, кв 5';
    const [found] = level.addresses.search({ text, limit: 5 });
    assert.deepEqual([found?.street, found?.houseNumber], ['Елецкая улица', '6']);
  });

  test('a block without the house is answered with a neighbour of the block, never of another one', () => {
    const found = (text: string) => level.addresses.search({ text, limit: 5 })[0];
    assert.equal(found('千代田区霞が関3-1-9')?.matchType, 'interpolated');
    assert.equal(found('千代田区霞が関3-2-1')?.matchType, 'street');
    assert.equal(found('千代田区霞ヶ関3-1-1')?.matchType, 'exact');
  });

  test('the beginning of a name in Chinese characters finds that name', () => {
    const found = (text: string) => level.streets.search({ text, limit: 5, radiusKm: 10 }).map(({ name }) => name);
    assert.deepEqual(found('建国'), ['建国路']);
    // Not names in Latin letters: 买 is mai.
    assert.deepEqual(found('Mai'), ['Main Street']);
    assert.deepEqual(found('买'), []);
  });

  test("a street that bears its city's name is not the answer where another one is named", () => {
    const found = (query: Parameters<typeof level.addresses.search>[0]) => {
      return level.addresses.search(query).map(({ street, houseNumber }) => [street, houseNumber]);
    };
    assert.deepEqual(found({ text: 'Calle Rivera, Montevideo', limit: 5 }), [['Rivera', null]]);
    assert.deepEqual(found({ text: 'Foobar, Montevideo', limit: 5 }), []);
    assert.deepEqual(found({ text: 'Foobar', city: 'Montevideo', limit: 5 }), []);
    const fields = (street: string) => found({ text: '', fields: { street, city: 'Montevideo' }, limit: 5 });
    assert.deepEqual(['Foobar', 'Baker Street', 'Zzz 12'].flatMap(fields), []);
    assert.deepEqual(fields('Montevideo 5'), [['Montevideo', '5']]);
    assert.deepEqual(fields('Rivrea'), [['Rivera', null]]);
  });

  test('a house without a number is its street', () => {
    const [found] = level.addresses.search({ text: 'Calle Mayor s/n, Madrid', limit: 5 });
    assert.deepEqual([found.matchType, found.street], ['street', 'Calle Mayor']);
  });

  test('the forms, and houses typed and mistyped in many ways, are answered as recorded', () => {
    const typed = houses.map(([country, city, street, number, code = '', region = '']) => {
      return { country, city, street, number, code, region };
    });
    const texts = [...[...queries, ...local].map(([text]) => text), ...absent, ...marked];
    const lines = addressLines(level, typed, texts, chosenTexts('forms'));
    assertRecorded(join(import.meta.dirname, 'recorded-forms.txt'), lines);
  });
});
