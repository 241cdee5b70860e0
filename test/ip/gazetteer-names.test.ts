import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallIp } from './small-ip.ts';

const flat = (country_code: string, city: string, state1: string, latitude: number, longitude: number) => ({
  ...{ country_code, city, state1, latitude, longitude },
  ...{ postcode: '', state2: '', timezone: '' },
});

test('cities have the names that the gazetteer has for them, by name and position', async (t) => {
  const place = (id: number, name: string, country: string, lat: number, lng: number, otherNames = '') => ({
    ...{ id, name, country, lat, lng, otherNames },
    ...{ population: 1000 * id, timezone: 'Etc/UTC' },
  });
  const { find } = await smallIp(
    t,
    {
      city4: {
        '20.0.0.0/24': flat('BR', 'Sao Paulo', 'Sao Paulo', -23.55, -46.63),
        '20.0.1.0/24': flat('US', 'Cambridge (Area 2/MIT)', 'Massachusetts', 42.36, -71.09),
        '20.0.2.0/24': flat('DE', 'Frankfurt (Oder)', 'Brandenburg', 52.34, 14.55),
        '20.0.3.0/24': flat('DE', 'Wenigerdorf (Unterdorf)', 'Brandenburg', 52.34, 14.55),
        '20.0.4.0/24': flat('US', 'Munich', 'Bavaria', 42.36, -71.09),
        '20.0.5.0/24': flat('DE', 'Munich', 'Bavaria', 48.2, 11.6),
        '20.0.6.0/24': flat('GB', 'London', 'England', 51.51, -0.09),
      },
    },
    [],
    [
      place(1, 'São Paulo', 'BR', -23.5475, -46.63611),
      place(2, 'Cambridge', 'US', 42.3751, -71.10561),
      // A namesake that is bigger but far away.
      place(3, 'Cambridge', 'US', 38.56, -76.07),
      place(4, 'Frankfurt (Oder)', 'DE', 52.34714, 14.55062),
      place(5, 'Frankfurt', 'DE', 52.35, 14.56),
      place(1006, 'London', 'GB', 51.50853, -0.12574),
      // Nearer, and of that name too, but less prominent.
      place(7, 'City of London', 'GB', 51.51279, -0.09184, 'London'),
      place(6, 'München', 'DE', 48.13743, 11.57549, 'Munich'),
    ],
  );
  const cities = [0, 1, 2, 3, 4, 5, 6].map((network) => find(`20.0.${network}.1`)?.city);
  assert.deepEqual(cities, [
    ...['São Paulo', 'Cambridge', 'Frankfurt (Oder)', 'Wenigerdorf', 'Munich', 'München', 'London'],
  ]);
  // The position stays the database's.
  assert.deepEqual([find('20.0.1.1')?.lat, find('20.0.1.1')?.lng], [42.36, -71.09]);
});
