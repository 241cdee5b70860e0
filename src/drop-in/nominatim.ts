/**
 * Nominatim's interface (nominatim.org/release-docs/latest/api): `search` (free and structured), `reverse`, `lookup`,
 * `status`, in `json`, `jsonv2`, `geojson` and `geocodejson`. Identifiers are those of our gazetteer, given as nodes.
 */
import { invalidParameter, WhereaboutsError } from '../errors.ts';
import {
  clampedInteger,
  type DropIn,
  type DropInAnswer,
  type DropInRequest,
  json,
  preferredLanguage,
} from './drop-in.ts';
import { formats, formatted, type NominatimFormat } from './nominatim-format.ts';
import { type DropInRecord, recordOf } from './record.ts';

const byDefault = 10;
const maxResults = 40;
const maxLookups = 50;
/** Of more countries one search of the whole world is filtered, as each search holds the thread. */
const maxCountries = 3;

/** Our layers for the values of `layer`; `address` is all that has a postal address, settlements included. */
const layersOf: Record<string, string> = {
  address: 'country,region,subregion,place,postal,street,address',
  poi: 'poi,airport',
  natural: 'water,peak,island',
  railway: '',
  manmade: '',
};
/** The same for `featureType`. */
const layersOfFeature: Record<string, string> = {
  country: 'country',
  state: 'region',
  city: 'place',
  settlement: 'place,region,country',
};
/** Reverse look-ups by `zoom`: what is coarser than a street answers without one. */
const zoomOfStreet = 16;
const zoomOfHouse = 18;

export const nominatim: DropIn = {
  routes: {
    '/nominatim/search': search,
    '/nominatim/reverse': reverse,
    '/nominatim/lookup': lookup,
    '/nominatim/status': status,
  },
  callsOf: (query) => Math.max(countriesOf(query).length, idsOf(query).length),
  problem({ status: code, message }) {
    return { status: code, type: json, body: { error: { code, message } } };
  },
};

function search(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  const limit = clampedInteger(query.get('limit'), byDefault, maxResults);
  const excluded = new Set((query.get('exclude_place_ids') ?? '').split(',').map((id) => id.trim()));
  const layers = wantedLayers(query);
  if (layers === '') return answerOf([], request, 'jsonv2');
  const codes = codesOf(query);
  const isOfMany = codes.length > maxCountries;
  const shared = {
    ...biasOf(query),
    layers,
    lang: languageOf(request),
    limit: isOfMany ? 100 : Math.min(100, limit + excluded.size),
  };
  const found = countriesOf(query).flatMap((country) => {
    const { results } = ask('search', { ...textOf(query), ...shared, country });
    return results.map(recordOf) as DropInRecord[];
  });
  const kept = found
    .toSorted((left, right) => right.confidence - left.confidence)
    .filter(({ id, countryCode }) => !excluded.has(String(id)) && (!isOfMany || codes.includes(countryCode)))
    .slice(0, limit);
  return answerOf(kept, request, 'jsonv2');
}

function reverse(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  const zoom = clampedInteger(query.get('zoom'), zoomOfHouse, zoomOfHouse);
  const position = { lat: query.get('lat') ?? undefined, lng: query.get('lon') ?? undefined };
  const [first] = ask('reverse', { ...position, lang: languageOf(request) }).results;
  if (!first) return { type: json, body: { error: 'Unable to geocode' } };
  const record = recordOf({ ...first, layer: undefined, city: first.name, name: undefined });
  const { houseNumber, street, ...coarse } = record;
  const isHouse = street !== undefined && zoom >= zoomOfStreet;
  const shown: DropInRecord = isHouse
    ? { ...coarse, street, ...(zoom >= zoomOfHouse && houseNumber ? { houseNumber } : {}), name: street }
    : { ...coarse, layer: 'place', name: first.name };
  if (isHouse) shown.layer = shown.houseNumber ? 'address' : 'street';
  return answerOf([shown], request, 'jsonv2', true);
}

function lookup(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  required(query, 'osm_ids');
  const ids = idsOf(query);
  const records = ids.flatMap((id) => {
    const [, number] = /^[NWR](\d+)$/i.exec(id.trim()) ?? [];
    if (number === undefined)
      throw invalidParameter('osm_ids', `${JSON.stringify(id)} is not an identifier; expected N and digits`);
    try {
      return [recordOf(ask('place', { id: number, lang: languageOf(request) }))];
    } catch (error) {
      // As Nominatim does: what is not there is left out.
      if (error instanceof WhereaboutsError && error.status === 404) return [];
      throw error;
    }
  });
  return answerOf(records, request, 'jsonv2');
}

