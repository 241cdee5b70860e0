/** The category of an OpenStreetMap object, by the table of poi-tags.json. */
import type { PoiCategory } from '../../core/place-kinds.ts';

import table from './poi-tags.json' with { type: 'json' };

/** A tag that counts only with certain values of another key: with one of `only`, or with none of `not`. */
type Condition = { tag: string; key: string; only?: string; not?: string };

/**
 * In order of precedence: the first key of an object with a category decides. `*` is every other value of a key.
 * docs/poi-categories.md describes the table.
 */
export const poiTags: readonly ({ key: string } & Partial<Record<PoiCategory, string>>)[] = table.tags;
export const conditions: readonly Condition[] = table.conditions;
/**
 * Tags that count only with a name: each bus stop is mapped once more as a platform, and most gardens, pools, fountains
 * and ruins without a name are not a place that anybody looks for.
 */
export const onlyNamed: readonly string[] = table.onlyNamed;

/** Values that say that nothing is there (any more). */
const nothing = new Set(['', 'no', 'none', 'vacant', 'disused', 'abandoned', 'closed']);

const categories = new Map<string, PoiCategory>();
for (const { key, ...row } of poiTags) {
  for (const [category, values] of Object.entries(row)) {
    for (const value of values.split(' ')) categories.set(`${key}=${value}`, category as PoiCategory);
  }
}
const conditionsOf = Map.groupBy(conditions, ({ tag }) => tag);
const namedTags = new Set(onlyNamed);

/** The keys of the table. */
export const poiKeys: readonly string[] = poiTags.map((row) => row.key);

/** Further keys that decide whether a tag of the table counts. */
export const conditionKeys: readonly string[] = [...new Set(conditions.map(({ key }) => key))];

/** The category of an object's tags; `undefined` when it is not a point of interest. */
export const poiCategory = (tags: Record<string, string>): PoiCategory | undefined => poiKind(tags)?.category;

/** The category of an object and the tag that decides it. A list `a;b` counts as its first. */
export function poiKind(tags: Record<string, string>): { category: PoiCategory; tag: string } | undefined {
  for (const key of poiKeys) {
    const value = firstOf(tags[key]);
    if (value === undefined || nothing.has(value)) continue;
    const tag = `${key}=${value}`;
    const category = categories.get(tag) ?? categories.get(`${key}=*`);
    if (category !== undefined && counts(tag, tags)) return { category, tag };
  }
  return undefined;
}

/** Name of a point of interest, or in its place the brand. */
export const poiName = (tags: Record<string, string>): string | undefined => tags.name ?? tags.brand;

function counts(tag: string, tags: Record<string, string>): boolean {
  if (namedTags.has(tag) && poiName(tags) === undefined) return false;
  return (conditionsOf.get(tag) ?? []).every((condition) => {
    const value = firstOf(tags[condition.key]);
    const { only, not = '' } = condition;
    const values = (only ?? not).split(' ');
    return (value !== undefined && values.includes(value)) === (only !== undefined);
  });
}

const firstOf = (value: string | undefined) => value?.split(';', 1)[0].trim();
