import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectSource } from '../../src/build/user-files.ts';
import { readStreets } from '../../src/sources/source-kinds.ts';
import { sharedData } from '../support/shared-data.ts';
import { collect } from '../support/street-batches.ts';
import { temporaryFile } from '../support/temporary.ts';

type Options = Parameters<typeof readStreets>[2];
const readBag = (path: string, options?: Options) => readStreets('bag', path, options);
const readBan = (path: string, options?: Options) => readStreets('ban', path, options);
const readStadfang = (path: string, options?: Options) => readStreets('stadfang', path, options);

test('BAN: the layouts of today and of 2015', async (t) => {
  const now = `id;id_fantoir;numero;rep;nom_voie;code_postal;code_insee;nom_commune;x;y;lon;lat;nom_ld
75102_1;;5;bis;Rue de la Paix;75002;75102;Paris 2e Arrondissement;0;0;2.331;48.869;
07001_1;;12;a;;07160;07001;Accons;0;0;4.39;44.88;Le Bourg
07001_2;;5001;;Rue X;07160;07001;Accons;0;0;4.39;44.88;
`;
  const { addresses, dropped } = await collect((options) => readBan(temporaryFile(t, 'adresses-75.csv', now), options));
  assert.deepEqual(addresses, [
    {
      houseNumber: '5 bis',
      street: 'Rue de la Paix',
      city: 'Paris',
      postalCode: '75002',
      country: 'FR',
      lat: 48.869,
      lng: 2.331,
      sourceId: '75102_1',
    },
    {
      houseNumber: '12a',
      street: 'Le Bourg',
      isPlace: true,
      city: 'Accons',
      postalCode: '07160',
      country: 'FR',
      lat: 44.88,
      lng: 4.39,
      sourceId: '07001_1',
    },
  ]);
  assert.deepEqual(dropped, { 'address without a house number': 1 });
  const old = sharedData(t, 'openaddresses/source-layouts/BAN_licence_gratuite_repartage_75.zip');
  if (!old) return;
  const paris = (await collect((options) => readBan(old, options))).addresses;
  assert.equal(paris.length, 99);
  assert.deepEqual(
    [paris[0].houseNumber, paris[0].street, paris[0].postalCode, paris[0].city],
    ['17', 'rue gramme', '75015', 'Paris'],
  );
});

test('BAG: letters stand at the number, additions behind a hyphen', async (t) => {
  const text = `openbareruimte;huisnummer;huisletter;huisnummertoevoeging;postcode;woonplaats;gemeente;provincie;lon;lat
Grotestraat;279;b;2;5141JT;Waalwijk;Waalwijk;Noord-Brabant;5.06773;51.69076
`;
  const { addresses } = await collect((options) => readBag(temporaryFile(t, 'bagadres.csv', text), options));
  assert.deepEqual(addresses, [
    {
      houseNumber: '279b-2',
      street: 'Grotestraat',
      city: 'Waalwijk',
      admin1: 'Noord-Brabant',
      postalCode: '5141JT',
      country: 'NL',
      lat: 51.69076,
      lng: 5.06773,
    },
  ]);
});

test('Staðfangaskrá: decimal commas, and the dative as other name', async (t) => {
  const text = `HNITNUM|POSTNR|HEITI_NF|HEITI_TGF|HUSNR|BOKST|LAT_WGS84|LONG_WGS84
1|113|"A gata"|"A götu"|5|"b"|64,0989211|-21,7334111
2|113|"Bær"|"Bær"|0|""|64,1|-21,7
`;
  const { addresses, dropped } = await collect((options) =>
    readStadfang(temporaryFile(t, 'STADFANG.dsv', text), options),
  );
  assert.deepEqual(addresses, [
    {
      houseNumber: '5b',
      street: 'A gata',
      otherStreetNames: ['A götu'],
      postalCode: '113',
      country: 'IS',
      lat: 64.0989211,
      lng: -21.7334111,
      sourceId: '1',
    },
  ]);
  assert.deepEqual(dropped, { 'address without a house number': 1 });
});

test('Staðfangaskrá: the layout of today', async (t) => {
  const text = `FID,HNITNUM,SVFNR,BYGGD,LANDNR,HEINUM,MATSNR,POSTNR,HEITI_NF,HEITI_TGF,HUSNR,BOKST,VIDSK,SERHEITI,DAGS_INN,DAGS_LEIDR,GAGNA_EIGN,TEGHNIT,YFIRFARID,YFIRF_HEITI,ATH,NAKV_XY,HNIT,N_HNIT_WGS84,E_HNIT_WGS84,NOTNR,LM_HEIMILISFANG,VEF_BIRTING,HUSMERKING
F.1,10000001,0,1,100,200,,101,Aðalstræti,Aðalstræti,2,,,,,,"Þjóðskrá Íslands, HMS",,1,,,,"POINT (0 0)",64.147934,-21.942526,,,,2
`;
  const { addresses } = await collect((options) => readStadfang(temporaryFile(t, 'Stadfangaskra.csv', text), options));
  const at = { lat: 64.147934, lng: -21.942526, country: 'IS', postalCode: '101', sourceId: '10000001' };
  assert.deepEqual(addresses, [{ houseNumber: '2', street: 'Aðalstræti', ...at }]);
});

// Rows counted with `wc -l`; two rows of Iceland have the house number 0 or none.
for (const [file, kind, count, country] of [
  ['nl.zip', 'bag', 8, 'NL'],
  ['iceland.zip', 'stadfang', 15, 'IS'],
  ['BAN_licence_gratuite_repartage_75.zip', 'ban', 99, 'FR'],
] as const) {
  test(`${file} is recognised by its content and has ${count} addresses`, async (t) => {
    const path = sharedData(t, `openaddresses/source-layouts/${file}`);
    if (!path) return;
    assert.equal(await detectSource(path), kind);
    const { addresses } = await collect((options) => readStreets(kind, path, options));
    assert.equal(addresses.length, count);
    assert.ok(addresses.every((address) => address.country === country));
  });
}
