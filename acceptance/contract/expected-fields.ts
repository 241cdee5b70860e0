/** What section 4 of the specification and the table of profiles say of each endpoint's answer, and questions to ask. */
import type { Profile } from '../../test/support/ask.ts';
import type { Shape } from './shape.ts';

type Parameters = Record<string, string | number>;
type Case = { path: string; queries: Parameters[]; shapes: Record<Profile, Shape> };

const end = { count: 'integer', query_ms: 'integer' };
const point = { lat: 'number', lng: 'number' };
const list = (record: Shape, more: Record<string, Shape> = {}) => ({ results: [record] as const, ...more, ...end });
const same = (shape: Shape) => ({ default: shape, a: shape, b: shape });

const place = { id: 'integer', name: 'string', country: 'string', admin1: 'string?', ...point };
const { id: _, ...placeWithoutId } = place;
const searched = {
  ...place,
  country_name: 'string',
  admin2: 'string?',
  timezone: 'string',
  population: 'integer?',
  type: 'string',
  postal_code: 'string?',
  confidence: 'integer',
  sources: 'strings',
};
const near = { distance_km: 'number', population: 'integer' };
const address = {
  street: 'string',
  city: 'string?',
  admin1: 'string?',
  postal_code: 'string?',
  country: 'string',
  ...point,
};
const postal = {
  postal_code: 'string',
  place: 'string',
  admin1: 'string?',
  admin2: 'string?',
  country: 'string',
  lat: 'number?',
  lng: 'number?',
};
const validated = {
  valid: 'boolean',
  normalized: { city: 'string?', postal_code: 'string?', admin1: 'string?', country: 'string' },
  query_ms: 'integer',
};
const network = {
  ip: 'string',
  country: 'string?',
  city: 'string?',
  timezone: 'string?',
  currency: 'string?',
  isp: 'string?',
  query_ms: 'integer',
};
const networkA = {
  ...network,
  country_name: 'string?',
  current_time: 'string?',
  currency_symbol: 'string?',
  phone_code: 'string?',
  languages: 'strings',
  asn: 'string?',
  is_eu: 'boolean',
};
const networkB = { admin1: 'string?', lat: 'number?', lng: 'number?' };
const clock = {
  timezone: 'string',
  utc_offset: 'string',
  is_dst: 'boolean',
  local_time: 'string',
  query_ms: 'integer',
};
const sunA = {
  sunrise: 'string?',
  sunrise_12h: 'string?',
  sunset: 'string?',
  sunset_12h: 'string?',
  day_length: 'string',
  timezone: 'string',
  query_ms: 'integer',
};
const sunB = {
  date: 'string',
  sunrise: 'string?',
  sunset: 'string?',
  dawn: 'string?',
  dusk: 'string?',
  solar_noon: 'string?',
  day_length: 'string',
  query_ms: 'integer',
};
const named = { name: 'string?', country: 'string?' };
const distanceA = { from: named, to: named, distance_km: 'number', distance_miles: 'number', query_ms: 'integer' };
const distanceB = { distance_km: 'number', distance_mi: 'number', bearing: 'number', query_ms: 'integer' };
const street = { name: 'string', highway_type: 'string?', ...point };
const streetB = { id: 'string', city: 'string?', admin1: 'string?', country: 'string' };
const codes = { iso2: 'string', iso3: 'string', name: 'string' };
const country = {
  ...codes,
  capital: 'string?',
  currency: 'string?',
  currency_symbol: 'string?',
  phone_code: 'string?',
  languages: 'strings',
  flag: 'string',
  query_ms: 'integer',
};
const countryA = { continent: 'string?', timezone: 'string?', region: 'string?' };
const countryB = { is_eu: 'boolean', population: 'integer?' };
const region = { name: 'string', code: 'string', level: 'integer' };
const poi = { name: 'string?', category: 'string', ...point, distance_km: 'number', cuisine: 'string?' };

