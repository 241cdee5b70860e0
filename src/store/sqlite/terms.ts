/** Term queries: groups of alternatives, of which each group must be met. */
import type { Word } from '../../text/words.ts';

/** A query of which every group must have one of its terms in the record. */
export function matchAll(groups: readonly Word[]): string {
  return groups
    .map((group) => (group.length === 1 ? quoted(group[0]) : `(${group.map(quoted).join(' OR ')})`))
    .join(' AND ');
}

// Terms hold only letters, digits and a leading "=", so nothing in them needs escaping.
const quoted = (term: string) => `"${term}"`;

/** The term of a country. */
export const countryTerm = (country: string) => `=c${country.toLowerCase()}`;
