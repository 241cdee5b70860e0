/**
 * Made-up countries of any size, for measuring: cities of falling size, streets whose names are as unevenly spread as
 * real ones (a few in every city, most in one), odd numbers on one side and even ones on the other, some with letters.
 */

import { poiCategories } from '../../src/core/place-kinds.ts';
import {
  type AddressRecord,
  emptyBatch,
  type PoiRecord,
  type StreetBatch,
  type StreetRecord,
} from '../../src/core/source-records.ts';
import { randomNumbers } from '../quality/samples.ts';

export type Sample = { addresses: AddressRecord[]; streets: StreetRecord[]; pois: PoiRecord[] };

const syllables =
  'ba ber dor el fen gar hol in kal lin mar neu ost pel ran ste tor ul vin wal zen gra bri thal rup mon'.split(' ');
const ends = ['straße', 'weg', 'gasse', ' Street', ' Road', ' Avenue', ' Lane', 'platz', ' Allee', 'ring'];
const common = [
  'Haupt',
  'Bahnhof',
  'Dorf',
  'Schul',
  'Garten',
  'Berg',
  'Kirch',
  'Wald',
  'Ring',
  'Linden',
  'Mill',
  'Church',
  'High',
  'Park',
  'Station',
];
const housesPerStreet = 16;
const streetsPerCity = 250;

type Strip = { seed: number; west: number; east: number; samples: number };
const whole: Strip = { seed: 17, west: 7, east: 14, samples: 4000 };

/** Batches with about `count` addresses in a strip of the country, and a sample of what is in them, spread over the whole. */
export function* syntheticCountry(count: number, sample: Sample, strip = whole): Generator<StreetBatch> {
  const { west, east } = strip;
  const random = randomNumbers(count + strip.seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const stem = (parts: number) => {
    const text = Array.from({ length: parts }, () => pick(syllables)).join('');
    return text[0].toUpperCase() + text.slice(1);
  };
  const keepEvery = Math.max(1, Math.floor(count / strip.samples));
  let [made, sinceKept] = [0, 0];
  for (let city = 0; made < count; city++) {
    const name = stem(3);
    const place = { city: name, admin1: 'Bavaria', country: 'DE' };
    const middle = { lat: 47.5 + random() * 7, lng: west + random() * (east - west) };
    const batch = emptyBatch();
    const names = new Set<string>();
    const streets = Math.max(5, Math.floor(streetsPerCity * 2 * random() ** 3 + 20));
    for (let street = 0; street < streets && made < count; street++) {
      const streetName = (random() < 0.3 ? pick(common) : stem(2)) + pick(ends);
      if (names.has(streetName)) continue;
      names.add(streetName);
      const start = { lat: middle.lat + (random() - 0.5) * 0.06, lng: middle.lng + (random() - 0.5) * 0.1 };
      const step = { lat: (random() - 0.5) * 0.0005, lng: (random() - 0.5) * 0.0007 };
      const houses = Math.floor(random() * 2 * housesPerStreet) + 1;
      const postalCode = String(10000 + ((city * 7 + (street >> 6)) % 89999));
      const at = (along: number, side: number) => ({
        lat: start.lat + step.lat * along + side * 0.0001,
        lng: start.lng + step.lng * along + side * 0.00013,
      });
      for (let house = 0; house < houses; house++) {
        const houseNumber = `${house + 1}${random() < 0.06 ? pick(['a', 'b', 'c']) : ''}`;
        batch.addresses.push({ ...place, street: streetName, houseNumber, postalCode, ...at(house / 2, house % 2) });
      }
      const vertices = [0, 0.5, 1].map((share) => at((share * houses) / 2, 0.5));
      const lines = [Float64Array.from(vertices.flatMap(({ lat, lng }) => [lng, lat]))];
      batch.streets.push({ ...place, name: streetName, highwayType: 'residential', ...vertices[1], lines });
      if (random() < 0.3) {
        batch.pois.push({
          ...place,
          name: `${stem(2)} ${pick(['Bar', 'Markt', 'Hotel'])}`,
          category: pick(poiCategories),
          ...at(0, 2),
        });
      }
      made += houses;
      sinceKept += houses;
      if (sinceKept >= keepEvery) {
        sinceKept = 0;
        sample.addresses.push(batch.addresses[batch.addresses.length - 1 - Math.floor(random() * houses)]);
        sample.streets.push(batch.streets[batch.streets.length - 1]);
        if (batch.pois.length > 0) sample.pois.push(batch.pois[batch.pois.length - 1]);
      }
    }
    yield batch;
  }
}
