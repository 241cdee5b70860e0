import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { openParquet } from '../../src/sources/parquet-rows.ts';
import { readStreets } from '../../src/sources/source-kinds.ts';
import { crowdedFile, endlessFile, geometry, group, list, parquet, text, wkb } from '../support/overture-writer.ts';
import { collect } from '../support/street-batches.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';

function addressFile(): Buffer {
  const schema = [
    { name: 'root', num_children: 8 },
    text('id'),
    geometry,
    text('country'),
    text('postcode'),
    text('street'),
    text('number'),
    text('postal_city'),
    ...list('address_levels', 1),
    text('value'),
  ];
  const columnData = [
    { name: 'id', data: ['a', 'b', 'c'] },
    { name: 'geometry', data: [wkb('point', [-71.1, 42.36]), wkb('point', [2.3, 48.8]), wkb('point', [2.3, 48.8])] },
    { name: 'country', data: ['US', 'FR', 'FR'] },
    { name: 'postcode', data: ['02139', null, null] },
    { name: 'street', data: ['MASSACHUSETTS AVE', 'Rue X', 'Rue X'] },
    { name: 'number', data: ['77', '5 bis', null] },
    { name: 'postal_city', data: [null, 'Paris', null] },
    { name: 'address_levels', data: [[{ value: 'MA' }, { value: 'CAMBRIDGE' }], [], []] },
  ];
  return parquet(schema, columnData, { rowGroupSize: 2 });
}

function placeFile(): Buffer {
  const schema = [
    { name: 'root', num_children: 6 },
    text('id'),
    geometry,
    group('names', 1),
    text('primary'),
    group('categories', 1),
    text('primary'),
    ...list('addresses', 3),
    text('locality'),
    text('region'),
    text('country'),
    text('operating_status'),
  ];
  const columnData = [
    { name: 'id', data: ['p', 'q', 'r', 's'] },
    { name: 'geometry', data: [1, 2, 3, 4].map((at) => wkb('point', [at, at])) },
    { name: 'names', data: ['Da Mario', 'Polizei', 'Aral', 'Zu'].map((primary) => ({ primary })) },
    {
      name: 'categories',
      data: ['pizza_restaurant', 'police_station', 'gas_station', 'hotel'].map((primary) => ({ primary })),
    },
    { name: 'addresses', data: [[{ locality: 'Vaduz', region: null, country: 'LI' }], [], [], []] },
    { name: 'operating_status', data: ['open', 'open', null, 'permanently_closed'] },
  ];
  // With this, as Overture's own files have it, the reader returns points as GeoJSON and not as bytes.
  const geo = {
    version: '1.1.0',
    primary_column: 'geometry',
    columns: { geometry: { encoding: 'WKB', geometry_types: ['Point'] } },
  };
  const kvMetadata = [{ key: 'geo', value: JSON.stringify(geo) }];
  return parquet(schema, columnData, { kvMetadata });
}

test('addresses: the town is the postal city or the smallest level', async (t) => {
  const path = temporaryFile(t, 'addresses.parquet', addressFile());
  const { addresses, dropped } = await collect((options) => readStreets('overture', path, options));
  const first = { postalCode: '02139', country: 'US', lat: 42.36, lng: -71.1 };
  const second = { postalCode: undefined, country: 'FR', lat: 48.8, lng: 2.3 };
  assert.deepEqual(addresses, [
    { houseNumber: '77', street: 'MASSACHUSETTS AVE', city: 'CAMBRIDGE', admin1: 'MA', ...first },
    { houseNumber: '5 bis', street: 'Rue X', city: 'Paris', admin1: undefined, ...second },
  ]);
  assert.deepEqual(dropped, { 'address without a house number': 1 });
});

test('places of releases before the taxonomy are refused with the remedy', async (t) => {
  const path = temporaryFile(t, 'places.parquet', placeFile());
  await assert.rejects(
    collect((options) => readStreets('overture', path, options)),
    { name: 'SourceError', message: /has categories and no taxonomy, .* before December 2025; download a current/ },
  );
});

