/**
 * Nominatim's interface (nominatim.org/release-docs/latest/api): `search` (free and structured), `reverse`, `lookup`,
 * `status`, in XML and all forms of JSON. `place_id` is our identifier; `osm_type` and `osm_id` are only in what comes from
 * OpenStreetMap.
 */

import { isOsmObject } from '../../core/osm-object.ts';
import { invalidParameter } from '../../errors.ts';
import weights from '../../geocoding/weights.json' with { type: 'json' };
import { preferredLanguage } from '../../text/language-tags.ts';
import {
  countryCodes,
  type DropIn,
  type DropInAnswer,
  type DropInRequest,
  entriesOf,
  html,
  json,
  limitOf,
  numberOf,
  ourLayers,
  searchedCountries,
  valuesOf,
  xml,
} from './drop-in.ts';
import layers from './layers.json' with { type: 'json' };
import {
  escaped,
  type FormatOptions,
  formats,
  formatted,
  type GeometryForm,
  type NominatimFormat,
  outlineOf,
  type ShownRecord,
  xmlError,
  xmlOf,
} from './nominatim-format.ts';
import { type Detail, type DropInRecord, dropInRecord, recordAt } from './record.ts';

// Nominatim's parameters, read as Nominatim reads them. Every function throws `invalid_parameter` for what it refuses.

const maxLookups = 50;

/** Our layers for the values of `layer`; `address` is all that has a postal address, settlements included. */
const layersOf: Record<string, string> = layers.nominatim;
/** The same for `featureType`. */
const layersOfFeature: Record<string, string> = layers.nominatimFeatures;

/** A truth value: anything but `0` is true. */
const isSet = (query: URLSearchParams, name: string, byDefault = false): boolean =>
  (query.get(name) ?? (byDefault ? '1' : '0')) !== '0';

const isDebug = (query: URLSearchParams): boolean => isSet(query, 'debug');

/** The form of the answer. */
function formatOf(query: URLSearchParams, byDefault: NominatimFormat): NominatimFormat {
  const format = (query.get('format') ?? byDefault) as NominatimFormat;
  if (!formats.includes(format))
    throw invalidParameter('format', `Parameter 'format' must be one of: ${formats.join(', ')}`);
  return format;
}

/** The position to look up; undefined where it is none on Earth, which is an answer without a result. */
function pointOf(query: URLSearchParams): { lat: number; lng: number } | undefined {
  const [lat, lng] = ['lat', 'lon'].map((name) => {
    if (!query.get(name)?.trim()) throw invalidParameter(name, `Parameter '${name}' missing.`);
    return numberOf(query, name, 0);
  });
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}

/** The text of a free query, or of a structured one; undefined where `q` is empty, which finds nothing. */
function textOf(query: URLSearchParams): string | undefined {
  const parts = valuesOf(query, 'amenity', 'street', 'city', 'county', 'state', 'postalcode', 'country');
  const q = query.get('q')?.trim();
  if (q && parts.length > 0)
    throw invalidParameter('q', 'q cannot be combined with the parameters of a structured query');
  if (parts.length > 0) return parts.join(', ');
  if (q === undefined) throw invalidParameter('q', 'Nothing to search for.');
  return q || undefined;
}

/** Our layers for `featureType` or `layer`: undefined where neither is requested. */
function wantedLayers(query: URLSearchParams): string | undefined {
  const feature = query.get('featureType');
  if (feature && Object.hasOwn(layersOfFeature, feature)) return layersOfFeature[feature];
  return layersFor(entriesOf(query, 'layer'));
}

const layersFor = (themes: readonly string[]) =>
  ourLayers(themes, layersOf, (unknown) => {
    const valid = Object.keys(layersOf).join(', ');
    return invalidParameter('layer', `Parameter 'layer' has '${unknown}', expected some of: ${valid}`);
  });

const codesOf = (query: URLSearchParams): string[] => countryCodes(query.getAll('countrycodes'));

