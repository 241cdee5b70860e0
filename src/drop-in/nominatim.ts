/**
 * Nominatim's interface (nominatim.org/release-docs/latest/api): `search` (free and structured), `reverse`, `lookup`,
 * `status`, in XML and all forms of JSON. Identifiers are those of our gazetteer, given as nodes.
 */
import { invalidParameter, WhereaboutsError } from '../errors.ts';
import {
  clampedInteger,
  countryCodes,
  type DropIn,
  type DropInAnswer,
  type DropInRequest,
  html,
  json,
  preferredLanguage,
  searchedCountries,
  xml,
} from './drop-in.ts';
import { type FormatOptions, formats, formatted, type NominatimFormat, type ShownRecord } from './nominatim-format.ts';
import { xmlError, xmlOf } from './nominatim-xml.ts';
import { type GeometryForm, isArea, outlineOf, toleranceOf, withBox } from './outline.ts';
import { type Detail, recordAt } from './point-record.ts';
import { type DropInRecord, recordOf } from './record.ts';

const byDefault = 10;
const maxResults = 40;
const maxLookups = 50;
/** Countries and regions with a box and an outline in one answer: an outline in four forms takes up to 20 ms and 0.5 MB. */
const maxOutlined = 5;

/** Our layers for the values of `layer`; `address` is all that has a postal address, settlements included. */
const layersOf: Record<string, string> = {
  address: 'country,region,subregion,place,postal,street,address',
  poi: 'poi,airport',
  natural: 'water,peak,island',
  railway: '',
  manmade: '',
};
const themes = Object.keys(layersOf);
/** The same for `featureType`. */
const layersOfFeature: Record<string, string> = {
  country: 'country',
  state: 'region',
  city: 'place',
  settlement: 'region,subregion,place',
};
/** How detailed a reverse look-up answers from a `zoom` on. */
const zoomDetails: readonly (readonly [zoom: number, detail: Detail])[] = [
  [18, 'house'],
  [16, 'street'],
  [13, 'suburb'],
  [10, 'place'],
  [8, 'subregion'],
  [5, 'region'],
  [0, 'country'],
];
const maxZoom = 18;

export const nominatim: DropIn = {
  routes: {
    '/nominatim/search': search,
    '/nominatim/reverse': reverse,
    '/nominatim/lookup': lookup,
    '/nominatim/status': status,
  },
  callsOf: (query) =>
    (isDebug(query) ? 2 : 1) * Math.max(searchedCountries(codesOf(query)).length, idsOf(query).length),
  problem({ status: code, message }, query) {
    if (query.get('format') === 'xml') return { status: code, type: xml, body: xmlError(code, message) };
    return { status: code, type: json, body: { error: { code, message } } };
  },
};

function search(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  const limit = clampedInteger(query.get('limit'), byDefault, maxResults);
  const excluded = new Set(
    (query.get('exclude_place_ids') ?? '').split(',').map((id) => id.trim().replace(/^[NWR]/i, '')),
  );
  const layers = wantedLayers(query);
  if (layers === '') return answerOf([], request, 'search');
  const codes = codesOf(query);
  const countries = searchedCountries(codes);
  const isFiltered = codes.length > countries.length;
  const shared = {
    ...biasOf(query),
    layers,
    lang: languageOf(request),
    limit: isFiltered ? 100 : Math.min(100, limit + excluded.size),
    explain: isDebug(query) ? 'true' : undefined,
  };
  const answers = countries.map((country) => ask('search', { ...textOf(query), ...shared, country }));
  const kept = (answers.flatMap(({ results }) => results.map(recordOf)) as DropInRecord[])
    .toSorted((left, right) => right.confidence - left.confidence)
    .filter(({ id, countryCode }) => !excluded.has(String(id)) && (!isFiltered || codes.includes(countryCode)))
    .slice(0, limit);
  return answerOf(
    kept,
    request,
    'search',
    answers.map(({ explain }) => explain),
  );
}

function reverse(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  const point = { lat: query.get('lat') ?? undefined, lng: query.get('lon') ?? undefined, lang: languageOf(request) };
  const zoomText = query.get('zoom');
  const zoom = zoomText === null || Number.isNaN(Number(zoomText)) ? maxZoom : Number(zoomText);
  const [, detail] = zoomDetails.find(([from]) => zoom >= from) ?? zoomDetails.at(-1)!;
  const wanted = themesOf(query) ?? ['address'];
  const candidates = [
    wanted.includes('address') ? recordAt(ask, point, detail) : undefined,
    wanted.includes('poi') && detail === 'house' ? poiAt(request, point) : undefined,
  ].filter((record) => record !== undefined);
  const [nearest] = candidates.toSorted((left, right) => metresOff(left) - metresOff(right));
  return answerOf(nearest ? [nearest] : [], request, 'reverse');
}