/** What a record is and covers, where that is known. */
const extent = { kind: 'string?', bbox: 'numbers?', bbox_source: 'string?' };
/** The object of OpenStreetMap that a record is, where it comes from there. */
const osm = { osm_type: 'string?', osm_id: 'integer?' };
const osmTagged = { ...osm, osm_tag: 'string?' };
/** What an address or street among the results has besides; null for all else. */
const placed = { city: 'string?', street: 'string?', house_number: 'string?' };
const suggested = { id: 'integer', name: 'string', admin1: 'string?', country: 'string', label: 'string' };
const covered = { coverage: 'coverage?' };

export const cases: Case[] = [
  {
    path: '/search',
    queries: [{ q: 'Springfield', limit: 100 }, { q: 'Paris' }, { q: 'San', limit: 100 }],
    shapes: {
      default: list({
        ...searched,
        layer: 'string',
        type: 'string?',
        timezone: 'string?',
        ...placed,
        ...extent,
        ...osmTagged,
      }),
      a: list(searched),
      b: list(searched),
    },
  },
  {
    path: '/autocomplete',
    queries: [
      { q: 'sa', limit: 20 },
      { q: 'gibr', limit: 20 },
    ],
    shapes: {
      default: list({
        ...suggested,
        layer: 'string',
        type: 'string?',
        country_name: 'string',
        ...point,
        highlight: 'integers',
        ...placed,
        ...extent,
        ...osmTagged,
      }),
      a: list(suggested),
      b: list(suggested),
    },
  },
  {
    path: '/cities',
    queries: [{ country: 'DE', limit: 100 }, { country: 'GI' }, { country: 'VA' }],
    shapes: same(list({ ...place, population: 'integer', type: 'string' })),
  },
  {
    path: '/nearby',
    queries: [
      { lat: 52.52, lng: 13.4, limit: 100 },
      { lat: 36.14, lng: -5.35, limit: 100 },
    ],
    shapes: {
      default: list({ ...place, ...near, type: 'string' }),
      a: list({ ...placeWithoutId, ...near }),
      b: list({ ...place, ...near }),
    },
  },
  {
    path: '/reverse',
    queries: [
      { lat: 52.52, lng: 13.4 },
      { lat: 0, lng: 0 },
      { lat: -90, lng: 0 },
    ],
    shapes: {
      default: list({
        ...place,
        population: 'integer',
        type: 'string',
        distance_km: 'number',
        country_name: 'string',
        admin2: 'string?',
        city: 'string?',
        suburb: 'string?',
        postal_code: 'string?',
        timezone: 'string?',
        street: 'string?',
        house_number: 'string?',
        layer: 'string',
        category: 'string?',
        municipality: 'string?',
        ...extent,
        ...osmTagged,
        hierarchy: [{ layer: 'string', id: 'integer?', code: 'string?', name: 'string' }],
      }),
      a: list({ ...place, distance_km: 'number' }),
      b: list({ ...place, distance_km: 'number' }),
    },
  },
  {
    path: '/address',
    queries: [
      { q: 'Avenida 18 de Julio 1200', country: 'UY', limit: 50 },
      { q: 'Avenida 18 de Julio', country: 'UY', limit: 50 },
    ],
    shapes: {
      default: list(
        {
          id: 'integer',
          house_number: 'string?',
          number: 'string?',
          ...address,
          ...osm,
          match_type: 'string',
          source: 'string',
          unit: 'string?',
          verdict: 'string',
          components: [{ component: 'string', input: 'string?', value: 'string?', status: 'string' }],
        },
        { verdict: 'string', ...covered },
      ),
      a: list({ id: 'integer', house_number: 'string?', ...address }),
      b: list({ id: 'string', number: 'string?', ...address }),
    },
  },
  {
    path: '/postal',
    queries: [
      { code: '10115', country: 'DE' },
      { code: '75001', country: 'FR' },
      { code: 'SW1A 1AA', country: 'GB' },
    ],
    shapes: {
      default: {
        ...(list({ ...postal, accuracy: 'string?', radius_km: 'number?', source: 'string' }) as object),
        coverage: 'coverage?',
      },
      a: list(postal),
      b: list(postal),
    },
  },
  {
    path: '/validate',
    queries: [
      { city: 'Berlin', country: 'DE' },
      { city: 'Berlin', country: 'DE', postal_code: '10115' },
      { city: 'Nowhereville', country: 'DE', postal_code: '00000' },
    ],
    shapes: { default: { ...validated, status: 'string', coverage: 'coverage?' }, a: validated, b: validated },
  },
  {
    path: '/ip',
    queries: [{ ip: '8.8.8.8' }, { ip: '91.64.0.1' }, { ip: '2001:4860:4860::8888' }],
    shapes: { default: { ...networkA, ...networkB }, a: networkA, b: { ...network, ...networkB } },
  },
  {
    path: '/timezone',
    queries: [{ lat: 52.5, lng: 13.4 }, { lat: 0, lng: -150 }, { timezone: 'Asia/Kathmandu' }],
    shapes: {
      default: {
        ...clock,
        abbreviation: 'string',
        next_transition: 'transition?',
      },
      a: clock,
      b: clock,
    },
  },
  {
    path: '/sun',
    queries: [
      { lat: 52.5, lng: 13.4, date: '2026-06-21' },
      { lat: 78.22, lng: 15.65, date: '2026-06-21' },
      { lat: 78.22, lng: 15.65, date: '2026-12-21' },
      { lat: 0, lng: 0 },
    ],
    shapes: { default: { ...sunA, ...sunB, sun_status: 'string' }, a: sunA, b: sunB },
  },
  {
    path: '/distance',
    queries: [
      { from_lat: 52.5, from_lng: 13.4, to_lat: 48.8, to_lng: 2.3 },
      { from_lat: 0, from_lng: 0, to_lat: -40, to_lng: -150 },
    ],
    shapes: { default: { ...distanceA, ...distanceB, distance: 'number', unit: 'string' }, a: distanceA, b: distanceB },
  },
  {
    path: '/streets',
    queries: [{ q: '18 de Julio' }, { q: '18 de Julio', lat: -34.9, lng: -56.18 }, { q: 'rua', limit: 50 }],
    shapes: {
      default: list({ ...street, ...streetB, ...osm, distance_km: 'number?' }, { query: 'string', ...covered }),
      a: list({ ...street, distance_km: 'number?' }, { query: 'string' }),
      b: list({ ...street, ...streetB }),
    },
  },
  { path: '/countries', queries: [{}, { limit: 249 }], shapes: same(list(codes)) },
  {
    path: '/country/{code}',
    queries: ['DE', 'AQ', 'US', 'BV', 'VA'].map((code) => ({ code })),
    shapes: {
      default: { ...country, ...countryA, ...countryB },
      a: { ...country, ...countryA },
      b: { ...country, ...countryB },
    },
  },
  {
    path: '/countries/all',
    queries: [{}],
    shapes: same(list({ ...codes, capital: 'string?', currency: 'string?', phone_code: 'string?', is_eu: 'boolean' })),
  },
  {
    path: '/admin',
    queries: [{ country: 'US' }, { country: 'US', level: 2 }, { country: 'NA' }],
    shapes: {
      default: list({ ...region, iso_code: 'string?', country: 'string', parent: 'string?' }, { country: 'string' }),
      a: list(region, { country: 'string' }),
      b: list({ ...region, country: 'string' }),
    },
  },
  {
    path: '/pois',
    queries: [
      { lat: -34.9059, lng: -56.1902, radius: 5, limit: 100 },
      { lat: -34.9059, lng: -56.1902, radius: 5, limit: 100, category: 'restaurant' },
    ],
    shapes: {
      default: list({ id: 'string', ...poi, ...osmTagged }, covered),
      a: list(poi),
      b: list({ id: 'string', ...poi }),
    },
  },
];
