/** The order of Photon's results: what the text begins, by importance and by nearness to the focus of the map. */
import { distanceKm } from '../../core/geo.ts';
import { numberOf } from './drop-in.ts';
import type { DropInRecord } from './record.ts';

/** Focus of a search; `scale` 0–1 weighs importance against nearness. */
export type Focus = { lat: number; lng: number; zoom: number; scale: number };

const byDefault = { zoom: 12, scale: 0.4 };
/** Up to this zoom Photon has no focus. */
const minZoom = 4;

const zoomOf = (query: URLSearchParams) => within(query.get('zoom'), 0, 18, byDefault.zoom);

/** Whether the map shows too much for a focus. */
export const isWide = (query: URLSearchParams): boolean => zoomOf(query) <= minZoom;

/** The focus of a request; undefined without one, and where the map shows too much for one. */
export function focusOf(query: URLSearchParams): Focus | undefined {
  const [lat, lng] = ['lat', 'lon'].map((name) => Number(query.get(name) ?? Number.NaN));
  if (!Number.isFinite(lat) || !Number.isFinite(lng) || isWide(query)) return undefined;
  const scale = Math.max(0, Math.min(1, numberOf(query, 'location_bias_scale', byDefault.scale)));
  return { lat, lng, zoom: zoomOf(query), scale };
}

function within(text: string | null, minimum: number, maximum: number, otherwise: number): number {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(number) ? otherwise : Math.min(maximum, Math.max(minimum, number));
}

/** Confidence from which a whole name is preferred to a less important place that it begins. */
const minSure = 70;
const wholeNames: ReadonlySet<string> = new Set(['place', 'country']);

/**
 * Suggestions first, in their order, then what else the search found; but before them the place or country that the text
 * names as a whole, if it is the more important one: London for `londres`, not Londres in Argentina. Around a focus all by text, importance and
 * nearness. The radius within which everything counts as near, and the decay beyond it, are those of Photon 1.0.
 */
export function ranked(
  suggested: readonly DropInRecord[],
  found: readonly DropInRecord[],
  focus: Focus | undefined,
  importanceOf: (record: DropInRecord) => number,
): DropInRecord[] {
  const scored = new Map<number, { record: DropInRecord; text: number }>();
  for (const record of suggested) scored.set(record.id, { record, text: 1 });
  // A record of a search has its population too.
  for (const record of found) {
    scored.set(record.id, { record, text: scored.get(record.id)?.text ?? record.confidence / 100 });
  }
  const [whole] = found;
  const [begun] = scored.values();
  const isWhole = whole?.confidence >= minSure && wholeNames.has(whole.layer);
  const isMoreImportant = isWhole && importanceOf(whole) > importanceOf(begun.record);
  const all = [...scored.values()];
  if (isMoreImportant) all.sort((one, other) => Number(other.record === whole) - Number(one.record === whole));
  if (!focus) return all.map(({ record }) => record);
  const { zoom, scale } = focus;
  const radiusKm = 0.1 * 2.2 ** (18 - zoom);
  const halfKm = Math.max(8, radiusKm * (zoom - 3));
  const nearness = (record: DropInRecord) => {
    const km = distanceKm(focus, record);
    return km < radiusKm ? 1 - (0.1 * km) / radiusKm : 0.9 * 0.5 ** ((km - radiusKm) / halfKm);
  };
  const score = ({ record, text }: (typeof all)[number]) =>
    text + scale * importanceOf(record) + (1 - scale) * nearness(record);
  return all
    .map((each) => ({ ...each, score: score(each) }))
    .sort((left, right) => right.score - left.score)
    .map(({ record }) => record);
}
