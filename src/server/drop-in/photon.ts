/**
 * Photon's interface (github.com/komoot/photon): `api` and `reverse`, GeoJSON features with OpenStreetMap's keys and
 * values for kinds. `place_id` is our identifier; `osm_type` and `osm_id` are only in what comes from OpenStreetMap.
 */
import { invalidParameter } from '../../errors.ts';
import weights from '../../geocoding/weights.json' with { type: 'json' };
import { preferredLanguage } from '../../text/language-tags.ts';
import {
  countryCodes,
  type DropIn,
  type DropInAnswer,
  type DropInRequest,
  json,
  numberOf,
  searchedCountries,
} from './drop-in.ts';
import { importanceOf } from './nominatim-format.ts';
import { kindFilter } from './photon-filter.ts';
import { focusOf, isWide, ranked } from './photon-ranking.ts';
import { poiTags } from './poi-tags.ts';
import { recordAt } from './point-record.ts';
import { boxAround, type DropInRecord, distinct, recordOf } from './record.ts';

const byDefault = { search: 15, reverse: 1 };
const maxResults = 50;
/** Answers examined where a filter of ours leaves some out. */
const lookedAt = 100;
const suggestions = 20;

/** Our layers for Photon's. */
const layersOf: Record<string, string> = {
  house: 'address,poi,airport,landmark',
  street: 'street',
  locality: 'postal',
  district: 'place',
  city: 'place',
  county: 'subregion',
  state: 'region',
  country: 'country',
  other: 'island,water,peak,park,natural,continent',
};

/** OpenStreetMap's key and value, and Photon's type, by layer or type of place. */
const kinds: Record<string, readonly [key: string, value: string, type: string]> = {
  country: ['place', 'country', 'country'],
  region: ['place', 'state', 'state'],
  subregion: ['place', 'county', 'county'],
  city: ['place', 'city', 'city'],
  town: ['place', 'town', 'city'],
  village: ['place', 'village', 'city'],
  hamlet: ['place', 'hamlet', 'locality'],
  suburb: ['place', 'suburb', 'district'],
  place: ['place', 'city', 'city'],
  postal: ['place', 'postcode', 'locality'],
  island: ['place', 'island', 'other'],
  airport: ['aeroway', 'aerodrome', 'house'],
  water: ['natural', 'water', 'other'],
  peak: ['natural', 'peak', 'other'],
  landmark: ['tourism', 'attraction', 'house'],
  park: ['leisure', 'park', 'other'],
  natural: ['natural', 'region', 'other'],
  continent: ['place', 'continent', 'other'],
  street: ['highway', 'residential', 'street'],
  address: ['place', 'house', 'house'],
  poi: ['amenity', 'yes', 'house'],
};
const kindOf = ({ type, layer, category, tag }: DropInRecord) => {
  if (tag) return [...tag, layer === 'street' ? 'street' : 'house'] as const;
  const tags = category === undefined ? undefined : poiTags[category];
  return tags ? ([...tags, 'house'] as const) : (kinds[type ?? layer] ?? kinds.place);
};
/** Layers of a reverse look-up that filters by kind. */
const filteredLayers = 'poi,address,street,place';

export const photon: DropIn = {
  routes: {
    '/photon/api': search,
    '/photon/structured': structured,
    '/photon/reverse': reverse,
    '/photon/status': ({ dataset }) => ({ type: json, body: { status: 'Ok', import_date: dataset.builtAt } }),
  },
  callsOf: (query) => searchedCountries(codesOf(query)).length,
  problem: ({ status, message }) => ({ status, type: json, body: { message } }),
};

function search(request: DropInRequest): DropInAnswer {
  const q = request.query.get('q')?.trim();
  if (!q) throw invalidParameter('q', "missing search term 'q': /?q=berlin");
  return find(request, q);
}

function structured(request: DropInRequest): DropInAnswer {
  const { query } = request;
  const named = (names: string[]) => names.map((name) => query.get(name)?.trim()).filter(Boolean);
  const house = named(['housenumber', 'street']).join(' ');
  const parts = [house, ...named(['district', 'city', 'postcode', 'county', 'state'])].filter(Boolean);
  if (parts.length === 0)
    throw invalidParameter('city', 'at least one of street, district, city, postcode, county, state');
  return find(request, parts.join(', '));
}

