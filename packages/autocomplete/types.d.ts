/** What TypeScript knows of the element and its events, wherever the package is imported. */
import type { WhereaboutsAutocomplete } from './dist/element.js';
import type { Suggestion, SuggestionError } from './dist/suggestions.js';

export { WhereaboutsAutocomplete } from './dist/index.js';
export type { Suggestion, SuggestionError };

declare global {
  interface HTMLElementTagNameMap {
    'whereabouts-autocomplete': WhereaboutsAutocomplete;
  }
  interface HTMLElementEventMap {
    'whereabouts-found': CustomEvent<Suggestion[]>;
    'whereabouts-select': CustomEvent<Suggestion>;
    'whereabouts-clear': CustomEvent<null>;
    'whereabouts-error': CustomEvent<SuggestionError>;
  }
}
