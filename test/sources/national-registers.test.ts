import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectSource } from '../../src/build/user-files.ts';
import { readBag, readBan, readStadfang } from '../../src/sources/address-registers.ts';
import { readPrg } from '../../src/sources/prg.ts';
import { readStreets } from '../../src/sources/source-kinds.ts';
import { sharedData } from '../support/shared-data.ts';
import { collect } from '../support/street-batches.ts';
import { temporaryFile } from '../support/temporary.ts';

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

const point = (fields: string) =>
  `<gml:featureMember><ogr:Punkty_adresowe>${fields}</ogr:Punkty_adresowe></gml:featureMember>`;
const gml = (points: string) =>
  `<?xml version="1.0"?><ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml">${points}</ogr:FeatureCollection>`;
const at = '<gml:coordinates>362339.34,362734.47</gml:coordinates>';

test('PRG: grid positions, streets without their word, villages without streets', async (t) => {
  const text = gml(
    point(
      `${at}<ogr:pad_numer_porzadkowy>2</ogr:pad_numer_porzadkowy><ogr:pad_kod_pocztowy>50-382</ogr:pad_kod_pocztowy><ogr:mjs_nazwa>Wrocław</ogr:mjs_nazwa><ogr:ulc_nazwa>Ulica Księcia Witolda </ogr:ulc_nazwa><ogr:woj_nazwa>dolnośląskie</ogr:woj_nazwa>`,
    ) +
      point(
        `${at}<ogr:pad_numer_porzadkowy>7</ogr:pad_numer_porzadkowy><ogr:pad_kod_pocztowy>00-000</ogr:pad_kod_pocztowy><ogr:mjs_nazwa>Wioska</ogr:mjs_nazwa>`,
      ),
  );
  const { addresses } = await collect((options) => readPrg(temporaryFile(t, 'x.gml', text), options));
  const [street, village] = addresses;
  assert.deepEqual(
    [street.houseNumber, street.street, street.otherStreetNames, street.city, street.admin1, street.postalCode],
    ['2', 'Księcia Witolda', ['Ulica Księcia Witolda'], 'Wrocław', 'dolnośląskie', '50-382'],
  );
  // cs2cs (PROJ 9.1) from EPSG:2180 to EPSG:4258.
  assert.deepEqual([street.lat.toFixed(8), street.lng.toFixed(8)], ['51.11482426', '17.03264215']);
  assert.deepEqual([village.street, village.isPlace, village.postalCode], ['Wioska', true, undefined]);
});

test('PRG: the layout that geoportal.gov.pl published until August 2026', async (t) => {
  const later = (fields: string) =>
    `<gml:featureMember><prg-ad:PRG_PunktAdresowy gml:id="x"><prg-ad:idIIP><bt:BT_Identyfikator><bt:lokalnyId>7f</bt:lokalnyId></bt:BT_Identyfikator></prg-ad:idIIP><prg-ad:jednostkaAdmnistracyjna>Polska</prg-ad:jednostkaAdmnistracyjna><prg-ad:jednostkaAdmnistracyjna>dolnośląskie</prg-ad:jednostkaAdmnistracyjna><prg-ad:jednostkaAdmnistracyjna>Wrocław</prg-ad:jednostkaAdmnistracyjna><prg-ad:jednostkaAdmnistracyjna>Wrocław</prg-ad:jednostkaAdmnistracyjna>${fields}<prg-ad:pozycja><gml:Point srsName="urn:ogc:def:crs:EPSG::2180"><gml:pos>362734.47 362339.34</gml:pos></gml:Point></prg-ad:pozycja></prg-ad:PRG_PunktAdresowy></gml:featureMember>`;
  const house = (number: string, status: string) =>
    `<prg-ad:miejscowosc>Wrocław</prg-ad:miejscowosc><prg-ad:ulica>ulica Księcia Witolda</prg-ad:ulica><prg-ad:numerPorzadkowy>${number}</prg-ad:numerPorzadkowy><prg-ad:kodPocztowy>50-382</prg-ad:kodPocztowy><prg-ad:status>${status}</prg-ad:status>`;
  const whole = (members: string) =>
    `<?xml version="1.0"?><gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:prg-ad="urn:x" xmlns:bt="urn:y">${members}</gml:FeatureCollection>`;
  const text = whole(later(house('2', 'istniejacy')) + later(house('4', 'prognozowany')));
  const { addresses, dropped } = await collect((options) => readPrg(temporaryFile(t, 'x.xml', text), options));
  const [{ lat, lng, ...address }] = addresses;
  assert.deepEqual(address, {
    houseNumber: '2',
    street: 'Księcia Witolda',
    otherStreetNames: ['ulica Księcia Witolda'],
    city: 'Wrocław',
    admin1: 'dolnośląskie',
    postalCode: '50-382',
    country: 'PL',
    sourceId: '7f',
  });
  // cs2cs (PROJ 9.1), as above: northing first.
  assert.deepEqual([lat.toFixed(8), lng.toFixed(8)], ['51.11482426', '17.03264215']);
  assert.deepEqual(dropped, { 'address that is only planned': 1 });
  const newer = temporaryFile(t, 'y.xml', whole('<gml:featureMember><prg-ad:AD_PunktAdresowy/></gml:featureMember>'));
  await assert.rejects(
    collect((options) => readPrg(newer, options)),
    {
      name: 'SourceError',
      message: /has no <prg-ad:PRG_PunktAdresowy>; the structure .* September 2026 is not supported/,
    },
  );
});

test('PRG: other or cut GML is refused', async (t) => {
  const cut = temporaryFile(t, 'x.gml', gml(point(at)).slice(0, -30));
  await assert.rejects(
    collect((options) => readPrg(cut, options)),
    { name: 'SourceError', message: /truncated/ },
  );
  const other = temporaryFile(t, 'x.gml', '<kml></kml>');
  await assert.rejects(
    collect((options) => readPrg(other, options)),
    { message: /root element is <kml>/ },
  );
});

// Rows counted with `wc -l`, `grep -c '<ogr:Punkty_adresowe '`; two rows of Iceland have the house number 0 or none.
for (const [file, kind, count, country] of [
  ['nl.zip', 'bag', 8, 'NL'],
  ['iceland.zip', 'stadfang', 15, 'IS'],
  ['pl.zip', 'prg', 1354, 'PL'],
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