/** How far a record of the street level is from the point; areas come after all of them. */
const metresOff = ({ layer, distanceKm }: DropInRecord): number =>
  ['address', 'street', 'poi'].includes(layer) ? (distanceKm ?? 0) * 1000 : Number.MAX_VALUE;

/** The point of interest within 500 m that is nearest. */
function poiAt({ ask }: DropInRequest, point: Parameters<typeof recordAt>[1]): DropInRecord | undefined {
  const [found] = ask('reverse', { ...point, layers: 'poi', limit: 1 }).results;
  return found && recordOf(found);
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
  return answerOf(records, request, 'lookup');
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

/**
 * Our layers for `featureType` or `layer`: undefined where neither is requested, none where the data have nothing of
 * it.
 */
function wantedLayers(query: URLSearchParams): string | undefined {
  const feature = query.get('featureType');
  if (feature && Object.hasOwn(layersOfFeature, feature)) return layersOfFeature[feature];
  return themesOf(query)
    ?.map((name) => layersOf[name])
    .filter(Boolean)
    .join(',');
}

/** The values of `layer`; undefined where there is none. */
function themesOf(query: URLSearchParams): string[] | undefined {
  const names = (query.get('layer') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = names.find((name) => !themes.includes(name));
  if (unknown !== undefined)
    throw invalidParameter('layer', `Parameter 'layer' has '${unknown}', expected some of: ${themes.join(', ')}`);
  return names.length > 0 ? names : undefined;
}

const codesOf = (query: URLSearchParams): string[] => countryCodes(query.getAll('countrycodes'));

const isDebug = (query: URLSearchParams): boolean => isSet(query, 'debug', false);

const isSet = (query: URLSearchParams, option: string, otherwise: boolean): boolean =>
  (query.get(option) ?? (otherwise ? '1' : '0')) !== '0';

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

type Endpoint = 'search' | 'reverse' | 'lookup';
const xmlRoots: Record<Endpoint, string> = {
  search: 'searchresults',
  reverse: 'reversegeocode',
  lookup: 'lookupresults',
};
const geometryForms: readonly GeometryForm[] = ['geojson', 'kml', 'svg', 'text'];

function answerOf(
  found: readonly DropInRecord[],
  request: DropInRequest,
  endpoint: Endpoint,
  explanations: readonly unknown[] = [],
): DropInAnswer {
  const { query, version, dataset } = request;
  const format = (query.get('format') ?? 'jsonv2') as NominatimFormat;
  if (!formats.includes(format))
    throw invalidParameter('format', `Parameter 'format' must be one of: ${formats.join(', ')}`);
  const isReverse = endpoint === 'reverse';
  const options: FormatOptions = {
    isReverse,
    query: query.get('q') ?? '',
    version,
    dataset: dataset.version,
    addressDetails: isSet(query, 'addressdetails', endpoint !== 'search'),
    nameDetails: isSet(query, 'namedetails', false),
    extraTags: isSet(query, 'extratags', false),
    geometries: geometryForms.filter((form) => isSet(query, `polygon_${form}`, false)),
  };
  let areas = 0;
  const records = found.map((record) => completed(record, request, options, isArea(record) && ++areas <= maxOutlined));
  if (isDebug(query)) return { type: html, body: debugPage({ records, explanations }) };
  if (format === 'xml') return { type: xml, body: xmlOf(records, xmlRoots[endpoint], options) };
  const isEmpty = isReverse && records.length === 0;
  return callback(query, isEmpty ? { error: 'Unable to geocode' } : formatted(format, records, options));
}

/** A record with names where they are requested, and with its box and outline if it is to have these. */
function completed(
  record: DropInRecord,
  { ask, query }: DropInRequest,
  { nameDetails, geometries }: FormatOptions,
  isOutlined: boolean,
): ShownRecord {
  const tolerance = toleranceOf(query);
  const outline = isOutlined && geometries.length > 0 ? outlineOf(ask, record, tolerance) : undefined;
  return {
    ...(isOutlined ? withBox(ask, record) : record),
    ...(nameDetails ? { names: ask('place', { id: record.id }).names } : {}),
    ...(outline && { outline }),
  };
}

/** What a page for developers shows: the records, and how each came about. */
function debugPage(content: object): string {
  const text = JSON.stringify(content, null, 2).replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Debug</title><pre>${text}</pre></html>`;
}

/** The answer as JSON, or as a call of the function that `json_callback` names. */
function callback(query: URLSearchParams, body: object): DropInAnswer {
  const name = query.get('json_callback');
  if (name === null) return { type: json, body };
  if (!/^[$A-Z_][\w$.[\]]{0,99}$/i.test(name))
    throw invalidParameter('json_callback', `Invalid json_callback value '${name.slice(0, 100)}'`);
  return { type: 'application/javascript; charset=utf-8', body: `${name}(${JSON.stringify(body)})` };
}

function required(query: URLSearchParams, name: string): string {
  const value = query.get(name)?.trim();
  if (!value) throw invalidParameter(name, `Parameter '${name}' missing.`);
  return value;
}
