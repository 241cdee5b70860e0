/**
 * A cache of recent searches. The same few places are requested again and again, prefixes even more so. Hits, which are
 * numbers, are cached for every text; answers only for repeated ones, because a cache of all answers slowed other
 * requests by garbage collection.
 */
import { RecentCache } from '../core/recent-cache.ts';
import type { Store } from '../store/store.ts';
import type { GeocodeOptions, Hit } from './geocode.ts';

/** Up to twice this many texts are cached per kind of search. */
const half = 512;
/** Longer lists are large and seldom requested. */
const maxHits = 20;

type Options = Omit<GeocodeOptions, 'fuzzy'> & { fuzzy?: boolean };
type Find<O extends Options> = (store: Store, text: string, options: O) => Hit[];

/** The cached hits of a text. */
export type Remembered = {
  readonly hits: readonly Hit[];
  /** Whether the last request found it in the cache. */
  isRepeated: boolean;
  /** The endpoint's answer, where it depends on nothing but the hits; opaque here. */
  answer: object | undefined;
};

/** Keyed by manifest, which changes when another version of street-level data is served. */
const remembered = new WeakMap<Store['manifest'], Map<unknown, RecentCache<string, Remembered>>>();

/** The hits of `find` for a text, cached. */
export function rememberedHits<O extends Options>(find: Find<O>, store: Store, text: string, options: O): Remembered {
  const { manifest } = store;
  let caches = remembered.get(manifest);
  if (caches === undefined) remembered.set(manifest, (caches = new Map()));
  let cache = caches.get(find);
  if (cache === undefined) caches.set(find, (cache = new RecentCache(half)));
  const key = keyOf(text, options);
  const known = cache.get(key);
  if (known !== undefined) {
    known.isRepeated = true;
    return known;
  }
  const made: Remembered = { hits: find(store, text, options), isRepeated: false, answer: undefined };
  if (made.hits.length <= maxHits && !store.isPartial) cache.set(key, made);
  return made;
}

/** The cache key. The text comes last because it may contain any character. */
function keyOf(text: string, { country, near, type, bbox, layers, otherLayers, fuzzy, limit }: Options): string {
  const where = near === undefined ? '' : `${near.lat},${near.lng}`;
  const kinds = `${namesOf(layers)};${otherLayers === undefined ? '' : namesOf(otherLayers)}`;
  return `${limit};${fuzzy};${country};${type};${where};${bbox};${kinds};${text}`;
}

const names = new WeakMap<ReadonlySet<string>, string>();

/** The names of a set, cached: most requests use one of few sets. */
function namesOf(set: ReadonlySet<string>): string {
  let text = names.get(set);
  if (text === undefined) names.set(set, (text = [...set].join()));
  return text;
}
