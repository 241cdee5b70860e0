/** The records of an answer as a list, each with the number of its pin on the map. */
import { element, find } from '../element.js';

const list = find('#results');

/** Further records are in the JSON only. */
const maxShown = 100;

/** What stands below a record's name. */
function detailOf(record) {
  const {
    hierarchy,
    admin1,
    admin2,
    country,
    country_name: countryName,
    postal_code: code,
    name,
    city,
    street,
  } = record;
  if (Array.isArray(hierarchy) && hierarchy.length > 0) {
    const names = hierarchy.map((area) => area.name);
    // A city and its county often have the same name.
    return names.filter((text, at) => text !== names[at - 1]).join(' › ');
  }
  const areas = [name === city || !street ? undefined : city, admin2, admin1, countryName ?? country];
  return [code, ...areas].filter((text, at, all) => text && text !== name && all.indexOf(text) === at).join(', ');
}

/** A few words at the end of a record's line: what it is, and how far. */
function factsOf({ layer, type, category, match_type: match, distance_km: km, confidence, highway_type: highway }) {
  const what = match ?? type ?? category ?? highway ?? (layer === 'place' ? undefined : layer);
  const distance = typeof km === 'number' ? (km < 1 ? `${Math.round(km * 1000)} m` : `${km.toFixed(1)} km`) : undefined;
  return [what?.replaceAll('_', ' '), distance, confidence === undefined ? undefined : `${confidence}%`]
    .filter(Boolean)
    .join(' · ');
}

/**
 * Shows `found`, `{record, label, number}` each. `onChoose(index)` is called when one is clicked, `onPoint(index)` when
 * the pointer or the focus is on one, and with undefined when it leaves.
 */
export function showResults(found, { onChoose, onPoint }) {
  const items = found.slice(0, maxShown).map(({ record, label, number }, index) => {
    const button = element(
      'button',
      { type: 'button', className: 'result', 'data-index': String(index) },
      element(
        'span',
        { className: number === undefined ? 'pin none' : 'pin', 'aria-hidden': 'true' },
        `${number ?? '–'}`,
      ),
      element(
        'span',
        { className: 'what', dir: 'auto' },
        element('strong', {}, label || 'Unnamed'),
        element('span', { className: 'note' }, detailOf(record)),
      ),
      element('span', { className: 'note facts' }, factsOf(record)),
    );
    button.addEventListener('click', () => onChoose(index));
    for (const sign of ['pointerenter', 'focus']) button.addEventListener(sign, () => onPoint(index));
    for (const sign of ['pointerleave', 'blur']) button.addEventListener(sign, () => onPoint(undefined));
    return element('li', {}, button);
  });
  if (found.length > maxShown)
    items.push(element('li', { className: 'note' }, `${found.length - maxShown} more in the JSON`));
  list.replaceChildren(...items);
  list.scrollTop = 0;
}

/** Marks the record whose pin is meant, and shows it where it is out of sight. */
export function markResult(index, { isShown = false } = {}) {
  for (const button of list.querySelectorAll('.result')) {
    const isMeant = button.dataset.index === String(index);
    button.classList.toggle('meant', isMeant);
    if (isMeant) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
    if (isMeant && isShown) {
      const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
      if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - 8;
    }
  }
}

/** The list is moved through by arrow keys too. */
list.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !event.target.matches('.result')) return;
  const buttons = [...list.querySelectorAll('.result')];
  const next = buttons[buttons.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});