test('columns of other types: a number is its digits, what is no text, list or group is absent', async (t) => {
  const number = (name: string) => ({ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }) as const;
  const flag = (name: string) => ({ name, type: 'BOOLEAN', repetition_type: 'OPTIONAL' }) as const;
  const point = { name: 'geometry', data: [wkb('point', [9.5, 47.1])] };
  const addresses = parquet(
    [
      { name: 'root', num_children: 5 },
      geometry,
      number('number'),
      text('street'),
      flag('country'),
      number('address_levels'),
    ],
    [
      point,
      { name: 'number', data: [12] },
      { name: 'street', data: ['Städtle'] },
      { name: 'country', data: [true] },
      { name: 'address_levels', data: [5] },
    ],
  );
  const read = await collect((options) =>
    readStreets('overture', temporaryFile(t, 'addresses.parquet', addresses), options),
  );
  assert.deepEqual(JSON.parse(JSON.stringify(read.addresses)), [
    { houseNumber: '12', street: 'Städtle', lat: 47.1, lng: 9.5 },
  ]);
  const places = parquet(
    [
      { name: 'root', num_children: 5 },
      geometry,
      group('names', 2),
      text('primary'),
      number('rules'),
      text('basic_category'),
      flag('taxonomy'),
      number('addresses'),
    ],
    [
      point,
      { name: 'names', data: [{ primary: 'Adler', rules: 5 }] },
      { name: 'basic_category', data: ['lodging'] },
      { name: 'taxonomy', data: [true] },
      { name: 'addresses', data: [1] },
    ],
  );
  const { pois } = await collect((options) =>
    readStreets('overture', temporaryFile(t, 'places.parquet', places), options),
  );
  assert.deepEqual(JSON.parse(JSON.stringify(pois)), [{ name: 'Adler', category: 'hotel', lat: 47.1, lng: 9.5 }]);
});

/** Written by another program than ours, see overture/write.sql: in the layout of Overture's releases of 2026. */
const released = (name: string) => join(import.meta.dirname, 'overture', name);

test('a released file of places: taxonomy, names, brand; closed and doubtful ones are dropped and reported', async () => {
  const path = released('places.parquet');
  const { pois, dropped } = await collect((options) => readStreets('overture', path, options));
  assert.deepEqual(JSON.parse(JSON.stringify(pois)), [
    {
      name: 'Blue Fish',
      otherNames: ['Pez Azul', 'BF'],
      category: 'restaurant',
      cuisine: 'sushi',
      city: 'Austin',
      admin1: 'TX',
      country: 'US',
      lat: 30.25,
      lng: -97.75,
      sourceId: 'p1',
    },
    // Closed for a time, and without a score: kept.
    { name: 'Sparbank Vaduz', category: 'bank', brand: 'Sparbank', lat: 47.1, lng: 9.5, sourceId: 'p4' },
  ]);
  assert.deepEqual(dropped, {
    'place that is permanently closed': 1,
    'place with a confidence below 0.5': 1,
    'place of none of the 11 categories': 1,
    'place without a name': 1,
  });
});

test('a released file of addresses: one level is the town, a level without a value is none', async () => {
  const path = released('addresses.parquet');
  const { addresses, dropped } = await collect((options) => readStreets('overture', path, options));
  assert.deepEqual(
    addresses.map(({ houseNumber, street, city, admin1, postalCode, country, lat, lng }) => [
      [houseNumber, street, city, admin1, postalCode, country],
      [lat, lng],
    ]),
    [
      [
        ['1000', 'EXAMPLE AVE', 'AUSTIN', 'TX', '78745', 'US'],
        [30.25, -97.75],
      ],
      [
        ['12a', 'Städtle', 'Vaduz', undefined, '9490', 'LI'],
        [47.1, 9.5],
      ],
      [
        ['71', 'Tomaj', 'Dutovlje', undefined, undefined, 'SI'],
        [47.1, 9.5],
      ],
      [
        ['5 bis', 'Rue X', undefined, undefined, undefined, 'FR'],
        [47.1, 9.5],
      ],
    ],
  );
  assert.deepEqual(dropped, { 'address without a house number': 1 });
});

