/** Clauses as term queries: groups of alternatives, each of which must match. */
import { cellsAround } from '../../core/geo-cells.ts';
import type { PoiCategory } from '../../core/poi-category.ts';
import type { Clause } from '../street-parts.ts';
import { termHash } from './term-filter.ts';

/**
 * A query each of whose clauses must match one of the record's terms. Terms that a file does not have, as far as `mayHave`
 * knows, are left out: each costs a look-up. Undefined if none is left of a clause.
 */
export function matchAll(clauses: readonly Clause[], mayHave: (hash: number) => boolean): string | undefined {
  const groups: string[] = [];
  for (const { terms, hashes } of alternativesOf(clauses)) {
    const kept = hashes === undefined ? terms : terms.filter((_, at) => mayHave(hashes[at]));
    if (kept.length === 0) return undefined;
    groups.push(kept.length === 1 ? kept[0] : `(${kept.join(' OR ')})`);
  }
  return groups.join(' AND ');
}

/** A query that any of these terms matches. */
export const matchAny = (terms: readonly string[]) => terms.map(quoted).join(' OR ');

/** The terms of a clause, of which a record must have at least one. */
export function termsOfClause(clause: Clause): readonly string[] {
  if ('country' in clause) return [countryTerm(clause.country)];
  if ('wholeName' in clause) return clause.wholeName.map(wholeNameTerm);
  if ('postalCodes' in clause) return clause.postalCodes.map(postcodeTerm);
  if ('around' in clause) return clause.around.flatMap((center) => cellsAround(center, clause.km));
  if ('category' in clause) return [categoryTerm(clause.category)];
  if ('cuisines' in clause) return clause.cuisines.map(cuisineTerm);
  return clause;
}

/**
 * Whether all clauses may match in a file, as far as `mayHave` knows its terms. Circles and countries are ignored: a
 * file's bounds exclude more of them.
 */
export function mayMatch(clauses: readonly Clause[], mayHave: (hash: number) => boolean): boolean {
  return alternativesOf(clauses).every(({ hashes }) => hashes === undefined || hashes.some(mayHave));
}

/** The quoted terms of a clause; their hashes, unless it is one that filters of terms leave out. */
type Alternatives = { terms: readonly string[]; hashes: readonly number[] | undefined };

// Many parts are asked the same, one after the other.
let latest: { clauses: readonly Clause[]; alternatives: Alternatives[] } = { clauses: [], alternatives: [] };

function alternativesOf(clauses: readonly Clause[]): Alternatives[] {
  if (latest.clauses !== clauses) {
    const alternatives = clauses.map((clause) => {
      const terms = termsOfClause(clause);
      const isFiltered = !('around' in clause || 'country' in clause);
      return { terms: terms.map(quoted), hashes: isFiltered ? terms.map(termHash) : undefined };
    });
    latest = { clauses, alternatives };
  }
  return latest.alternatives;
}

/** Whether a term is that of a cell, or one of a country that looks like it. */
export const isCellTerm = (term: string): boolean => /^=[a-d]/.test(term);

// Terms hold only letters, digits and a leading "=", so nothing in them needs escaping.
const quoted = (term: string) => `"${term}"`;

/** The term of a country. */
export const countryTerm = (country: string) => `=c${country.toLowerCase()}`;
/** The term of a name as a whole. */
export const wholeNameTerm = (name: string) => `=n${name}`;
/** The term of a whole postal code, in small letters and digits. */
export const postcodeTerm = (code: string) => `=p${code}`;
/** The term of a category of points. */
export const categoryTerm = (category: PoiCategory) => `=g${category}`;
/** The term of a kind of food. */
export const cuisineTerm = (cuisine: string) => `=k${cuisine}`;
