/** A valid question to every endpoint, good in every profile, and what the specification says of its parameters. */
import type { Profile } from '../../test/support/ask.ts';

export type Parameters = Record<string, string | number>;

/** A valid question to each endpoint; the path holds the path parameter. */
export const questions: Record<string, Parameters> = {
  '/search': { q: 'Springfield' },
  '/autocomplete': { q: 'san' },
  '/cities': { country: 'DE' },
  '/nearby': { lat: 64.147, lng: -21.94 },
  '/reverse': { lat: 52.52, lng: 13.4 },
  '/address': { q: 'Bahnhofstr', country: 'DE' },
  '/postal': { code: '75001', country: 'FR' },
  '/validate': { city: 'Berlin', country: 'DE' },
  '/ip': { ip: '8.8.8.8' },
  '/timezone': { lat: 52.52, lng: 13.4 },
  '/sun': { lat: 52.52, lng: 13.4, date: '2026-06-21' },
  '/distance': { from_lat: 52.5, from_lng: 13.4, to_lat: 48.8, to_lng: 2.3 },
  '/streets': { q: 'general', lat: -34.8859, lng: -56.1702 },
  '/countries': {},
  '/country/DE': {},
  '/countries/all': {},
  '/admin': { country: 'US' },
  '/pois': { lat: -34.84, lng: -56.2 },
};

export type NumberRule = {
  path: string;
  name: string;
  kind: 'integer' | 'number';
  min?: number;
  max?: number;
  /** The default value. */
  fallback?: number;
  profiles?: readonly Profile[];
};

const latLng = (path: string, prefix = ''): NumberRule[] => [
  { path, name: `${prefix}lat`, kind: 'number', min: -90, max: 90 },
  { path, name: `${prefix}lng`, kind: 'number', min: -180, max: 180 },
];
const limit = (path: string, max: number, fallback: number, profiles?: readonly Profile[]): NumberRule => ({
  path,
  name: 'limit',
  kind: 'integer',
  min: 1,
  max,
  fallback,
  ...(profiles ? { profiles } : {}),
});

/** Every numeric parameter of the service: kind, range and default, from the specification and the contract. */
export const numberRules: NumberRule[] = [
  limit('/search', 100, 10),
  limit('/autocomplete', 20, 5),
  limit('/cities', 100, 25),
  { path: '/cities', name: 'min_population', kind: 'integer', min: 0 },
  { path: '/cities', name: 'max_population', kind: 'integer', min: 0 },
  ...latLng('/nearby'),
  { path: '/nearby', name: 'radius', kind: 'number', min: 0, max: 500, fallback: 10, profiles: ['default'] },
  { path: '/nearby', name: 'radius', kind: 'integer', min: 1, max: 100, fallback: 10, profiles: ['a'] },
  { path: '/nearby', name: 'radius', kind: 'number', min: 0, max: 500, fallback: 50, profiles: ['b'] },
  limit('/nearby', 100, 10),
  ...latLng('/reverse'),
  limit('/reverse', 10, 1, ['default']),
  limit('/address', 50, 10),
  ...latLng('/timezone'),
  ...latLng('/sun'),
  ...latLng('/distance', 'from_'),
  ...latLng('/distance', 'to_'),
  ...latLng('/streets'),
  { path: '/streets', name: 'radius', kind: 'number', min: 0, fallback: 5 },
  limit('/streets', 50, 10),
  limit('/countries', 249, 50),
  { path: '/admin', name: 'level', kind: 'integer', min: 1, max: 2, fallback: 1 },
  ...latLng('/pois'),
  { path: '/pois', name: 'radius', kind: 'number', min: 0, max: 50, fallback: 1, profiles: ['default', 'a'] },
  { path: '/pois', name: 'radius', kind: 'number', min: 0, max: 50, fallback: 5, profiles: ['b'] },
  limit('/pois', 100, 20),
];

const everywhere: readonly Profile[] = ['default', 'a', 'b'];
export const profilesOf = (rule: NumberRule): readonly Profile[] => rule.profiles ?? everywhere;

/** The required parameters of each endpoint, by profile. */
export const required: [path: string, profile: Profile, names: string[]][] = everywhere.flatMap((profile) => {
  const rows: [string, string[]][] = [
    ['/search', ['q']],
    ['/autocomplete', ['q']],
    ['/cities', ['country']],
    ['/nearby', ['lat', 'lng']],
    ['/reverse', ['lat', 'lng']],
    ['/address', profile === 'a' ? ['q', 'country'] : ['q']],
    ['/postal', ['code', 'country']],
    ['/validate', ['city', 'country']],
    ['/streets', ['q']],
    ['/admin', ['country']],
    ['/pois', ['lat', 'lng']],
    ['/distance', profile === 'b' ? ['from_lat', 'from_lng', 'to_lat', 'to_lng'] : []],
    ['/sun', profile === 'b' ? ['lat', 'lng'] : []],
  ];
  return rows
    .filter(([, names]) => names.length > 0)
    .map(([path, names]): [string, Profile, string[]] => [path, profile, names]);
});

/** Parameters that a profile's variant lacks and ignores. */
export const foreign: [path: string, profile: Profile, more: Parameters][] = [
  ['/nearby', 'a', { min_population: 1e6, type: 'city' }],
  ['/nearby', 'b', { min_population: 1e6, type: 'city' }],
  ['/reverse', 'a', { limit: 5, lang: 'fr' }],
  ['/reverse', 'b', { limit: 5, lang: 'fr' }],
  ['/address', 'b', { postal_code: 'nowhere' }],
  ['/timezone', 'a', { at: 'never' }],
  ['/timezone', 'b', { at: 'never' }],
  ['/sun', 'b', { city: 'Nowhereville', country: 'XX', timezone: 'No/Where' }],
  ['/distance', 'b', { from_city: 'Nowhereville', to_city: 'Nowhereville', from_country: 'XX', unit: 'leagues' }],
  ['/streets', 'a', { city: 'Nowhereville', country: 'XX' }],
  ['/admin', 'a', { parent: 'CA' }],
  ['/admin', 'b', { parent: 'CA' }],
  ['/pois', 'a', { q: 'nothing', cuisine: 'stones' }],
  ['/pois', 'b', { q: 'nothing', cuisine: 'stones' }],
];

/** The parameters that hold a country. */
export const countryParameters: [path: string, name: string, more: Parameters][] = [
  ['/search', 'country', {}],
  ['/autocomplete', 'country', {}],
  ['/cities', 'country', {}],
  ['/address', 'country', {}],
  ['/postal', 'country', {}],
  ['/validate', 'country', {}],
  ['/admin', 'country', {}],
];

/** The same of endpoints that take a country only besides a city or in some profiles. */
export const furtherCountries: [path: string, name: string, query: Parameters, profiles: readonly Profile[]][] = [
  ['/streets', 'country', { q: 'bahnhofstr' }, ['default', 'b']],
  ['/sun', 'country', { city: 'Berlin', date: '2026-06-21' }, ['default', 'a']],
  ['/distance', 'from_country', { from_city: 'Berlin', to_city: 'Paris' }, ['default', 'a']],
  ['/distance', 'to_country', { from_city: 'Paris', to_city: 'Berlin' }, ['default', 'a']],
];
