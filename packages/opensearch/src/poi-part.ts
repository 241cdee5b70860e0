/** The points of interest of one part, in an index. */
import { distanceKm, type LatLng } from '../../../src/core/geo.ts';
import { poiCategories } from '../../../src/core/place-kinds.ts';
import type { Clause, PoiPart } from '../../../src/store/street-parts.ts';
import {
  anyOf,
  filtersOf,
  numberOf,
  objectTerm,
  type PartFacts,
  type PoiColumn,
  type PoiDocument,
  partTerm,
  poiDocument,
  poiName,
} from './documents.ts';
import type { IndexLookUps, SearchBody, SearchedIndex } from './look-ups.ts';
import { openVocabulary } from './vocabulary.ts';

/** Number of nearest points requested at first. */
const firstSize = 200;
/** Points requested beyond those wanted, so that one look-up answers most searches in growing circles. */
const overfetch = 20;
/** Maximum number of hits that an index returns. */
const maxSize = 10_000;
/** Circles are rounded up to these radii, so that a slightly larger one needs no further look-up. */
const radiiKm = [2, 8, 32];
/** Margin for the rounding of positions in the index. */
const slackKm = 0.001;
/** A box is queried as a whole, whereas files query a few cells each. */
const drawnPerLimit = 4;

type Search = {
  filter: readonly object[];
  sort: readonly object[];
  size: number;
  /** Whether points of other parts are wanted too: parts that are asked the same then share a look-up. */
  isOfAllParts?: boolean;
};

/** The points of a part. */
export function poiDocuments(state: SearchedIndex, { number, pois }: PartFacts): PoiPart {
  const { sources, records } = pois!;

  function poi(id: number) {
    const document = state.lookUps().document<PoiDocument>(poiName(number, id));
    if (!document) return undefined;
    const { name, others, k, y, x, cuisine = null, o = 0, src, ob: object = null, tag = null } = document;
    const otherNames = others === undefined ? [] : others.split('\n');
    const source = src ?? sources[o];
    return { name, otherNames, category: poiCategories[k], lat: y / 1e7, lng: x / 1e7, cuisine, source, object, tag };
  }

  /** The points in a circle or the `wanted` nearest, from an earlier look-up of nearest points or a new one. */
  function near(
    clauses: readonly Clause[],
    { center, km }: { center: LatLng; km: number },
    wanted?: number,
  ): FoundPoi[] {
    const radius = radiiKm.find((one) => one >= km) ?? km;
    for (let size = Math.min(firstSize, (wanted ?? firstSize) + overfetch); ; size = Math.min(maxSize, size * 7)) {
      const points = nearest(clauses, { center, km: radius, size, isOfAllParts: wanted !== undefined });
      const own = () => points.filter(({ part }) => part === number);
      if (points.length < size || size === maxSize) return own();
      // All others are at least as far away, but for the rounding.
      const knownKm = distanceKm(center, points[size - 1]) - slackKm;
      const isEnough = () => points.filter((point) => distanceKm(center, point) < knownKm).length >= wanted!;
      if (knownKm > km || (wanted !== undefined && isEnough())) return own();
    }
  }

  /** The points nearest to a position; those of one part may be fewer where all parts are searched. */
  function nearest(
    clauses: readonly Clause[],
    { center, km, ...rest }: { center: LatLng; km: number } & Pick<Search, 'size' | 'isOfAllParts'>,
  ): FoundPoi[] {
    const at = { lat: center.lat, lon: center.lng };
    const within = { geo_distance: { distance: `${km + slackKm}km`, at } };
    // In metres, Lucene skips points that are farther away than those found.
    const sort = [{ _geo_distance: { at, order: 'asc', unit: 'm' } }, ...byNumber];
    return found({ filter: [...filtersOf(clauses), within], sort, ...rest });
  }

  function found({ filter, sort, size, isOfAllParts = false }: Search): FoundPoi[] {
    const lookUps = state.lookUps();
    const body = { size, sort };
    const ofPart = { ...body, filter: [...filter, anyOf([partTerm('p', number)])] };
    const find = () =>
      foundPois(lookUps, isOfAllParts ? { ...body, filter } : ofPart) ??
      lookUps.search<PoiDocument>(ofPart).map(({ _id, _source: { y, x } }) => ({
        part: number,
        id: numberOf(_id),
        lat: y / 1e7,
        lng: x / 1e7,
      }));
    return lookUps.orNone(find, []);
  }

  return {
    number,
    vocabulary: openVocabulary(state, `p${number}`, records),
    settle: () => state.settle(),
    mayMatch: () => undefined,
    matching(clauses, wanted) {
      const around = clauses.find((clause) => 'around' in clause);
      // The circle around a box is for files: points outside the box are left out afterwards.
      const others = clauses.filter((clause) => !('around' in clause));
      if (!around) throw new Error('a search for points of interest needs a position');
      return near(others, { center: around.around[0], km: around.km }, wanted);
    },
    named(clauses, limit) {
      const points = found({ filter: filtersOf(clauses), sort: byNumber, size: Math.min(limit, maxSize) });
      return points.map(({ id, lat, lng }) => ({ id, lat, lng }));
    },
    ofCategory: (category, center, km, wanted) => near([{ category }], { center, km }, wanted),
    withObject: (object) =>
      found({ filter: [anyOf([objectTerm(object)])], sort: byNumber, size: firstSize }).map(({ id }) => id),
    poi,
    poisIn({ south, west, north, east }, limit) {
      const within = { geo_bounding_box: { at: { top: north, left: west, bottom: south, right: east } } };
      const size = Math.min(limit * drawnPerLimit, maxSize);
      return poiCategories.flatMap((category) => {
        const points = found({ filter: [...filtersOf([{ category }]), within], sort: byNumber, size });
        return points.map(({ id, lat, lng }) => ({ name: poi(id)!.name, category, lat, lng }));
      });
    },
  };
}

