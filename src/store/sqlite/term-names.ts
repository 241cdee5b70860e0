/** Names of terms that are words of a name, or a whole one. */

/** The term of a name as a whole. */
export const wholeNameTerm = (name: string) => `=n${name}`;

/** Whether a term is a word that is kept with others: no number, no postal code. */
export const isPaired = (term: string): boolean => /^[a-z]/.test(term);
