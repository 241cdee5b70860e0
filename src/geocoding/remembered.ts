/**
 * What texts that were asked for lately mean. People ask for the same few places again and again, and beginnings of names
 * even more so. Kept are hits, which are numbers, of every text, and answers only of what is asked for again: a cache of
 * all answers made other requests slower by its garbage.
 */
import { RecentCache } from '../core/recent-cache.ts';
import type { Store } from '../store/store.ts';
import type { GeocodeOptions, Hit } from './geocode.ts';

/** Twice so many texts are kept of each way to look for one. */
const half = 512;
/** Longer lists are seldom asked for, and large. */
const maxHits = 20;

type Options = Omit<GeocodeOptions, 'fuzzy'> & { fuzzy?: boolean };
type Find<O extends Options> = (store: Store, text: string, options: O) => Hit[];

/** What a text means, as long as it is remembered. */
export type Remembered = {
  readonly hits: readonly Hit[];
  /** Whether it was remembered when it was asked for the last time. */
  isAgain: boolean;
  /** What the endpoint made of the hits, where that depends on nothing else; its own business. */
  answer: object | undefined;
};

/** By manifest, which is another one as soon as street-level data of another version are served. */
const remembered = new WeakMap<Store['manifest'], Map<unknown, RecentCache<string, Remembered>>>();

/** What `find` finds for a text, or found lately. */
export function rememberedHits<O extends Options>(find: Find<O>, store: Store, text: string, options: O): Remembered {
  const { manifest } = store;
  let caches = remembered.get(manifest);
  if (caches === undefined) remembered.set(manifest, (caches = new Map()));
  let cache = caches.get(find);
  if (cache === undefined) caches.set(find, (cache = new RecentCache(half)));
  const key = keyOf(text, options);
  const known = cache.get(key);
  if (known !== undefined) {
    known.isAgain = true;
    return known;
  }
  const made: Remembered = { hits: find(store, text, options), isAgain: false, answer: undefined };
  if (made.hits.length <= maxHits && !store.isPartial) cache.set(key, made);
  return made;
}

/** Equal for equal questions. The text stands last, as it may hold any character. */
function keyOf(text: string, { country, near, type, bbox, layers, otherLayers, fuzzy, limit }: Options): string {
  const where = near === undefined ? '' : `${near.lat},${near.lng}`;
  const kinds = `${namesOf(layers)};${otherLayers === undefined ? '' : namesOf(otherLayers)}`;
  return `${limit};${fuzzy};${country};${type};${where};${bbox};${kinds};${text}`;
}

const names = new WeakMap<ReadonlySet<string>, string>();

/** The names of a set, put together once: most requests bring one of few sets. */
function namesOf(set: ReadonlySet<string>): string {
  let text = names.get(set);
  if (text === undefined) names.set(set, (text = [...set].join()));
  return text;
}
