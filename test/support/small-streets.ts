/** Street-level rows of the small dataset: streets, houses and points of its cities, with rounded positions. */
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { type AddressRecord, emptyBatch, type PoiRecord, type StreetRecord } from './street-batches.ts';

type Row = Omit<AddressRecord, 'houseNumber' | 'lat' | 'lng'>;

/** Houses along a line, one for each number, 20 m of latitude apart. */
function houses(row: Row, lat: number, lng: number, numbers: readonly string[]): AddressRecord[] {
  return numbers.map((houseNumber, at) => ({ ...row, houseNumber, lat: lat + at * 0.00018, lng }));
}

export const smallAddresses: readonly AddressRecord[] = [
  ...houses({ street: 'Hauptstraße', city: 'Berlin', country: 'DE', postalCode: '10827' }, 52.48, 13.35, [
    '1',
    '3',
    '7',
    '12a',
    '14-18',
    '20',
  ]),
  ...houses({ street: 'Straße des 17. Juni', city: 'Berlin', country: 'DE', postalCode: '10623' }, 52.513, 13.33, [
    '110',
    '135',
  ]),
  ...houses({ street: 'Hauptstraße', city: 'Munich', country: 'DE', postalCode: '81241' }, 48.15, 11.46, ['1', '2']),
  ...houses({ street: 'Rue de la Paix', city: 'Paris', country: 'FR', postalCode: '75002' }, 48.8686, 2.3314, [
    '5',
    '5 bis',
    '9',
  ]),
  ...houses({ street: 'Downing Street', city: 'London', country: 'GB', postalCode: 'SW1A 2AA' }, 51.5034, -0.1276, [
    '9',
    '10',
    '11',
  ]),
  ...houses(
    { street: 'T Street Southeast', city: 'Washington', admin1: 'DC', country: 'US', postalCode: '20020' },
    38.867,
    -76.979,
    ['1745'],
  ),
  ...houses({ street: 'West 42nd Street', city: 'Springfield', admin1: 'IL', country: 'US' }, 39.79, -89.65, [
    '12',
    '16',
  ]),
  ...houses({ street: 'West 42nd Street', city: 'Springfield', admin1: 'MO', country: 'US' }, 37.21, -93.29, ['12']),
  ...houses({ street: 'Queens Boulevard', city: 'Springfield', admin1: 'IL', country: 'US' }, 39.81, -89.6, [
    '45-10',
    '45-14',
  ]),
  ...houses({ street: 'улица Арбат', city: 'Berlin', country: 'DE' }, 52.5, 13.4, ['12 к2', '14']),
  ...houses({ street: 'Bullerbü', isPlace: true, city: 'Berlin', country: 'DE' }, 52.6, 13.2, ['3']),
  ...houses(
    { street: 'Mannerheimintie', otherStreetNames: ['Mannerheimvägen'], city: 'Berlin', country: 'DE' },
    52.4,
    13.5,
    ['20'],
  ),
];

const line = (...coordinates: number[]) => Float64Array.from(coordinates);

export const smallStreets: readonly StreetRecord[] = [
  {
    name: 'Hauptstraße',
    highwayType: 'primary',
    city: 'Berlin',
    country: 'DE',
    lat: 52.4805,
    lng: 13.35,
    lines: [line(13.35, 52.479, 13.35, 52.482), line(13.351, 52.482, 13.352, 52.484)],
  },
  {
    name: 'Hauptstraße',
    highwayType: 'residential',
    city: 'Munich',
    country: 'DE',
    lat: 48.15,
    lng: 11.46,
    lines: [line(11.459, 48.15, 11.461, 48.15)],
  },
  {
    name: 'Downing Street',
    highwayType: 'service',
    city: 'London',
    country: 'GB',
    lat: 51.5034,
    lng: -0.1276,
    lines: [line(-0.1287, 51.5033, -0.1265, 51.5034)],
  },
];

export const smallPois: readonly PoiRecord[] = [
  { name: 'Trattoria Roma', category: 'restaurant', cuisine: 'pizza;italian', country: 'DE', lat: 52.481, lng: 13.351 },
  { name: 'Sushi Bar', category: 'restaurant', cuisine: 'japanese', country: 'DE', lat: 52.485, lng: 13.36 },
  { name: 'Charité', category: 'hospital', country: 'DE', lat: 52.526, lng: 13.377 },
  { name: 'Gare du Nord', category: 'transport', country: 'FR', lat: 48.8809, lng: 2.3553 },
  { name: 'Zur Post', category: 'restaurant', country: 'DE', lat: 50.191, lng: 11.79 },
  { name: 'Parisa', category: 'shop', country: 'DE', lat: 50.193, lng: 11.79 },
  { name: 'Hotel Münchberg', category: 'restaurant', country: 'DE', lat: 50.192, lng: 11.79 },
  // 70 m from Germany.
  { name: 'Café de la Frontière', category: 'restaurant', country: 'FR', lat: 49, lng: 5.999 },
];

type StreetSource = Parameters<typeof buildStreetLevel>[1][number];

/** A source that yields records from memory. */
export function sourceOf(
  records: Partial<ReturnType<typeof emptyBatch>>,
  more: Partial<StreetSource> & { id?: string } = {},
): StreetSource {
  const { id = 'small', group = 'open' } = more;
  return {
    group,
    info: {
      id,
      title: id,
      version: '1',
      vintage: '2026-01',
      licence: 'CC0-1.0',
      attribution: 'nobody',
      url: 'https://example.org/',
    },
    async *read() {
      yield { ...emptyBatch(), ...records };
    },
  };
}

/** Writes the street-level files next to the world and the boundaries of a directory. */
export function buildSmallStreets(directory: string): ReturnType<typeof buildStreetLevel> {
  const source = sourceOf({ addresses: [...smallAddresses], streets: [...smallStreets], pois: [...smallPois] });
  const info = { ...source.info, title: 'Rows of the tests' };
  return buildStreetLevel({ directory, progress() {} }, [{ ...source, info }]);
}