/** Objects of OpenStreetMap to look up (`n12`, `w5`, `r7`); what is none is left out. */
function idsOf(query: URLSearchParams): string[] {
  const ids = entriesOf(query, 'osm_ids')
    .map((id) => id.toLowerCase())
    .filter(isOsmObject);
  if (ids.length > maxLookups) throw invalidParameter('osm_ids', 'Too many object IDs.');
  return ids;
}

/** What is left out of a search: our identifiers (`123`), and objects of OpenStreetMap (`N123`). */
const excludedIds = (query: URLSearchParams): string[] =>
  entriesOf(query, 'exclude_place_ids').map((id) => {
    if (!/^[NWR]?\d+$/i.test(id)) throw invalidParameter('exclude_place_ids', `Invalid exclude ID: ${id}`);
    return id.toUpperCase();
  });

/** West, south, east and north of `viewbox` (two corners, longitude first), or of `viewboxlbrt`, its former name. */
function viewboxOf(query: URLSearchParams): [number, number, number, number] | undefined {
  const text = query.get('viewbox') || query.get('viewboxlbrt');
  if (!text) return undefined;
  const corners = text.split(',').map(Number);
  if (corners.length !== 4 || !corners.every(Number.isFinite)) {
    throw invalidParameter('viewbox', "Bad parameter 'viewbox'. Expected four numbers: x1,y1,x2,y2.");
  }
  const [west, east] = [corners[0], corners[2]].map((x) => Math.max(-180, Math.min(180, x))).sort((a, b) => a - b);
  const [south, north] = [corners[1], corners[3]].map((y) => Math.max(-90, Math.min(90, y))).sort((a, b) => a - b);
  if (west === east || south === north)
    throw invalidParameter('viewbox', "Bad parameter 'viewbox'. Area must be larger than 0.");
  return [west, south, east, north];
}

/** What lies outside the box is left out if `bounded`, else what is near its middle preferred. */
function biasOf(query: URLSearchParams): { bbox: string } | { lat: number; lng: number } | undefined {
  const box = viewboxOf(query);
  if (!box) return undefined;
  const [west, south, east, north] = box;
  return isSet(query, 'bounded') ? { bbox: box.join(',') } : { lat: (south + north) / 2, lng: (west + east) / 2 };
}

/** The form of geometry to add, of which one may be asked for; GeoJSON has no place for others than its own. */
function geometryOf(query: URLSearchParams, format: NominatimFormat): GeometryForm | undefined {
  const forms: readonly GeometryForm[] = format.startsWith('geo') ? ['geojson'] : ['geojson', 'kml', 'svg', 'text'];
  const wanted = forms.filter((form) => isSet(query, `polygon_${form}`));
  if (wanted.length > 1) throw invalidParameter(`polygon_${wanted[1]}`, 'Too many polygon output options selected.');
  return wanted[0];
}

const languageOf = ({ query, acceptLanguage }: DropInRequest): string | undefined =>
  preferredLanguage(query.get('accept-language') ?? acceptLanguage);

/** The name of the function that a JSON answer is passed to. */
function callbackOf(query: URLSearchParams): string | undefined {
  const name = query.get('json_callback');
  if (name === null) return undefined;
  if (!/^[$A-Z_][\w$.[\]]{0,99}$/i.test(name)) throw invalidParameter('json_callback', 'Invalid json_callback value');
  return name;
}

const byDefault = 10;
const maxResults = 40;

/** How detailed a reverse look-up answers from a `zoom` on. */
const zoomDetails = layers.nominatimZooms as [zoom: number, detail: Detail][];
const maxZoom = 18;
/** Parameters of a search that hold for its next results as written; never a key. */
const passedOn: ReadonlySet<string> = new Set(layers.nominatimPassedOn);

