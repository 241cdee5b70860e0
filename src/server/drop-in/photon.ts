/**
 * Photon's interface (github.com/komoot/photon): `api` and `reverse`, GeoJSON features with OpenStreetMap's keys and
 * values for kinds. `place_id` is our identifier; `osm_type` and `osm_id` are only in what comes from OpenStreetMap.
 */
import { distanceKm } from '../../core/geo.ts';
import { invalidParameter } from '../../errors.ts';
import weights from '../../geocoding/weights.json' with { type: 'json' };
import { preferredLanguage } from '../../text/language-tags.ts';
import {
  type AnswerRecord,
  clamped,
  countryCodes,
  type DropIn,
  type DropInAnswer,
  type DropInRequest,
  json,
  limitOf,
  numberOf,
  ourLayers,
  positionOf,
  searchedCountries,
  valuesOf,
} from './drop-in.ts';
import layers from './layers.json' with { type: 'json' };
import { importanceOf } from './nominatim-format.ts';
import { boxAround, type DropInRecord, distinct, dropInRecord, kindOf, poiTags, recordsAround } from './record.ts';

const defaultZoom = 12;
const maxZoom = 18;
/** Up to this zoom Photon has no focus. */
const minZoom = 4;

const zoomOf = (query: URLSearchParams) => clamped(query.get('zoom'), 0, maxZoom, defaultZoom);

/** Whether the map shows too much for a focus. */
const isWide = (query: URLSearchParams): boolean => zoomOf(query) <= minZoom;

/**
 * The focus of a request; undefined without one, and where the map shows too much for one. `scale` 0–1 weighs importance against
 * nearness.
 */
function focusOf(query: URLSearchParams) {
  const [lat, lng] = ['lat', 'lon'].map((name) => Number(query.get(name) ?? Number.NaN));
  if (!Number.isFinite(lat) || !Number.isFinite(lng) || isWide(query)) return undefined;
  const scale = Math.max(0, Math.min(1, numberOf(query, 'location_bias_scale', weights.photonScale)));
  return { lat, lng, zoom: zoomOf(query), scale };
}

/**
 * Records in their order, each once; around a focus by confidence, importance and nearness, which halves at about as many km as
 * beyond the radius of Photon 1.0 at each zoom.
 */
function ranked(records: readonly DropInRecord[], focus: ReturnType<typeof focusOf>): DropInRecord[] {
  const all = distinct(records);
  if (!focus) return all;
  const { zoom, scale } = focus;
  const halfKm = weights.photonHalfKm * weights.photonHalfPerZoom ** (maxZoom - zoom);
  const nearness = (record: DropInRecord) => 0.5 ** (distanceKm(focus, record) / halfKm);
  const scoreOf = (record: DropInRecord) =>
    record.confidence / 100 + scale * importanceOf(record) + (1 - scale) * nearness(record);
  return all
    .map((record) => ({ record, score: scoreOf(record) }))
    .sort((left, right) => right.score - left.score)
    .map(({ record }) => record);
}

const byDefault = { search: 15, reverse: 1 };
const maxResults = 50;
/** Answers examined where a filter of ours leaves some out. */
const lookedAt = 100;
const suggestions = 20;

/** Our layers for Photon's. */
const layersOf: Record<string, string> = layers.photon;

/** OpenStreetMap's key and value, and Photon's type; to Photon countries and regions are places too. */
function photonKindOf(record: DropInRecord): [key: string, value: string, type: string] {
  const [key, value, , , type] = kindOf(record);
  return ['country', 'state', 'county'].includes(type) ? ['place', type, type] : [key, value, type];
}
const hasKinds = (query: URLSearchParams) => ['osm_tag', 'include', 'exclude'].some((name) => query.has(name));
/** Layers of a reverse look-up that filters by kind. */
const filteredLayers = 'poi,landmark,airport,peak,water,island,park,address,street,place';

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
  const names = ['street', 'district', 'city', 'postcode', 'county', 'state'];
  if (valuesOf(query, ...names).length === 0) throw invalidParameter('city', `at least one of ${names.join(', ')}`);
  const house = valuesOf(query, 'housenumber', 'street').join(' ');
  return find(request, [house, ...valuesOf(query, ...names.slice(1))].filter(Boolean).join(', '));
}

