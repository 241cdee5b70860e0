import type { PoiCategory } from '../../core/poi-category.ts';
import { fold } from '../../text/fold.ts';

/** The term of a category. */
export const kindTerm = (category: PoiCategory) => `=g${category}`;

/** The terms of a list of cuisines, `pizza;italian`: one for each, as letters and digits. */
export function cuisineTerms(cuisine: string): string[] {
  return cuisine
    .split(/[;,]/)
    .map((kind) => fold(kind).replace(/[^a-z0-9]/g, ''))
    .filter((kind) => kind !== '')
    .map((kind) => `=k${kind}`);
}