export const nominatim: DropIn = {
  routes: {
    '/nominatim/search': search,
    '/nominatim/reverse': reverse,
    '/nominatim/lookup': lookup,
    '/nominatim/status': status,
  },
  // Older clients write .php, or the text in the path.
  alsoAt: (path) => [`${path}.php`, ...(path.endsWith('/search') ? [`${path}/{q}`, `${path}.php/{q}`] : [])],
  callsOf: (query) =>
    (isDebug(query) ? 2 : 1) * Math.max(searchedCountries(codesOf(query)).length, idsOf(query).length),
  problem({ status: code, message }, { query, path }) {
    if ((query.get('format') ?? defaultFormats[endpointOf(path)]) === 'xml')
      return { status: code, type: xml, body: xmlError(code, message) };
    return { status: code, type: json, body: { error: { code, message } } };
  },
};

function search(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  const limit = limitOf(query, byDefault, maxResults);
  const excluded = new Set(excludedIds(query));
  const layers = wantedLayers(query);
  const q = textOf(query);
  if (layers === '' || q === undefined) return answerOf([], request, 'search');
  const codes = codesOf(query);
  const countries = searchedCountries(codes);
  const isFiltered = codes.length > countries.length;
  const shared = {
    ...biasOf(query),
    q,
    layers,
    lang: languageOf(request),
    limit: isFiltered ? 100 : Math.min(100, limit + excluded.size),
    explain: isDebug(query) ? 'true' : undefined,
  };
  // Within a country or box, or without the famous one, a town of the name is none the less likely for that one.
  const isNarrowed = codes.length > 0 || 'bbox' in shared || excluded.size > 0;
  const isNamed = ({ name }: DropInRecord) => isNarrowed && sameLetters(name, q) === 0;
  const answers = countries.map((country) => ask('search', { ...shared, country }));
  const kept = (answers.flatMap(({ results }) => results.map(dropInRecord)) as DropInRecord[])
    .toSorted((left, right) => right.confidence - left.confidence)
    // Nominatim answers with what the whole text describes, or with nothing: what is more likely wrong than right is left out.
    .filter((record) => record.confidence >= weights.likely || isNamed(record))
    .filter(({ osm }) => !osm || !excluded.has(`${osm.type[0].toUpperCase()}${osm.id}`))
    .filter(({ id, country }) => !excluded.has(String(id)) && (!isFiltered || codes.includes(country)))
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
  const position = pointOf(query);
  const zoom = numberOf(query, 'zoom', maxZoom);
  if (!position) return answerOf([], request, 'reverse');
  const point = { ...position, lang: languageOf(request) };
  const [, detail] = zoomDetails.find(([from]) => zoom >= from) ?? zoomDetails.at(-1)!;
  const themes = entriesOf(query, 'layer');
  const others = layersFor(themes.filter((theme) => theme !== 'address'));
  const candidates = [
    themes.length === 0 || themes.includes('address') ? recordAt(ask, point, detail) : undefined,
    ...(detail === 'house' && others ? featuresAt(request, point, others) : []),
  ].filter((record) => record !== undefined);
  const [nearest] = candidates.toSorted((left, right) => metresOff(left) - metresOff(right));
  return answerOf(nearest ? [nearest] : [], request, 'reverse');
}

/** How far a point of interest or feature may be. */
const reachKm = 0.5;

/** How far a record is from the point; what the point lies in comes after what is near it, and settlements and regions after all. */
function metresOff({ layer, distance_km = 0, bbox_source }: DropInRecord): number {
  const isOfAddress = layersOf.address.split(',').includes(layer) && layer !== 'street' && layer !== 'address';
  return isOfAddress ? Number.MAX_VALUE : (distance_km + (bbox_source === 'area' ? reachKm : 0)) * 1000;
}

/** The points of interest and features of some layers that are nearest, one of each layer. */
function featuresAt({ ask }: DropInRequest, point: Parameters<typeof recordAt>[1], layers: string): DropInRecord[] {
  const found: DropInRecord[] = ask('reverse', { ...point, layers }).results.map(dropInRecord);
  return found.filter(({ distance_km = 0 }) => distance_km <= reachKm);
}

