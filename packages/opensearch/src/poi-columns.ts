/** Points of interest that a search in an index finds, by columns: no document is read. */
import type { LatLng } from '../../../src/core/geo.ts';
import { type PoiColumn, type PoiDocument, poiName } from './documents.ts';
import type { FoundColumns, IndexLookUps } from './look-ups.ts';

export type FoundPoi = LatLng & { part: number; id: number };
type Columns = { i: [number]; at: [string]; facts?: [string] };

const columns = { docvalue_fields: ['i', 'at', 'facts'] };
/** Degrees are rounded down to these steps in the index, which are finer than those of documents. */
const step = { lat: 180 / 2 ** 32, lng: 360 / 2 ** 32 };
/** Results are read once, however often a search is repeated. */
const results = new WeakMap<readonly object[], FoundPoi[] | undefined>();

/**
 * The points that a query finds; their documents are then known. Undefined where one has no column of its facts: in an index of an older
 * program, or with a very long name.
 */
export function foundPois(lookUps: IndexLookUps, body: object): FoundPoi[] | undefined {
  const hits = lookUps.columns<Columns>({ ...body, ...columns });
  if (!results.has(hits)) results.set(hits, read(lookUps, hits));
  return results.get(hits);
}

function read(lookUps: IndexLookUps, hits: readonly FoundColumns<Columns>[]): FoundPoi[] | undefined {
  const pois: FoundPoi[] = [];
  for (const { fields } of hits) {
    if (!fields.facts) return undefined;
    const [part, k, cuisine, name, others, source, ob, tag] = JSON.parse(fields.facts[0]) as PoiColumn;
    const [id] = fields.i;
    const { y, x } = positionOf(fields.at[0]);
    const document: PoiDocument = {
      name,
      ...(others !== '' && { others }),
      k,
      y,
      x,
      ...(cuisine !== null && { cuisine }),
      ...(ob && { ob }),
      ...(tag && { tag }),
      ...(typeof source === 'string' ? { src: source } : { o: source }),
    };
    lookUps.keep(poiName(part, id), document);
    pois.push({ part, id, lat: y / 1e7, lng: x / 1e7 });
  }
  return pois;
}

/** A position in 1e-7 degrees, from one that was rounded down: by the middle of its step. */
function positionOf(at: string): { y: number; x: number } {
  const [lat, lng] = at.split(',').map(Number);
  return { y: Math.round((lat + step.lat / 2) * 1e7), x: Math.round((lng + step.lng / 2) * 1e7) };
}