test('the nearest entry of the taxonomy decides the category', async (t) => {
  const expected = [
    ['food_and_drink > casual_eatery > cafe', 'restaurant'],
    ['food_and_drink > casual_eatery > bakery > pretzel_shop', 'shop'],
    ['lodging > hotel > motel', 'hotel'],
    ['health_care > outpatient_care_facility > dental_clinic', 'hospital'],
    ['shopping > specialty_store > pharmacy', 'shop'],
    ['education > place_of_learning > school > high_school', 'school'],
    ['education > library', undefined],
    ['services_and_business > financial_service > atm', 'bank'],
    ['services_and_business > financial_service > accountant', undefined],
    ['travel_and_transportation > air_transport_facility_or_service > airport > heliport', 'transport'],
    ['travel_and_transportation > air_transport_facility_or_service > airline', undefined],
    ['arts_and_entertainment > museum > art_museum', 'tourism'],
    ['arts_and_entertainment > gaming_venue > casino', 'tourism'],
    ['arts_and_entertainment > gaming_venue > arcade', undefined],
    ['arts_and_entertainment > stadium_arena > stadium > soccer_stadium', 'sport'],
    ['sports_and_recreation > park > national_park', 'tourism'],
    ['sports_and_recreation > park > water_park', 'sport'],
    ['travel_and_transportation > parking > parking_garage', 'parking'],
    ['travel_and_transportation > fueling_station > ev_charging_station', 'fuel'],
    ['a_category_of_the_future', undefined],
  ] as const;
  const schema = [
    { name: 'root', num_children: 4 },
    text('id'),
    geometry,
    group('names', 1),
    text('primary'),
    group('taxonomy', 1),
    { ...group('hierarchy', 1), converted_type: 'LIST' },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    text('element'),
  ];
  const file = parquet(schema, [
    { name: 'id', data: expected.map((_, at) => `${at}`) },
    { name: 'geometry', data: expected.map((_, at) => wkb('point', [at, at])) },
    { name: 'names', data: expected.map(([path]) => ({ primary: path })) },
    { name: 'taxonomy', data: expected.map(([path]) => ({ hierarchy: path.split(' > ') })) },
  ]);
  const path = temporaryFile(t, 'places.parquet', file);
  const { pois } = await collect((options) => readStreets('overture', path, options));
  const found = new Map(pois.map(({ name, category }) => [name, category]));
  for (const [path, category] of expected) assert.equal(found.get(path), category, path);
});

test('empty, cut, damaged and other files are refused', async (t) => {
  const whole = addressFile();
  const other = Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'x', data: [1, 2], type: 'INT32' }] }));
  const damaged = Buffer.from(whole);
  damaged.fill(0xff, 4, 60);
  // The first columns are damaged too: what reading them throws once reading the last was given up must not be lost.
  const renamed = Buffer.from(damaged);
  renamed.write('x', renamed.indexOf('value', renamed.length - 8 - renamed.readUInt32LE(renamed.length - 8)));
  const directory = temporaryDirectory(t);
  for (const [what, bytes, message] of [
    ['empty', Buffer.alloc(0), /is empty/],
    ['text', Buffer.from('id,geometry\n1,2\n'), /not a Parquet file, or is truncated/],
    ['cut', whole.subarray(0, whole.length - 20), /not a Parquet file, or is truncated/],
    ['half', whole.subarray(0, whole.length / 2), /not a Parquet file, or is truncated/],
    ['damaged', damaged, /damaged in rows 0 to 2/],
    ['renamed', renamed, /is damaged: the column address_levels.list.element.value is not in the schema/],
    ['other', other, /has the columns x, expected those of Overture's themes addresses/],
  ] as const) {
    const path = join(directory, `${what}.parquet`);
    writeFileSync(path, bytes);
    await assert.rejects(
      collect((options) => readStreets('overture', path, options)),
      { name: 'SourceError', message },
      what,
    );
  }
});

test('a file whose pages never end, or have more values than V8 has room for, is refused', async (t) => {
  for (const [bytes, limits] of [
    [endlessFile(), { maxCpuMs: 500 }],
    [crowdedFile(), { maxCpuMs: 30_000, maxHeapMb: 32 }],
  ] as const) {
    const file = await openParquet(temporaryFile(t, 'addresses.parquet', bytes), limits);
    await assert.rejects(
      Array.fromAsync(file.batches(['geometry', 'street', 'number'])),
      /addresses.parquet is damaged: a part of it takes more than [\d.]+ s of processor time, or more memory than there is/,
    );
  }
});
