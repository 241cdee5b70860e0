/**
 * Pelias' interface (github.com/pelias/documentation): `search`, `search/structured`, `autocomplete`, `reverse`, `place`.
 * Global identifiers (`gid`) are `whereabouts:layer:id`.
 */
import { boxAroundCircle, isNear, roundCoordinate } from '../../core/geo.ts';
import { invalidParameter } from '../../errors.ts';
import { preferredLanguage } from '../../text/language-tags.ts';
import {
  clamped,
  type DropIn,
  type DropInAnswer,
  type DropInRequest,
  entriesOf,
  json,
  numberOf,
  ourLayers,
  positionOf,
  valuesOf,
} from './drop-in.ts';
import layers from './layers.json' with { type: 'json' };
import { areaOf, boxAround, type DropInRecord, distinct, dropInRecord, labelParts, recordsAround } from './record.ts';

const byDefault = 10;
const maxResults = 40;
/** Radius of `boundary.circle` where none is given, as Pelias has it. */
const circleKm = 50;
const source = 'whereabouts';

/** Our layers for Pelias'. Of several of Pelias' for one of ours, the first is what a record of it is. */
const layersOf: Record<string, string> = layers.pelias;

/** Of the layers that are places to us, those of parts of cities. */
const partsOfCities: readonly string[] = ['neighbourhood', 'borough'];

const peliasLayers = new Map(
  Object.entries(layersOf)
    .reverse()
    .flatMap(([theirs, ours]) => ours.split(',').map((layer) => [layer, theirs])),
);
const layerOf = ({ layer, type }: DropInRecord) =>
  type === 'suburb' ? 'neighbourhood' : (peliasLayers.get(layer) ?? 'venue');

export const pelias: DropIn = {
  routes: {
    '/pelias/v1/search': (request) => search(request, 'search'),
    '/pelias/v1/search/structured': structured,
    '/pelias/v1/autocomplete': (request) => search(request, 'autocomplete'),
    '/pelias/v1/reverse': reverse,
    '/pelias/v1/place': place,
  },
  // Where clients of Stadia Maps look.
  alsoAt: (path) => [path.replace('/pelias/', '/pelias/geocoding/')],
  callsOf: (query) => Math.max(1, idsOf(query).length),
  problem: ({ status, message }, { query, version }) => ({
    status,
    type: json,
    body: {
      geocoding: {
        ...headOf(Object.fromEntries([...query].filter(([name]) => !/key$/.test(name))), version),
        errors: [message],
      },
      type: 'FeatureCollection',
      features: [],
    },
  }),
};

function search(request: DropInRequest, endpoint: 'search' | 'autocomplete'): DropInAnswer {
  const text = request.query.get('text')?.trim();
  if (!text) throw invalidParameter('text', "invalid param 'text': text length, must be >0");
  return find(request, endpoint, text);
}

function structured(request: DropInRequest): DropInAnswer {
  const names = 'venue address neighbourhood borough locality county region postalcode country'.split(' ');
  const parts = valuesOf(request.query, ...names);
  if (parts.length === 0) {
    throw invalidParameter('address', `at least one of the following fields is required: ${names.join(', ')}`);
  }
  return find(request, 'search', parts.join(', '));
}

function find(request: DropInRequest, endpoint: 'search' | 'autocomplete', text: string): DropInAnswer {
  const { query, ask } = request;
  const size = sizeOf(query);
  const passes = filterOf(query);
  const isFiltered = query.has('layers') || query.has('boundary.circle.lat');
  // Suggestions begin with the second letter, Pelias' with the first.
  const isShort = endpoint === 'autocomplete' && [...text].length < 2;
  const { results } = ask(isShort ? 'search' : endpoint, {
    q: text,
    // What the filter leaves out must not take the place of others.
    limit: Math.min(endpoint === 'autocomplete' ? 20 : 100, isFiltered ? 100 : size),
    lang: languageOf(request),
    layers: layersIn(query),
    country: countryOf(request),
    ...boundsOf(query),
  });
  const records = distinct(results.map(dropInRecord)).filter(passes).slice(0, size);
  return collection(request, { text, size }, records);
}

