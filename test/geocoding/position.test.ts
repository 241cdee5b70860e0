/** Which texts are positions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionOf } from '../../src/geocoding/position.ts';

const rounded = (text: string) => {
  const position = positionOf(text);
  return position && [Number(position.lat.toFixed(4)), Number(position.lng.toFixed(4))];
};

test('decimal degrees, degrees with minutes, geo: URIs and plus codes are positions', () => {
  for (const [text, lat, lng] of [
    ['48.8566, 2.3522', 48.8566, 2.3522],
    ['-33.8688 151.2093', -33.8688, 151.2093],
    ['40.7128,-74.0060', 40.7128, -74.006],
    ['48,2', 48, 2],
    ['48.8566° 2.3522°', 48.8566, 2.3522],
    ['48°51\'24"N 2°21\'8"E', 48.8567, 2.3522],
    ['48° 51.4′ N, 2° 21.13′ W', 48.8567, -2.3522],
    ['N 51.5074 W 0.1278', 51.5074, -0.1278],
    ['S 33°52\'7.7", E 151°12\'33.5"', -33.8688, 151.2093],
    ['geo:52.52,13.405;u=35', 52.52, 13.405],
    // The examples of the plus code specification: codes with their centres.
    ['8FVC9G8F+6X', 47.3656, 8.5249],
    ['7FG49Q22+22', 20.3501, 2.7501],
    ['8FVC9G8F+6XQ', 47.3656, 8.525],
    ['7FG49Q00+', 20.375, 2.775],
    ['48 51 24 N, 2 21 8 E', 48.8567, 2.3522],
    ['N 48 51.4 E 2 21.13', 48.8567, 2.3522],
    ['48:51:24N 2:21:08E', 48.8567, 2.3522],
    ['48.8566N 2.3522E', 48.8566, 2.3522],
    ['48,8566 2,3522', 48.8566, 2.3522],
    ['-33,8688; 151,2093', -33.8688, 151.2093],
    ['52,5163, 13,3777', 52.5163, 13.3777],
    ['52d30m58s N 13d22m39s E', 52.5161, 13.3775],
    ['74.0445 W 40.6892 N', 40.6892, -74.0445],
    ['E13.3777 N52.5163', 52.5163, 13.3777],
    ['lat: 40.6892, lng: -74.0445', 40.6892, -74.0445],
    ['lon -74.0445 lat 40.6892', 40.6892, -74.0445],
    ['Breite 47.1, Länge 9.5', 47.1, 9.5],
    ['(40.6892, -74.0445)', 40.6892, -74.0445],
    ['[40.6892, -74.0445]', 40.6892, -74.0445],
    ['40.6892/-74.0445', 40.6892, -74.0445],
    ['−33.8568, 151.2153', -33.8568, 151.2153],
    ['４８．８５８３，２．２９４５', 48.8583, 2.2945],
    ['٤٨٫٨٥٨٣، ٢٫٢٩٤٥', 48.8583, 2.2945],
    ['55.7558° с.ш. 37.6173° в.д.', 55.7558, 37.6173],
    ['北緯35度39分31秒 東経139度44分43秒', 35.6586, 139.7453],
    ['POINT(2.2945 48.8583)', 48.8583, 2.2945],
    ['https://www.google.com/maps/@48.8583,2.2945,15z', 48.8583, 2.2945],
    ['https://maps.google.com/?q=48.8583,2.2945', 48.8583, 2.2945],
    ['https://www.openstreetmap.org/#map=15/48.8583/2.2945', 48.8583, 2.2945],
    ['https://www.openstreetmap.org/?mlat=48.8583&mlon=2.2945#map=15/48.1/2.1', 48.8583, 2.2945],
    ['https://www.bing.com/maps?cp=48.8583~2.2945&lvl=15', 48.8583, 2.2945],
    ['https://www.google.com/maps/search/?api=1&query=48.8583%2C2.2945', 48.8583, 2.2945],
    ['48.8583,2.2945,100', 48.8583, 2.2945],
    ['POINT Z (2.2945 48.8583 100)', 48.8583, 2.2945],
    ['Nord 48.8583 Ost 2.2945', 48.8583, 2.2945],
  ] as const) {
    assert.deepEqual(rounded(text), [lat, lng], text);
  }
});

test('each further digit of a plus code names a cell of five rows and four columns', () => {
  // By Google's own library (openlocationcode 1.0.1).
  for (const [text, lat, lng] of [
    ['849VCWC8+R9J', 37.4220875, -122.084109375],
    ['9C3XGV6X+JC4V2', 51.5115205, -0.1014287109375],
    ['6FG22222+2222222', 2e-8, 6.1035155e-8],
  ] as const) {
    const position = positionOf(text)!;
    assert.ok(Math.abs(position.lat - lat) < 1e-8 && Math.abs(position.lng - lng) < 1e-8, text);
  }
});

test('a short plus code is the nearest one to the place next to it', () => {
  const places: Record<string, { lat: number; lng: number }> = {
    Mountain: { lat: 51.3708675, lng: -1.217765625 },
    'Paris, France': { lat: 48.85341, lng: 2.3488 },
    Taveuni: { lat: -16.8, lng: -179.99 },
  };
  const located = (text: string) => {
    const position = positionOf(text, (place) => places[place]);
    return position && [Number(position.lat.toFixed(4)), Number(position.lng.toFixed(4))];
  };
  // The specification's own examples of 9C3W9QCJ+2VX, shortened.
  assert.deepEqual(located('CJ+2VX, Mountain'), [51.3701, -1.2178]);
  assert.deepEqual(located('9QCJ+2VX Mountain'), [51.3701, -1.2178]);
  assert.deepEqual(located('V75V+8Q Paris, France'), [48.8583, 2.2944]);
  assert.deepEqual(located('Paris, France V75V+8Q'), [48.8583, 2.2944]);
  assert.deepEqual(located('V75V+8Q Paris, Île-de-France, France'), [48.8583, 2.2944]);
  // Across the antimeridian: the nearer cell lies in the east.
  assert.deepEqual(located('6XXX+XX Taveuni'), [-16.7501, 179.9999]);
  assert.equal(located('V75V+8Q Nowhere'), undefined);
  assert.equal(located('V75V+8Q'), undefined);
  assert.equal(located('75V+8Q Paris, France'), undefined, 'half of a pair');
});

test('other texts, and positions off the globe, are none', () => {
  for (const text of [
    'Paris',
    '10115 2000',
    '91.5, 10.5',
    '10.5, 181.5',
    // Cells beyond 180° east and 90° north.
    '8XVC9G8F+6X',
    'FFVC9G8F+6X',
    '10115 Berlin',
    '+',
    '8FVC9G+6X',
    '12',
    '',
    '48°60\'00"N 2°21\'8"E',
    '48°51\'60"N 2°21\'8"E',
    '10 N 20 S',
    '50 E 80 N',
    '12/3',
    '5/7',
    'Lat Krabang 20',
  ]) {
    assert.equal(positionOf(text), undefined, text);
  }
});