const byNumber = [{ i: 'asc' }];

type FoundPoi = LatLng & { part: number; id: number };
type Columns = { fields: { i: [number]; at: [string]; facts?: [string] } };

const columns = { docvalue_fields: ['i', 'at', 'facts'], stored_fields: '_none_' };
/** Degrees are rounded down to these steps in the index, which are finer than those of documents. */
const step = { lat: 180 / 2 ** 32, lng: 360 / 2 ** 32 };
/** Results are read once, however often a search is repeated. */
const results = new WeakMap<readonly object[], FoundPoi[] | undefined>();

/**
 * The points that a query finds; their documents are then known. Undefined where one has no column of its facts: in an index of an older
 * program, or with a very long name.
 */
function foundPois(lookUps: IndexLookUps, body: SearchBody): FoundPoi[] | undefined {
  const hits = lookUps.parts<Columns>({ ...body, ...columns });
  if (!results.has(hits)) results.set(hits, read(lookUps, hits));
  return results.get(hits);
}

function read(lookUps: IndexLookUps, hits: readonly Columns[]): FoundPoi[] | undefined {
  const pois: FoundPoi[] = [];
  for (const { fields } of hits) {
    if (!fields.facts) return undefined;
    const column = JSON.parse(fields.facts[0]) as PoiColumn;
    const [part] = column;
    const [id] = fields.i;
    const { y, x } = positionOf(fields.at[0]);
    lookUps.keep(poiName(part, id), poiDocument(column, y, x));
    pois.push({ part, id, lat: y / 1e7, lng: x / 1e7 });
  }
  return pois;
}

/** A position in 1e-7 degrees, from one that was rounded down: by the middle of its step. */
function positionOf(at: string): { y: number; x: number } {
  const [lat, lng] = at.split(',').map(Number);
  return { y: Math.round((lat + step.lat / 2) * 1e7), x: Math.round((lng + step.lng / 2) * 1e7) };
}