function reverse(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  const lat = query.get('point.lat');
  const lon = query.get('point.lon');
  if (lat === null || lon === null) {
    throw invalidParameter('point.lat', "missing param 'point.lat' or 'point.lon'");
  }
  const size = Math.min(10, sizeOf(query));
  const point = { lat, lng: lon, lang: languageOf(request) };
  const maxKm = numberOf(query, 'boundary.circle.radius', Number.POSITIVE_INFINITY);
  const country = countryOf(request)?.toUpperCase();
  const passes = filterOf(query);
  const records = recordsAround(ask, point, {
    ...{ layers: layersIn(query), limit: size, maxKm, isFinestFirst: true },
    passes: (record) => passes(record) && (country === undefined || record.country === country),
    kinds: { place: entriesOf(query, 'layers').some((name) => partsOfCities.includes(name)) ? ['suburb'] : [] },
  });
  return collection(request, { 'point.lat': Number(lat), 'point.lon': Number(lon), size }, records);
}

function place(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  const ids = idsOf(query);
  if (ids.length === 0) throw invalidParameter('ids', "invalid param 'ids': text length, must be >0");
  const records = ids.map((gid) => {
    const id = gid.split(':').at(-1)!;
    if (!/^\d+$/.test(id)) {
      throw invalidParameter(
        'ids',
        `\`ids\` parameter must be of the form source:layer:source_id for ${gid} to be valid`,
      );
    }
    return dropInRecord(ask('place', { id, lang: languageOf(request) }));
  });
  return collection(request, { ids }, records);
}

const sizeOf = (query: URLSearchParams) => Math.trunc(clamped(query.get('size'), 1, maxResults, byDefault));

const idsOf = (query: URLSearchParams): string[] => entriesOf(query, 'ids').slice(0, maxResults);

const languageOf = ({ query, acceptLanguage }: DropInRequest) => preferredLanguage(query.get('lang') ?? acceptLanguage);

const layersIn = (query: URLSearchParams) =>
  ourLayers(entriesOf(query, 'layers'), layersOf, (unknown, valid) =>
    invalidParameter('layers', `'${unknown}' is an invalid layers parameter. Valid options: ${valid}`),
  );

/** The country asked for, by its code of two letters or of three. */
function countryOf({ query, ask }: DropInRequest): string | undefined {
  const code = query.get('boundary.country')?.split(',')[0].trim();
  if (code?.length !== 3) return code;
  return countries(ask).find(({ iso3 }) => iso3 === code.toUpperCase())?.iso2 ?? code;
}

const countries = (ask: DropInRequest['ask']): { iso2: string; iso3: string }[] => ask('countriesAll', {}).results;

/** `boundary.circle`; undefined where there is none. */
function circleOf(query: URLSearchParams) {
  const [lat, lng, radiusKm] = ['lat', 'lon', 'radius'].map((name) =>
    numberOf(query, `boundary.circle.${name}`, name === 'radius' ? circleKm : Number.NaN),
  );
  return Number.isNaN(lat + lng) ? undefined : { centre: { lat, lng }, radiusKm };
}

/** `focus.point` as what is preferred, `boundary.rect`, or else the box around `boundary.circle`, as what answers must lie in. */
function boundsOf(query: URLSearchParams): Record<string, string | undefined> {
  const corners = ['min_lon', 'min_lat', 'max_lon', 'max_lat'];
  const rect = corners.map((name) => query.get(`boundary.rect.${name}`));
  const circle = circleOf(query);
  const missing = corners.find((_, at) => rect[at] === null);
  if (missing !== undefined && rect.some((degrees) => degrees !== null))
    throw invalidParameter(
      `boundary.rect.${missing}`,
      `missing param 'boundary.rect.${missing}': boundary.rect requires ${corners.join(', ')}`,
    );
  const box = circle && boxAroundCircle(circle.centre, circle.radiusKm).map(roundCoordinate);
  return {
    ...positionOf(query, 'focus.point.lat', 'focus.point.lon'),
    bbox: missing === undefined ? rect.join() : box?.join(),
  };
}

