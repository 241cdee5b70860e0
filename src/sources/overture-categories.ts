/**
 * Which of the service's categories an Overture place is of. Since December 2025 a place carries its path in Overture's
 * taxonomy (about 2,350 categories under 13 roots, docs.overturemaps.org/guides/places); the nearest entry of this
 * table above it decides. Releases before carry only a flat name (`categories.primary`, gone in September 2026).
 */
import type { PoiCategory } from '../core/poi-category.ts';
import table from './overture-categories.json' with { type: 'json' };

type Entry = PoiCategory | 'none';
/** Entries of the taxonomy. `none` takes a branch out of the category above it. */
const byBranch = entriesOf(table.taxonomy);
/** Flat names of older releases for which the last word is not enough, or misleading. */
const byOlderName = entriesOf(table.olderNames);
/** Older names are built as `kind_family`, so that the last word decides for most. */
const byLastWord = entriesOf(table.lastWords);

function entriesOf(table: Partial<Record<Entry, string>>): Map<string, Entry> {
  const rows = Object.entries(table) as [Entry, string][];
  return new Map(rows.flatMap(([category, names]) => names.split(' ').map((name) => [name, category] as const)));
}

/**
 * The category of a path in Overture's taxonomy, from the most general entry to the most specific; `undefined` when it
 * is none of the 11.
 */
export function overtureCategory(path: readonly string[]): PoiCategory | undefined {
  for (const entry of path.toReversed()) {
    const category = byBranch.get(entry);
    if (category !== undefined) return category === 'none' ? undefined : category;
  }
  return undefined;
}

/** The category of a flat name (`categories.primary`) of a release up to August 2026. */
export function olderOvertureCategory(name: string): PoiCategory | undefined {
  const category = byOlderName.get(name) ?? byLastWord.get(name.slice(name.lastIndexOf('_') + 1));
  return category === 'none' ? undefined : category;
}

/** What a restaurant serves, from its category: `pizza` of `pizza_restaurant`. */
export function overtureCuisine(name: string): string | undefined {
  const cuisine = /^(.+)_restaurant$/.exec(name)?.[1];
  return cuisine === 'fast_food' ? undefined : cuisine;
}