function lookup(request: DropInRequest): DropInAnswer {
  const { query, ask, idOfObject } = request;
  // As Nominatim does: what is not there is left out.
  const ids = idsOf(query).flatMap((object) => idOfObject(object) ?? []);
  const records = ids.map((id) => dropInRecord(ask('place', { id, lang: languageOf(request) })));
  return answerOf(records, request, 'lookup');
}

function status({ query, dataset, version }: DropInRequest): DropInAnswer {
  if (query.get('format') !== 'json') return { type: 'text/plain; charset=utf-8', body: 'OK' };
  const body = {
    status: 0,
    message: 'OK',
    data_updated: `${dataset.builtAt.slice(0, 19)}+00:00`,
    software_version: version,
    database_version: dataset.version,
  };
  return { type: json, body };
}

type Endpoint = 'search' | 'reverse' | 'lookup';
const defaultFormats: Record<Endpoint | 'status', NominatimFormat | 'text'> = {
  search: 'jsonv2',
  reverse: 'xml',
  lookup: 'xml',
  status: 'text',
};
const endpointOf = (path: string) => path.slice(path.lastIndexOf('/') + 1) as Endpoint | 'status';

/** Compares without case and accents, in the same way whatever the language of the machine. */
const { compare: sameLetters } = new Intl.Collator('en', { sensitivity: 'base' });

function answerOf(
  found: readonly DropInRecord[],
  request: DropInRequest,
  endpoint: Endpoint,
  explanations: readonly unknown[] = [],
): DropInAnswer {
  const { query, version, dataset, ask } = request;
  const format = formatOf(query, defaultFormats[endpoint] as NominatimFormat);
  const isReverse = endpoint === 'reverse';
  const options: FormatOptions = {
    isReverse,
    query: (isReverse ? undefined : endpoint === 'search' && textOf(query)) || '',
    version,
    dataset: dataset.version,
    addressDetails: isSet(query, 'addressdetails', endpoint !== 'search'),
    nameDetails: isSet(query, 'namedetails'),
    extraTags: isSet(query, 'extratags'),
    geometry: geometryOf(query, format),
  };
  const records = found.map((record): ShownRecord => {
    const tolerance = numberOf(query, 'polygon_threshold', 0);
    const outline = options.geometry ? outlineOf(ask, record, tolerance) : undefined;
    const names = options.nameDetails ? { names: ask('place', { id: record.id }).names } : {};
    return { ...record, ...names, ...(outline && { outline }) };
  });
  if (isDebug(query)) return { type: html, body: debugPage({ records, explanations }) };
  if (format === 'xml') {
    const more = endpoint === 'search' ? moreOf(query, records) : {};
    return { type: xml, body: xmlOf(records, more, options) };
  }
  const isEmpty = isReverse && records.length === 0;
  const body = isEmpty ? { error: 'Unable to geocode' } : formatted(format, records, options);
  const callback = callbackOf(query);
  if (callback === undefined) return { type: json, body };
  return { type: 'application/javascript; charset=utf-8', body: `${callback}(${JSON.stringify(body)})` };
}

/** What the XML of a search says besides: where the next results are, what is left out of them, and the box. */
function moreOf(query: URLSearchParams, records: readonly DropInRecord[]): Record<string, string | undefined> {
  const excluded = [...new Set([...excludedIds(query), ...records.map(({ id }) => String(id))])].join(',');
  const viewbox = viewboxOf(query)?.join(',');
  const next = new URLSearchParams([...query].filter(([name]) => passedOn.has(name)));
  const codes = codesOf(query).join(',').toLowerCase();
  if (codes) next.set('countrycodes', codes);
  if (excluded) next.set('exclude_place_ids', excluded);
  next.set('format', 'xml');
  return { exclude_place_ids: excluded || undefined, viewbox, more_url: `/nominatim/search?${next}` };
}

/** What a page for developers shows: the records, and how each came about. */
function debugPage(content: object): string {
  const text = escaped(JSON.stringify(content, null, 2));
  const head = '<head><meta charset="utf-8"/><title>Debug</title></head>';
  return `<!DOCTYPE html>\n<html lang="en">${head}<body><pre>${text}</pre></body></html>`;
}