function find(request: DropInRequest, q: string): DropInAnswer {
  const { query, ask } = request;
  const codes = codesOf(query);
  const countries = searchedCountries(codes);
  const shared = {
    q,
    lang: languageOf(request),
    ...(isWide(query) ? {} : positionOf(query, 'lat', 'lon')),
    bbox: query.get('bbox') ?? undefined,
    layers: layersIn(query),
  };
  const records = (endpoint: string, limit: number) =>
    countries.flatMap((country) => ask(endpoint, { ...shared, country, limit }).results) as AnswerRecord[];
  const found = records('search', lookedAt);
  // Most applications send what is half typed: where the search is less sure of its first result, suggestions stand before it.
  // Of 616 texts typed to the end, 611 then have the first answer of the search; of 92 half-typed ones 81 the right one, 36
  // without suggestions.
  // A filter of kinds may leave out that first one.
  const isSure = found.length > 0 && found[0].confidence >= weights.sure && !hasKinds(query);
  // A suggestion for which nothing typed is in its label is a guess.
  const suggested =
    isSure || [...q].length < 2
      ? []
      : records('autocomplete', suggestions).filter(({ highlight }) => highlight.length > 0);
  // Where a suggestion is an answer of the search too, that one has its population.
  const known = new Map(found.map((each) => [each.id, each]));
  const completed = suggested.map((each) => dropInRecord({ ...known.get(each.id), ...each, confidence: 100 }));
  const all = ranked([...completed, ...found.map(dropInRecord)], focusOf(query));
  const kept = codes.length > countries.length ? all.filter(({ country }) => codes.includes(country)) : all;
  return collection(kept.filter(filterOf(query)).slice(0, limitOf(query, byDefault.search, maxResults)));
}

function reverse(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  const limit = limitOf(query, byDefault.reverse, 10);
  const point = { ...positionOf(query, 'lat', 'lon'), lang: languageOf(request) };
  const layers = layersIn(query) ?? (hasKinds(query) ? filteredLayers : undefined);
  const radius = numberOf(query, 'radius', Number.POSITIVE_INFINITY);
  if (radius <= 0) throw invalidParameter('radius', "Parameter 'radius' must be a number of kilometres above 0.");
  const ofLayer = (layer: string, kinds: readonly string[]) => (layers?.split(',').includes(layer) ? kinds : []);
  const kinds = hasKinds(query)
    ? {
        poi: ofLayer('poi', Object.keys(poiTags)),
        place: ofLayer('place', ['city', 'town', 'village', 'suburb', 'hamlet']),
      }
    : { place: typesOf(query).includes('district') ? ['suburb'] : [] };
  const passes = filterOf(query);
  return collection(recordsAround(ask, point, { layers, limit, maxKm: radius, passes, kinds }));
}

const codesOf = (query: URLSearchParams): string[] => countryCodes(query.getAll('countrycode'));

const languageOf = ({ query, acceptLanguage }: DropInRequest) => {
  const lang = query.get('lang');
  return lang === 'default' ? undefined : preferredLanguage(lang ?? acceptLanguage);
};

const typesOf = (query: URLSearchParams) => query.getAll('layer').flatMap((list) => list.split(','));

const layersIn = (query: URLSearchParams) =>
  ourLayers(typesOf(query), layersOf, (unknown, valid) =>
    invalidParameter('layer', `Invalid layer '${unknown}'. Allowed layers are: ${valid}`),
  );

/** Whether a record is of the layers and kinds of a request. */
function filterOf(query: URLSearchParams): (record: DropInRecord) => boolean {
  const types = typesOf(query);
  const passes = kindFilter(query);
  return (record) => {
    const [key, value, type] = photonKindOf(record);
    return (types.length === 0 || types.includes(type)) && passes(key, value);
  };
}

