/** The order of Photon's results: around the focus of the map by importance and nearness too. */
import { distanceKm } from '../../core/geo.ts';
import weights from '../../geocoding/weights.json' with { type: 'json' };
import { numberOf } from './drop-in.ts';
import { type DropInRecord, distinct } from './record.ts';

/** Focus of a search; `scale` 0–1 weighs importance against nearness. */
type Focus = { lat: number; lng: number; zoom: number; scale: number };

const defaultZoom = 12;
const maxZoom = 18;
/** Up to this zoom Photon has no focus. */
const minZoom = 4;

const zoomOf = (query: URLSearchParams) => within(query.get('zoom'), 0, maxZoom, defaultZoom);

/** Whether the map shows too much for a focus. */
export const isWide = (query: URLSearchParams): boolean => zoomOf(query) <= minZoom;

/** The focus of a request; undefined without one, and where the map shows too much for one. */
export function focusOf(query: URLSearchParams): Focus | undefined {
  const [lat, lng] = ['lat', 'lon'].map((name) => Number(query.get(name) ?? Number.NaN));
  if (!Number.isFinite(lat) || !Number.isFinite(lng) || isWide(query)) return undefined;
  const scale = Math.max(0, Math.min(1, numberOf(query, 'location_bias_scale', weights.photonScale)));
  return { lat, lng, zoom: zoomOf(query), scale };
}

function within(text: string | null, minimum: number, maximum: number, otherwise: number): number {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(number) ? otherwise : Math.min(maximum, Math.max(minimum, number));
}

/**
 * Records in their order, each once; around a focus by confidence, importance and nearness. The radius within which everything counts as near, and the decay beyond it, are those of Photon 1.0.
 */
export function ranked(
  records: readonly DropInRecord[],
  focus: Focus | undefined,
  importanceOf: (record: DropInRecord) => number,
): DropInRecord[] {
  const all = distinct(records);
  if (!focus) return all;
  const { zoom, scale } = focus;
  const radiusKm = weights.photonRadiusKm * weights.photonRadiusPerZoom ** (maxZoom - zoom);
  const halfKm = Math.max(weights.photonHalfKm, radiusKm * (zoom - weights.photonHalfFromZoom));
  const fall = weights.photonFallInRadius;
  const nearness = (record: DropInRecord) => {
    const km = distanceKm(focus, record);
    return km < radiusKm ? 1 - (fall * km) / radiusKm : (1 - fall) * 0.5 ** ((km - radiusKm) / halfKm);
  };
  const scoreOf = (record: DropInRecord) =>
    record.confidence / 100 + scale * importanceOf(record) + (1 - scale) * nearness(record);
  return all
    .map((record) => ({ record, score: scoreOf(record) }))
    .sort((left, right) => right.score - left.score)
    .map(({ record }) => record);
}
