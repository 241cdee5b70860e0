/**
 * A cache of recent searches. The same few places are requested again and again, prefixes even more so. Hits, which are
 * numbers, are cached for every text; answers only for repeated ones, because a cache of all answers slowed other
 * requests by garbage collection.
 */
import { RecentCache } from '../core/recent-cache.ts';
import type { Store } from '../store/store.ts';
import { areStreetsLeftOut } from '../store/streets-unavailable.ts';
import type { GeocodeOptions, Hit } from './geocode.ts';
import { type Layer, layers } from './layers.ts';
import { packedHits, unpackedHits } from './packed-hits.ts';

/** Up to twice this many texts are cached per kind of search, short and long ones. */
const half = 512;
/**
 * Texts of at most this many characters are cached apart, so that longer ones do not replace them: suggestions begin with
 * them. Of the people in the 20,000 largest cities, 97 % live in one of 256 beginnings of two letters, 88 % in one of 1,024
 * of three.
 */
const shortText = 3;
/** Longer lists are large and seldom requested. */
const maxHits = 20;

type Options = Omit<GeocodeOptions, 'fuzzy'> & { fuzzy?: boolean };
type Find<O extends Options> = (store: Store, text: string, options: O) => Hit[];

/** The hits of a text. */
export type Remembered = {
  readonly hits: readonly Hit[];
  /** Whether the last request found it in the cache. */
  isRepeated: boolean;
  /** The endpoint's answer, where it depends on nothing but the hits; opaque here. */
  answer: object | undefined;
};

/** Most texts are requested once, so that their hits are packed until they are requested again. */
type Entry = Remembered | readonly number[];

/** Keyed by manifest, which changes when another version of street-level data is served. */
const remembered = new WeakMap<Store['manifest'], Map<unknown, Caches>>();
type Caches = { short: RecentCache<string, Entry>; long: RecentCache<string, Entry> };

/** The hits of `find` for a text, cached. */
export function rememberedHits<O extends Options>(find: Find<O>, store: Store, text: string, options: O): Remembered {
  const { manifest } = store;
  let caches = remembered.get(manifest);
  if (caches === undefined) remembered.set(manifest, (caches = new Map()));
  let ofFind = caches.get(find);
  if (ofFind === undefined) caches.set(find, (ofFind = { short: new RecentCache(half), long: new RecentCache(half) }));
  const cache = text.length <= shortText ? ofFind.short : ofFind.long;
  const key = keyOf(text, options);
  const known = cache.get(key);
  if (known === undefined) {
    const made: Remembered = { hits: find(store, text, options), isRepeated: false, answer: undefined };
    const isWhole = !store.isPartial && !areStreetsLeftOut();
    if (isWhole && made.hits.length <= maxHits) cache.set(key, packedHits(made.hits) ?? made);
    return made;
  }
  if ('hits' in known) {
    known.isRepeated = true;
    return known;
  }
  const repeated: Remembered = { hits: unpackedHits(known), isRepeated: true, answer: undefined };
  cache.set(key, repeated);
  return repeated;
}

/** The cache key. The text comes last because it may contain any character. */
function keyOf(
  text: string,
  { country, home, near, type, bbox, layers: wanted, otherLayers, fuzzy, limit }: Options,
): string {
  const where = near === undefined ? '' : `${near.lat},${near.lng}`;
  const kinds = `${numberOf(wanted)};${otherLayers === undefined ? '' : numberOf(otherLayers)}`;
  return `${limit};${fuzzy};${country ?? ''};${home ?? ''};${type ?? ''};${where};${bbox ?? ''};${kinds};${text}`;
}

const numbers = new WeakMap<ReadonlySet<Layer>, number>();

/** A number for the layers of a set, cached by set: most requests use one of few sets. */
function numberOf(set: ReadonlySet<Layer>): number {
  let number = numbers.get(set);
  if (number === undefined) {
    number = layers.reduce((sum, layer, at) => sum + (set.has(layer) ? 1 << at : 0), 0);
    numbers.set(set, number);
  }
  return number;
}
