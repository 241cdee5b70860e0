/** The search box of the portal's pages: suggestions as one types, in the visitor's language, with a key or without. */
import '/assets/autocomplete/index.js';
import { currentKey } from './key.js';
import { countryName, visitorLanguage } from './language.js';

/** A place as people of the visitor's language read it: name, city, region, country. */
const labelOf = ({ name, city, admin1, country }) =>
  [name, city, admin1, country && countryName(country)]
    .filter((text, at, all) => text && all.indexOf(text) === at)
    .join(', ');

/**
 * Starts the box in `form`. Calls `onFound(suggestions)` when some are shown, `onChoose(suggestion)` when one is chosen,
 * `onSearch(text)` for a text that is sent as it is, and `onError(error)`.
 */
export function startPlaceBox(form, { onFound = () => {}, onChoose, onSearch, onError }) {
  const box = form.querySelector('whereabouts-autocomplete');
  const lang = visitorLanguage();
  box.format = labelOf;
  if (lang) box.setAttribute('lang', lang);
  const useKey = () => {
    box.setAttribute('api-key', currentKey());
    box.setAttribute('base-url', currentKey() ? '/v1' : '/portal/v1');
  };
  addEventListener('keychange', useKey);
  useKey();
  box.addEventListener('whereabouts-found', ({ detail }) => onFound(detail));
  box.addEventListener('whereabouts-select', ({ detail }) => onChoose(detail));
  box.addEventListener('whereabouts-error', ({ detail }) => onError(detail));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = box.value.trim();
    // The list closes: what it suggested is not what was sent.
    box.value = text;
    if (text) onSearch(text);
  });
  return box;
}
