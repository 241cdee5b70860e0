/** Defines `<whereabouts-autocomplete>` where the page has not defined it already. */
import { WhereaboutsAutocomplete } from './element.js';

export { WhereaboutsAutocomplete };

if (!customElements.get('whereabouts-autocomplete')) {
  customElements.define('whereabouts-autocomplete', WhereaboutsAutocomplete);
}
