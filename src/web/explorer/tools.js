import { written } from '../request-code.js';

/**
 * What the explorer offers, in order: one entry for each operation of the description that has a form here. `sample`
 * fills the form at first; `place` says what a click on the map sets: one point, or two in turn; `main` are the
 * parameters shown first; `needsKey` marks what the portal's own allowance does not cover; `say` puts an answer into a sentence.
 */
export const tools = [
  {
    id: 'reverse',
    title: 'What is here?',
    sample: { lat: '-34.9062', lng: '-56.1994' },
    place: 'point',
    main: ['lat', 'lng', 'lang'],
    say: ({ results: [nearest] }) =>
      nearest && `${placeName(nearest)}, ${kilometres(nearest.distance_km)} from the point.`,
  },
  {
    id: 'nearby',
    title: 'Places nearby',
    sample: { lat: '46.948', lng: '7.447', radius: '20' },
    place: 'point',
    main: ['lat', 'lng', 'radius', 'limit'],
    say: ({ count, results }) => `${count} places${count ? `; the nearest is ${placeName(results[0])}` : ''}.`,
  },
  {
    id: 'search',
    title: 'Search places',
    sample: { q: 'paris texas' },
    main: ['q', 'country', 'limit', 'explain'],
    say: ({ count, results: [first] }) => {
      if (count === 0) return 'Nothing found.';
      return `${count === 1 ? '' : `First of ${count}: `}${placeName(first)}.`;
    },
  },
  {
    id: 'autocomplete',
    title: 'Suggestions as you type',
    sample: { q: 'amst' },
    main: ['q', 'country', 'limit', 'lang'],
    say: ({ results }) => results.map(({ label }) => label).join(' · ') || 'Nothing found.',
  },
  {
    id: 'place',
    title: 'One record',
    sample: { id: '3441575' },
    main: ['id', 'lang'],
    say: (record) => `${placeName(record)}.`,
  },
  {
    id: 'address',
    title: 'Addresses',
    sample: { q: 'Avenida 18 de Julio 1234', country: 'UY' },
    main: ['q', 'country', 'city', 'explain'],
    say: ({ count, results: [first] }) =>
      count
        ? `${[[first.street, first.house_number], [first.city]]
            .map((part) => part.filter(Boolean).join(' '))
            .filter(Boolean)
            .join(', ')} (${first.match_type}).`
        : 'No such address in the data.',
  },
  {
    id: 'streets',
    title: 'Streets',
    sample: { q: '18 de Julio', lat: '-34.9058', lng: '-56.1913' },
    place: 'point',
    main: ['q', 'lat', 'lng', 'radius'],
    say: ({ count, results: [first] }) =>
      count ? `${first.name}, ${first.city ?? first.country}.` : 'No such street in the data.',
  },
  {
    id: 'pois',
    title: 'Points of interest by category',
    sample: { lat: '-34.9058', lng: '-56.1913', radius: '1' },
    place: 'point',
    main: ['lat', 'lng', 'radius', 'category'],
    say: ({ count, results: [first] }) =>
      count
        ? `${count} points; the nearest is ${first.name ?? `an unnamed ${first.category}`}, ${kilometres(first.distance_km)} away.`
        : 'No points of interest here in the data.',
  },
  {
    id: 'postal',
    title: 'Postal codes',
    sample: { code: '10115', country: 'DE' },
    main: ['code', 'country'],
    say: ({ count, results }) =>
      count ? `${results[0].postal_code} ${results[0].place}.` : 'No such code in the data.',
  },
  {
    id: 'validate',
    title: 'City and postal code check',
    sample: { city: 'Berlin', postal_code: '10115', country: 'DE' },
    main: ['city', 'postal_code', 'country'],
    say: ({ valid }) => (valid ? 'They belong together.' : 'They do not belong together.'),
  },
  {
    id: 'timezone',
    title: 'Time zone',
    sample: { lat: '40.713', lng: '-74.006' },
    place: 'point',
    main: ['lat', 'lng'],
    say: (body) => `${body.timezone}: ${body.local_time.slice(0, 16).replace('T', ' ')}, UTC${body.utc_offset}.`,
  },
  {
    id: 'sun',
    title: 'Sun times',
    sample: { lat: '59.913', lng: '10.752' },
    place: 'point',
    main: ['lat', 'lng', 'date'],
    say: (body) =>
      body.sunrise
        ? `Sunrise ${body.sunrise}, sunset ${body.sunset}, day length ${body.day_length}.`
        : `Day length ${body.day_length}.`,
  },
  {
    id: 'distance',
    title: 'Distance',
    sample: { from_lat: '52.52', from_lng: '13.405', to_lat: '35.69', to_lng: '139.69' },
    place: 'pair',
    main: ['from_lat', 'from_lng', 'to_lat', 'to_lng'],
    say: (body) => `${kilometres(body.distance_km)} along the great circle.`,
  },
  {
    id: 'ip',
    title: 'IP address',
    sample: { ip: '8.8.8.8' },
    main: ['ip'],
    say: (body) => [body.city, body.country_name ?? body.country, body.isp].filter(Boolean).join(', ').concat('.'),
  },
  {
    id: 'cities',
    title: 'Cities of a country',
    sample: { country: 'JP', limit: '25' },
    main: ['country', 'admin1', 'min_population', 'limit'],
    say: ({ count }) => `${count} cities.`,
  },
  {
    id: 'country',
    title: 'One country',
    sample: { code: 'CH' },
    main: ['code'],
    say: (body) => `${body.flag} ${body.name}, capital ${body.capital ?? 'none'}, ${body.currency}.`,
  },
  { id: 'countries', title: 'Countries', sample: { limit: '50' }, main: ['limit'], say: counted('countries') },
  { id: 'countriesAll', title: 'All countries', sample: {}, main: [], say: counted('countries') },
  {
    id: 'admin',
    title: 'Regions of a country',
    sample: { country: 'CH' },
    main: ['country', 'level', 'parent'],
    say: counted('regions'),
  },
  {
    id: 'batch',
    title: 'Batch of requests',
    sample: {
      body: written({
        requests: [
          { endpoint: 'reverse', params: { lat: 41.89, lng: 12.49 } },
          { endpoint: 'timezone', params: { lat: 41.89, lng: 12.49 } },
          { endpoint: 'search', params: { q: 'Firenze', limit: 1 } },
          { endpoint: 'country/IT', params: {} },
        ],
      }),
    },
    main: ['body'],
    needsKey: true,
    say: ({ total, successful }) =>
      successful === total ? `All ${total} answered.` : `${successful} of ${total} answered; the others have an error.`,
  },
  {
    id: 'usage',
    title: 'Usage of your key',
    sample: {},
    main: [],
    needsKey: true,
    say: (body) => `${body.used.toLocaleString('en')} of ${body.limit.toLocaleString('en')} calls used today.`,
  },
];

/** An answer in a sentence, whatever its format. */
export function sentenceOf(tool, { body, text }) {
  if (body === undefined) return `${text.trimEnd().split('\n').length - 1} lines of CSV.`;
  if (Array.isArray(body.features)) return `${body.features.length} features.`;
  return tool.say(body) || 'Answered.';
}

function counted(what) {
  return ({ count }) => `${count} ${what}.`;
}

function placeName({ name, admin1, country }) {
  return [name, admin1 === name ? null : admin1, country].filter(Boolean).join(', ');
}

function kilometres(km) {
  return km < 1
    ? `${Math.round(km * 1000)} m`
    : `${km.toLocaleString('en', { maximumFractionDigits: km < 100 ? 1 : 0 })} km`;
}