/** Whether a record is of the layers asked for, one by one, and in `boundary.circle`. */
function filterOf(query: URLSearchParams): (record: DropInRecord) => boolean {
  const circle = circleOf(query);
  const layers = [...new Set(entriesOf(query, 'layers'))];
  const isOf = (layer: string, { type }: DropInRecord) =>
    layersOf[layer] !== 'place' || partsOfCities.includes(layer) === (type === 'suburb');
  return (record) =>
    (!circle || isNear(circle.centre, record, circle.radiusKm)) &&
    (layers.length === 0 ||
      layers.some((layer) => layersOf[layer].split(',').includes(record.layer) && isOf(layer, record)));
}

/** What every answer says of itself, errors included. */
const headOf = (query: object, version: string, timestamp = Date.now()) => ({
  version: '0.2',
  attribution: '/docs/data',
  query,
  engine: { name: 'Whereabouts', author: 'Whereabouts', version },
  timestamp,
});

function collection(
  { ask, dataset, version }: DropInRequest,
  query: object,
  records: readonly DropInRecord[],
): DropInAnswer {
  const boxes = records.map(boxAround);
  const bbox = [
    Math.min(...boxes.map(([, , west]) => west)),
    Math.min(...boxes.map(([south]) => south)),
    Math.max(...boxes.map(([, , , east]) => east)),
    Math.max(...boxes.map(([, north]) => north)),
  ];
  const iso3 = new Map(countries(ask).map((country) => [country.iso2, country.iso3]));
  const body = {
    geocoding: headOf(query, version, Date.parse(dataset.builtAt)),
    type: 'FeatureCollection',
    features: records.map((record) => featureOf(record, iso3.get(record.country))),
    ...(records.length > 0 ? { bbox } : {}),
  };
  return { type: json, body };
}

/** Our layers for the areas of a record that Pelias gives the identifiers of. */
const areas = { country: 'country', region: 'region', county: 'subregion', locality: 'place' } as const;

/** `iso3` is the alpha-3 code of the record's country; undefined for codes that ISO has not assigned. */
function featureOf(record: DropInRecord, iso3: string | undefined): object {
  const layer = layerOf(record);
  const name = record.house_number && record.street ? `${record.house_number} ${record.street}` : record.name;
  const properties = {
    id: String(record.id),
    gid: `${source}:${layer}:${record.id}`,
    layer,
    source,
    source_id: String(record.id),
    country_code: record.country,
    name,
    housenumber: record.house_number,
    street: record.street,
    postalcode: record.postal_code,
    confidence: record.confidence / 100,
    match_type: record.confidence >= 100 ? 'exact' : 'fallback',
    distance: record.distance_km,
    accuracy: record.layer === 'address' || record.layer === 'poi' ? 'point' : 'centroid',
    country: record.country_name,
    country_a: iso3 ?? record.country,
    region_a: areaOf(record, 'region')?.isoCode?.slice(3),
    ...Object.fromEntries(
      Object.entries(areas).flatMap(([theirs, ours]) => {
        const area = areaOf(record, ours);
        return area ? [[`${theirs}_gid`, `${source}:${theirs}:${area.id}`]] : [];
      }),
    ),
    region: record.admin1,
    county: record.admin2,
    locality: record.city,
    neighbourhood: record.suburb,
    // Pelias' labels have no postal code.
    label: [name, ...labelParts({ ...record, postal_code: '' }).slice(1)].join(', '),
  };
  const [south, north, west, east] = record.box ?? [];
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [record.lng, record.lat] },
    properties,
    ...(record.box && { bbox: [west, south, east, north] }),
  };
}
