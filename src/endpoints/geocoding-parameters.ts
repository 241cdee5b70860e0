/** Parameters of the endpoints that answer to a text, besides the text: layers, bounding box, bias. */

import type { LatLng } from '../core/geo.ts';
import { invalidParameter, WhereaboutsError } from '../errors.ts';
import { layers as allLayers, type Layer } from '../geocoding/layers.ts';
import { latitude, longitude, optional, text } from './parameters.ts';

export const biasParameters = {
  lat: optional(latitude('Prefer results near this point; requires lng.')),
  lng: optional(longitude('Prefer results near this point; requires lat.')),
};

export const layersParameter = optional(
  text(`Layers to answer from, separated by commas: ${allLayers.join(', ')}.`, { examples: ['place,region'] }),
);

/** The point of `lat` and `lng`; undefined when neither is given. Throws `missing_parameter` for one without the other. */
export function biasOf(lat: number | undefined, lng: number | undefined): LatLng | undefined {
  if (lat !== undefined && lng !== undefined) return { lat, lng };
  if (lat === undefined && lng === undefined) return undefined;
  const missing = lat === undefined ? 'lat' : 'lng';
  const detail = `${missing} is missing, expected both lat and lng, or neither`;
  throw new WhereaboutsError('missing_parameter', detail, { errors: [{ parameter: missing, detail }] });
}

/** The layers of a list; the fallback when there is none. Throws `invalid_parameter` naming the ones there are. */
export function layersOf(list: string | undefined, fallback: ReadonlySet<Layer>): ReadonlySet<Layer> {
  if (list === undefined) return fallback;
  const names = list
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const unknown = names.find((name) => !allLayers.includes(name as Layer));
  if (unknown !== undefined) {
    throw invalidParameter(
      'layers',
      `layers has ${JSON.stringify(unknown)}, expected one or more of ${allLayers.join(', ')}`,
    );
  }
  return new Set(names as Layer[]);
}
