/** What lies on the map besides the answer: the drawer with the request, the switches of layers, and where the data end. */
import { ask } from '../ask.js';
import { element, find } from '../element.js';

const drawer = find('#drawer');
const toggle = find('#drawer-toggle');
const isWide = () => matchMedia('(width >= 48rem)').matches;

export const isDrawerOpen = () => !drawer.hidden;

/** Opens or closes the drawer with the request behind the picture. */
export function setDrawer(isOpen) {
  drawer.hidden = !isOpen;
  toggle.setAttribute('aria-expanded', String(isOpen));
}

/** Opens the drawer beside the map where there is room for both. */
export const openDrawerBeside = () => setDrawer(isWide());

function closeDrawer() {
  setDrawer(false);
  toggle.focus();
}
toggle.addEventListener('click', () => setDrawer(drawer.hidden));
find('#drawer-close').addEventListener('click', closeDrawer);
drawer.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') closeDrawer();
});

/** How much of the map is covered, pixels from each side: what is found shall lie in the rest. */
export function coveredBy() {
  const edge = 60;
  const answer = find('.answer').getBoundingClientRect();
  if (!isWide()) return { top: 130, right: 40, bottom: answer.height + 50, left: 40 };
  return { top: edge, right: edge + drawer.offsetWidth, bottom: edge, left: edge + answer.right };
}

const layers = [
  ['places', 'Places'],
  ['features', 'Waters and landmarks'],
  ['streets', 'Streets'],
  ['addresses', 'Addresses'],
  ['points', 'Points'],
  ['borders', 'Borders'],
  ['zones', 'Time zones'],
];

/** Makes the switches; `show(layer, isShown)` is called for each change. */
export function startLayers(show) {
  const switches = find('#layers fieldset');
  for (const [name, label] of layers) {
    const input = element('input', { type: 'checkbox', name, checked: name !== 'zones' });
    input.addEventListener('change', () => show(name, input.checked));
    switches.append(element('label', { className: 'inline' }, input, label));
  }
}

const hint = find('#map-hint');
let emptyAt = '';

/** Says that the data end at a position, and how to add some; without one that they do not. */
export async function sayEmpty(position) {
  const at = position ? `${Math.round(position.lat * 4)} ${Math.round(position.lng * 4)}` : '';
  if (at === emptyAt) return;
  emptyAt = at;
  hint.replaceChildren();
  if (!position) return;
  const { ok, body } = await ask(`/v1/reverse?${new URLSearchParams({ lat: position.lat, lng: position.lng })}`);
  const [nearest] = (ok && body.results) || [];
  if (at !== emptyAt || !nearest) return;
  const command = element('code', {}, `whereabouts build --region ${nearest.country}`);
  hint.replaceChildren(`No streets here in this dataset. Add ${nearest.country_name} with `, command);
}
