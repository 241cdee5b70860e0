/** The category of an OpenStreetMap object, by the table of poi-tags.ts. */
import type { PoiCategory } from '../../core/poi-category.ts';
import { conditions, onlyNamed, poiTags } from './poi-tags.ts';

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

/** The category of an object's tags; `undefined` when it is not a point of interest. A list `a;b` counts as its first. */
export function poiCategory(tags: Record<string, string>): PoiCategory | undefined {
  for (const key of poiKeys) {
    const value = firstOf(tags[key]);
    if (value === undefined || nothing.has(value)) continue;
    const tag = `${key}=${value}`;
    const category = categories.get(tag) ?? categories.get(`${key}=*`);
    if (category !== undefined && counts(tag, tags)) return category;
  }
  return undefined;
}

/** Name of a point of interest, or in its place the brand. */
export const poiName = (tags: Record<string, string>): string | undefined => tags.name ?? tags.brand;

function counts(tag: string, tags: Record<string, string>): boolean {
  if (namedTags.has(tag) && poiName(tags) === undefined) return false;
  return (conditionsOf.get(tag) ?? []).every((condition) => {
    const value = firstOf(tags[condition.key]);
    const values = ('only' in condition ? condition.only : condition.not).split(' ');
    return (value !== undefined && values.includes(value)) === 'only' in condition;
  });
}

const firstOf = (value: string | undefined) => value?.split(';', 1)[0].trim();