function find(request: DropInRequest, q: string): DropInAnswer {
  const { query, ask } = request;
  const codes = codesOf(query);
  const countries = searchedCountries(codes);
  const shared = {
    q,
    lang: languageOf(request),
    ...(isWide(query) ? {} : { lat: query.get('lat') ?? undefined, lng: query.get('lon') ?? undefined }),
    bbox: query.get('bbox') ?? undefined,
    layers: layersIn(query),
  };
  const records = (endpoint: string, limit: number) =>
    countries.flatMap((country) => ask(endpoint, { ...shared, country, limit }).results) as AnswerRecord[];
  const found = records('search', lookedAt);
  // Most applications send what is half typed: where the search is less sure of its first result, suggestions stand before it.
  // Of 616 texts typed to the end, 611 then have the first answer of the search; of 92 half-typed ones 81 the right one, 36
  // without suggestions.
  const isSure = found.length > 0 && found[0].confidence >= weights.sureWithoutSuggestions;
  // A suggestion for which nothing typed is in its label is a guess.
  const suggested =
    isSure || [...q].length < 2
      ? []
      : records('autocomplete', suggestions).filter(({ highlight }) => highlight.length > 0);
  // Where a suggestion is an answer of the search too, that one has its population.
  const known = new Map(found.map((each) => [each.id, each]));
  const completed = suggested.map((each) => recordOf({ ...known.get(each.id), ...each, confidence: 100 }));
  const all = ranked([...completed, ...found.map(recordOf)], focusOf(query), importanceOf);
  const kept = codes.length > countries.length ? all.filter(({ countryCode }) => codes.includes(countryCode)) : all;
  return collection(kept, query, limitOf(query, byDefault.search, maxResults));
}

function reverse(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  const limit = limitOf(query, byDefault.reverse, 10);
  const point = { lat: query.get('lat') ?? undefined, lng: query.get('lon') ?? undefined, lang: languageOf(request) };
  const isFiltered = ['layer', 'osm_tag', 'include', 'exclude'].some((name) => query.has(name));
  const layers = isFiltered ? (layersIn(query) ?? filteredLayers) : undefined;
  const first = layers === undefined && recordAt(ask, point, 'house');
  const { results } = ask('reverse', { ...point, layers, limit: layers ? 10 : limit });
  const others = results.map(recordOf) as DropInRecord[];
  const radius = numberOf(query, 'radius', Number.POSITIVE_INFINITY);
  if (radius <= 0) throw invalidParameter('radius', "Parameter 'radius' must be a number of kilometres above 0.");
  const records = distinct(first ? [first, ...others.slice(1)] : others).filter(
    ({ distanceKm = 0 }) => distanceKm <= radius,
  );
  return collection(records, query, limit);
}

const limitOf = (query: URLSearchParams, byDefault: number, maximum: number) =>
  Math.max(1, Math.min(maximum, Math.trunc(numberOf(query, 'limit', byDefault))));

// biome-ignore lint/suspicious/noExplicitAny: the fields of an answer are those of its endpoint's schema.
type AnswerRecord = Record<string, any>;

const codesOf = (query: URLSearchParams): string[] => countryCodes(query.getAll('countrycode'));

const languageOf = ({ query, acceptLanguage }: DropInRequest) => {
  const lang = query.get('lang');
  return lang === 'default' ? undefined : preferredLanguage(lang ?? acceptLanguage);
};

function layersIn(query: URLSearchParams): string | undefined {
  const wanted = query.getAll('layer').flatMap((list) => list.split(','));
  if (wanted.length === 0) return undefined;
  const unknown = wanted.find((name) => !Object.hasOwn(layersOf, name));
  if (unknown !== undefined) {
    throw invalidParameter(
      'layer',
      `Invalid layer '${unknown}'. Allowed layers are: ${Object.keys(layersOf).join(',')}`,
    );
  }
  return [...new Set(wanted.flatMap((name) => layersOf[name].split(',')))].join(',');
}

function collection(records: readonly DropInRecord[], query: URLSearchParams, limit: number): DropInAnswer {
  const types = query.getAll('layer').flatMap((list) => list.split(','));
  const passes = kindFilter(query);
  const features = records
    .filter((record) => {
      const [key, value, type] = kindOf(record);
      return (types.length === 0 || types.includes(type)) && passes(key, value);
    })
    .slice(0, limit)
    .map(featureOf);
  return { type: json, body: { type: 'FeatureCollection', features } };
}

function featureOf(record: DropInRecord): object {
  const [osm_key, osm_value, type] = kindOf(record);
  const { id, osm, name, houseNumber, street, suburb, city, county, state, postcode, country, countryCode, lat, lng } =
    record;
  const [south, north, west, east] = boxAround(record);
  const isNamedAfter = (part: string | undefined) => (part === name ? undefined : part);
  const properties = {
    place_id: id,
    ...(osm && { osm_type: osm.type[0].toUpperCase(), osm_id: osm.id }),
    osm_key,
    osm_value,
    type,
    name: houseNumber ? undefined : name,
    housenumber: houseNumber,
    street: type === 'street' ? undefined : street,
    district: isNamedAfter(suburb),
    city: isNamedAfter(city),
    county: isNamedAfter(county),
    state: type === 'state' ? undefined : state,
    postcode,
    country: type === 'country' ? undefined : country,
    countrycode: countryCode,
    ...(type === 'house' ? {} : { extent: [west, north, east, south] }),
  };
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lng, lat] } };
}
