/** The points of interest of one part, in an index. */
import type { LatLng } from '../../core/geo.ts';
import { distanceKm } from '../../core/geo.ts';
import { type PoiCategory, poiCategories } from '../../core/poi-category.ts';
import type { Bounds } from '../bounds.ts';
import { together } from '../deferred.ts';
import type { MapPoi } from '../map-contract.ts';
import type { Clause, PoiPart, Vocabulary } from '../street-parts.ts';
import { matchAll, numberOf, type PartFacts, type PoiDocument, poiName } from './documents.ts';
import type { IndexState } from './index-state.ts';
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

type Point = { id: number } & LatLng;

export class PoiDocuments implements PoiPart {
  readonly number: number;
  readonly vocabulary: Vocabulary;
  readonly #state: IndexState;
  readonly #sources: readonly string[];

  constructor(state: IndexState, { number, pois }: PartFacts) {
    this.number = number;
    this.vocabulary = openVocabulary(state, `p${number}`, pois!.records);
    this.#state = state;
    this.#sources = pois!.sources;
  }

  matching(clauses: readonly Clause[], wanted?: number): Point[] {
    const around = clauses.find((clause) => 'around' in clause);
    const others = clauses.filter((clause) => clause !== around);
    if (!around) throw new Error('a search for points of interest needs a position');
    return this.#near(others, { center: around.around[0], km: around.km }, wanted);
  }

  named(clauses: readonly Clause[], limit: number): Point[] {
    const found = this.#state.lookUps().search<PoiDocument>({
      size: Math.min(limit, maxSize),
      track_total_hits: false,
      sort: [{ i: 'asc' }],
      query: { bool: { filter: [matchAll('p', this.number, clauses)] } },
    });
    return found.map(pointOf);
  }

  ofCategory(category: PoiCategory, center: LatLng, km: number, wanted?: number): Point[] {
    return this.#near([{ category }], { center, km }, wanted);
  }

  facts(id: number) {
    const { name, category, cuisine } = this.poi(id)!;
    return { name, category, cuisine };
  }

  poi(id: number) {
    const document = this.#state.lookUps().document<PoiDocument>(poiName(this.number, id));
    if (!document) return undefined;
    const { name, others, k, y, x, cuisine = null, o = 0, src } = document;
    const otherNames = others === undefined ? [] : others.split('\n');
    const source = src ?? this.#sources[o];
    return { name, otherNames, category: poiCategories[k], lat: y / 1e7, lng: x / 1e7, cuisine, source };
  }

  poisIn({ south, west, north, east }: Bounds, limit: number): MapPoi[] {
    const within = { geo_bounding_box: { at: { top: north, left: west, bottom: south, right: east } } };
    return together(poiCategories, (category) => {
      const found = this.#state.lookUps().search<PoiDocument>({
        size: Math.min(limit * drawnPerLimit, maxSize),
        track_total_hits: false,
        sort: [{ i: 'asc' }],
        query: { bool: { filter: [matchAll('p', this.number, [{ category }]), within] } },
      });
      return found.map(({ _source: { name, y, x } }) => ({ name, category, lat: y / 1e7, lng: x / 1e7 }));
    }).flat();
  }

  /** The points in a circle or the `wanted` nearest, from an earlier look-up of nearest points or a new one. */
  #near(
    clauses: readonly Clause[],
    { center, km }: { center: LatLng; km: number },
    wanted = Number.POSITIVE_INFINITY,
  ): Point[] {
    const radius = radiiKm.find((one) => one >= km) ?? km;
    for (let size = Math.min(firstSize, wanted + overfetch); ; size = Math.min(maxSize, size * 7)) {
      const points = this.#nearest(clauses, center, radius, size);
      if (points.length < size || size === maxSize) return points;
      // All others are at least as far away, but for the rounding.
      const knownKm = distanceKm(center, points[size - 1]) - slackKm;
      if (knownKm > km || points.filter((point) => distanceKm(center, point) < knownKm).length >= wanted) return points;
    }
  }

  #nearest(clauses: readonly Clause[], { lat, lng }: LatLng, km: number, size: number): Point[] {
    const at = { lat, lon: lng };
    const within = { geo_distance: { distance: `${km + slackKm}km`, at } };
    const found = this.#state.lookUps().search<PoiDocument>({
      size,
      track_total_hits: false,
      // In metres, Lucene skips points that are farther away than those found.
      sort: [{ _geo_distance: { at, order: 'asc', unit: 'm' } }, { i: 'asc' }],
      query: { bool: { filter: [matchAll('p', this.number, clauses), within] } },
    });
    return found.map(pointOf);
  }
}

const pointOf = ({ _id, _source: { y, x } }: { _id: string; _source: PoiDocument }): Point => ({
  id: numberOf(_id),
  lat: y / 1e7,
  lng: x / 1e7,
});
