/** Nominatim's parameters, read as Nominatim reads them. Every function throws `invalid_parameter` for what it refuses. */
import { isOsmObject } from '../../core/osm-object.ts';
import { invalidParameter } from '../../errors.ts';
import { preferredLanguage } from '../../text/language-tags.ts';
import { countryCodes, type DropInRequest, numberOf } from './drop-in.ts';
import { formats, type NominatimFormat } from './nominatim-format.ts';
import type { GeometryForm } from './outline.ts';

const maxLookups = 50;

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

/** A truth value: anything but `0` is true. */
export const isSet = (query: URLSearchParams, name: string, byDefault = false): boolean =>
  (query.get(name) ?? (byDefault ? '1' : '0')) !== '0';

export const isDebug = (query: URLSearchParams): boolean => isSet(query, 'debug');

/** The form of the answer. */
export function formatOf(query: URLSearchParams, byDefault: NominatimFormat): NominatimFormat {
  const format = (query.get('format') ?? byDefault) as NominatimFormat;
  if (!formats.includes(format))
    throw invalidParameter('format', `Parameter 'format' must be one of: ${formats.join(', ')}`);
  return format;
}

/** The position to look up; undefined where it is none on Earth, which is an answer without a result. */
export function pointOf(query: URLSearchParams): { lat: number; lng: number } | undefined {
  const [lat, lng] = ['lat', 'lon'].map((name) => {
    if (!query.get(name)?.trim()) throw invalidParameter(name, `Parameter '${name}' missing.`);
    return numberOf(query, name, 0);
  });
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}

/** The text of a free query, or of a structured one; undefined where `q` is empty, which finds nothing. */
export function textOf(query: URLSearchParams): string | undefined {
  const parts = ['amenity', 'street', 'city', 'county', 'state', 'postalcode', 'country']
    .map((name) => query.get(name)?.trim())
    .filter(Boolean);
  const q = query.get('q')?.trim();
  if (q && parts.length > 0)
    throw invalidParameter('q', 'q cannot be combined with the parameters of a structured query');
  if (parts.length > 0) return parts.join(', ');
  if (q === undefined) throw invalidParameter('q', 'Nothing to search for.');
  return q || undefined;
}

/** Our layers for `featureType` or `layer`: undefined where neither is requested. */
export function wantedLayers(query: URLSearchParams): string | undefined {
  const feature = query.get('featureType');
  if (feature && Object.hasOwn(layersOfFeature, feature)) return layersOfFeature[feature];
  return themesOf(query)
    ?.map((name) => layersOf[name])
    .filter(Boolean)
    .join(',');
}

/** The values of `layer`; undefined where there is none. */
export function themesOf(query: URLSearchParams): string[] | undefined {
  const names = (query.get('layer') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = names.find((name) => !themes.includes(name));
  if (unknown !== undefined)
    throw invalidParameter('layer', `Parameter 'layer' has '${unknown}', expected some of: ${themes.join(', ')}`);
  return names.length > 0 ? names : undefined;
}

export const codesOf = (query: URLSearchParams): string[] => countryCodes(query.getAll('countrycodes'));

/** Objects of OpenStreetMap to look up (`n12`, `w5`, `r7`); what is none is left out. */
export function idsOf(query: URLSearchParams): string[] {
  const ids = (query.get('osm_ids') ?? '')
    .split(',')
    .map((id) => id.trim().toLowerCase())
    .filter(isOsmObject);
  if (ids.length > maxLookups) throw invalidParameter('osm_ids', 'Too many object IDs.');
  return ids;
}

/** What is left out of a search: our identifiers (`123`), and objects of OpenStreetMap (`N123`). */
export const excludedIds = (query: URLSearchParams): string[] =>
  (query.get('exclude_place_ids') ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)
    .map((id) => {
      if (!/^[NWR]?\d+$/i.test(id)) throw invalidParameter('exclude_place_ids', `Invalid exclude ID: ${id}`);
      return id.toUpperCase();
    });

/** West, south, east and north of `viewbox` (two corners, longitude first), or of `viewboxlbrt`, its former name. */
export function viewboxOf(query: URLSearchParams): [number, number, number, number] | undefined {
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
export function biasOf(query: URLSearchParams): { bbox: string } | { lat: number; lng: number } | undefined {
  const box = viewboxOf(query);
  if (!box) return undefined;
  const [west, south, east, north] = box;
  return isSet(query, 'bounded') ? { bbox: box.join(',') } : { lat: (south + north) / 2, lng: (west + east) / 2 };
}

/** The form of geometry to add, of which one may be asked for; GeoJSON has no place for others than its own. */
export function geometryOf(query: URLSearchParams, format: NominatimFormat): GeometryForm | undefined {
  const forms: readonly GeometryForm[] = format.startsWith('geo') ? ['geojson'] : ['geojson', 'kml', 'svg', 'text'];
  const wanted = forms.filter((form) => isSet(query, `polygon_${form}`));
  if (wanted.length > 1) throw invalidParameter(`polygon_${wanted[1]}`, 'Too many polygon output options selected.');
  return wanted[0];
}

export const languageOf = ({ query, acceptLanguage }: DropInRequest): string | undefined =>
  preferredLanguage(query.get('accept-language') ?? acceptLanguage);

/** The name of the function that a JSON answer is passed to. */
export function callbackOf(query: URLSearchParams): string | undefined {
  const name = query.get('json_callback');
  if (name === null) return undefined;
  if (!/^[$A-Z_][\w$.[\]]{0,99}$/i.test(name)) throw invalidParameter('json_callback', 'Invalid json_callback value');
  return name;
}