function status({ query, dataset, version }: DropInRequest): DropInAnswer {
  if (query.get('format') !== 'json') return { type: 'text/plain; charset=utf-8', body: 'OK' };
  const body = {
    status: 0,
    message: 'OK',
    data_updated: dataset.builtAt,
    software_version: version,
    database_version: dataset.version,
  };
  return { type: json, body };
}

/** The text of a free query, or of a structured one. Throws where there is neither, or both. */
function textOf(query: URLSearchParams): { q: string } {
  const parts = ['amenity', 'street', 'city', 'county', 'state', 'postalcode', 'country']
    .map((name) => query.get(name)?.trim())
    .filter(Boolean);
  const q = query.get('q')?.trim();
  if (q && parts.length > 0)
    throw invalidParameter('q', 'q cannot be combined with the parameters of a structured query');
  if (!q && parts.length === 0) throw invalidParameter('q', 'Nothing to search for.');
  return { q: q || parts.join(', ') };
}

function wantedLayers(query: URLSearchParams): string | undefined {
  const feature = query.get('featureType');
  if (feature && Object.hasOwn(layersOfFeature, feature)) return layersOfFeature[feature];
  const names = query.get('layer');
  if (!names) return undefined;
  return names
    .split(',')
    .map((name) => (Object.hasOwn(layersOf, name.trim()) ? layersOf[name.trim()] : ''))
    .filter(Boolean)
    .join(',');
}

/** The countries named. */
const codesOf = (query: URLSearchParams): string[] =>
  (query.get('countrycodes') ?? '')
    .split(',')
    .map((code) => code.trim().toUpperCase())
    .filter((code) => /^[A-Z]{2}$/.test(code));

/** The countries that are searched one after the other; one without a country where none or too many are named. */
function countriesOf(query: URLSearchParams): (string | undefined)[] {
  const codes = codesOf(query);
  return codes.length > 0 && codes.length <= maxCountries ? codes : [undefined];
}

const idsOf = (query: URLSearchParams): string[] =>
  (query.get('osm_ids') ?? '').split(',').filter(Boolean).slice(0, maxLookups);

/** A `viewbox` (two corners, longitude first): what lies outside is left out if `bounded`, else what is near preferred. */
function biasOf(query: URLSearchParams): { bbox: string } | { lat: number; lng: number } | Record<string, never> {
  const text = query.get('viewbox');
  if (!text) return {};
  const corners = text.split(',').map(Number);
  if (corners.length !== 4 || !corners.every(Number.isFinite)) {
    throw invalidParameter('viewbox', "Bad parameter 'viewbox'. Expected four numbers: x1,y1,x2,y2.");
  }
  const [west, east] = [corners[0], corners[2]].map((x) => Math.max(-180, Math.min(180, x))).sort((a, b) => a - b);
  const [south, north] = [corners[1], corners[3]].map((y) => Math.max(-90, Math.min(90, y))).sort((a, b) => a - b);
  return query.get('bounded') === '1'
    ? { bbox: [west, south, east, north].join(',') }
    : { lat: (south + north) / 2, lng: (west + east) / 2 };
}

const languageOf = ({ query, acceptLanguage }: DropInRequest) =>
  preferredLanguage(query.get('accept-language') ?? acceptLanguage);

function answerOf(
  records: readonly DropInRecord[],
  { query, version, dataset }: DropInRequest,
  byDefault: NominatimFormat,
  isReverse = false,
): DropInAnswer {
  const name = query.get('format') ?? byDefault;
  if (!(formats as readonly string[]).includes(name)) {
    throw invalidParameter('format', `Parameter 'format' must be one of: ${formats.join(', ')}`);
  }
  const isSet = (option: string, otherwise: boolean) => (query.get(option) ?? (otherwise ? '1' : '0')) !== '0';
  const body = formatted(name as NominatimFormat, records, {
    isReverse,
    query: query.get('q') ?? '',
    version,
    dataset: dataset.version,
    addressDetails: isSet('addressdetails', isReverse),
    nameDetails: isSet('namedetails', false),
    extraTags: isSet('extratags', false),
    outlines: (['geojson', 'kml', 'svg', 'text'] as const).filter((form) => isSet(`polygon_${form}`, false)),
  });
  const callback = query.get('json_callback');
  if (callback === null) return { type: json, body };
  if (!/^[$A-Z_][\w$.[\]]{0,99}$/i.test(callback))
    throw invalidParameter('json_callback', `Invalid json_callback value '${callback.slice(0, 100)}'`);
  return { type: 'application/javascript; charset=utf-8', body: `${callback}(${JSON.stringify(body)})` };
}

function required(query: URLSearchParams, name: string): string {
  const value = query.get(name)?.trim();
  if (!value) throw invalidParameter(name, `Parameter '${name}' missing.`);
  return value;
}