const collection = (records: readonly DropInRecord[]): DropInAnswer => ({
  type: json,
  body: { type: 'FeatureCollection', features: records.map(featureOf) },
});

function featureOf(record: DropInRecord): object {
  const [osm_key, osm_value, type] = photonKindOf(record);
  const { id, osm, name, house_number, street, suburb, city, postal_code, lat, lng } = record;
  const [south, north, west, east] = boxAround(record);
  const isNamedAfter = (part: string | undefined) => (part === name ? undefined : part);
  const properties = {
    place_id: id,
    ...(osm && { osm_type: osm.type[0].toUpperCase(), osm_id: osm.id }),
    osm_key,
    osm_value,
    type,
    name: house_number ? undefined : name,
    housenumber: house_number,
    street: type === 'street' ? undefined : street,
    district: isNamedAfter(suburb),
    city: isNamedAfter(city),
    county: isNamedAfter(record.admin2),
    state: type === 'state' ? undefined : record.admin1,
    postcode: postal_code,
    country: type === 'country' ? undefined : record.country_name,
    countrycode: record.country,
    ...(type === 'house' ? {} : { extent: [west, north, east, south] }),
  };
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lng, lat] } };
}

/** Whether a kind, as OpenStreetMap's key and value, passes. */
type KindFilter = (key: string, value: string) => boolean;

/** Maximum number of categories of `include`, and of `exclude`: each record is compared with each. */
const maxCategories = 100;

/** The filters of a request together: `osm_tag`, `include` and `exclude`, whose categories are `osm.key.value`. Throws for one without a value. */
function kindFilter(query: URLSearchParams): KindFilter {
  const tags = query.getAll('osm_tag').map(tagFilter);
  const wanted = tags.filter(({ isExcluded }) => !isExcluded);
  const unwanted = tags.filter(({ isExcluded }) => isExcluded);
  const categories = (name: string) => {
    const lists = query.getAll(name).map((list) => list.split(','));
    const count = lists.flat().length;
    if (count <= maxCategories) return lists.map((list) => list.map(categoryOf));
    throw invalidParameter(name, `Parameter '${name}' has ${count} categories; expected at most ${maxCategories}.`);
  };
  const included = categories('include');
  const excluded = categories('exclude');
  return (key, value) =>
    (wanted.length === 0 || wanted.some(({ matches }) => matches(key, value))) &&
    !unwanted.some(({ matches }) => matches(key, value)) &&
    included.every((any) => any.some((matches) => matches(key, value))) &&
    !excluded.some((all) => all.every((matches) => matches(key, value)));
}

/** `place:city`, `place`, `:city`, and with `!` what is to be left out: `!place`, `place:!city`, `!place:city`. */
function tagFilter(text: string): { isExcluded: boolean; matches: KindFilter } {
  const isExcluded = text.startsWith('!');
  const [wantedKey, wanted = '', ...more] = (isExcluded ? text.slice(1) : text).split(':');
  if (more.length > 0) throw invalidParameter('osm_tag', `'${text.slice(0, 60)}' is not a tag; expected key:value`);
  const isValueExcluded = wanted.startsWith('!');
  const bare = isValueExcluded ? wanted.slice(1) : wanted;
  const isValue = (value: string) => !bare || (bare === value) !== isValueExcluded;
  return { isExcluded, matches: (key, value) => (!wantedKey || wantedKey === key) && isValue(value) };
}

/** Records have one category, of the group `osm`. */
function categoryOf(text: string): KindFilter {
  const labels = text.trim().split('.');
  if (labels.length < 2 || labels.length > 4 || labels.some((label) => !/^[\w-]+$/.test(label))) {
    throw invalidParameter(
      'include',
      `'${text.slice(0, 60)}' is not a category; expected a group and labels: osm.place.city`,
    );
  }
  return (key, value) => labels.every((label, at) => label === ['osm', key, value][at]);
}
