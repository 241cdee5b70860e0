/** What is at a position: the nearest house where the data have it, places and areas around, time, sun and postal code. */
import { ask } from '../ask.js';
import { element } from '../element.js';
import { visitorLanguage } from '../language.js';
import { fields } from './popup.js';

/** A house further away than this is not where somebody clicked, km. */
const maxHouseKm = 0.1;

/** The popup for `position`, filled as the answers arrive; `body` is what `/reverse` answered. */
export function herePopup(position, body) {
  const [nearest] = body?.results ?? [];
  const popup = element('div', { className: 'popup' });
  const told = {};
  const show = () => {
    const { house, zone, sun } = told;
    const rows = [
      ...(house ? [['address', house]] : []),
      ...(nearest?.hierarchy ?? []).toReversed().map(({ layer, name }) => [layer, name]),
      ...(nearest?.postal_code ? [['postal code', nearest.postal_code]] : []),
      ...(zone ? [['local time', `${zone.local_time.slice(11, 16)}, UTC${zone.utc_offset}`]] : []),
      ...(nearest?.timezone ? [['time zone', nearest.timezone]] : []),
      ...(sun?.sunrise ? [['sun', `${sun.sunrise.slice(0, 5)} to ${sun.sunset.slice(0, 5)}`]] : []),
      ['position', `${position.lat}, ${position.lng}`],
    ];
    popup.replaceChildren(element('strong', {}, 'What is here'), fields(rows));
  };
  const add = async (name, path, read) => {
    const answer = await ask(path);
    const value = answer.ok ? read(answer.body) : undefined;
    if (!value) return;
    told[name] = value;
    show();
  };
  const query = new URLSearchParams({ lat: position.lat, lng: position.lng });
  const lang = visitorLanguage();
  show();
  add('zone', `/v1/timezone?${query}`, (zone) => zone);
  add('sun', `/v1/sun?${query}`, (sun) => sun);
  if (lang) query.set('lang', lang);
  add('house', `/v1/reverse?${query}&layers=address`, ({ results: [house] }) =>
    house && house.distance_km <= maxHouseKm ? `${house.street} ${house.house_number}` : undefined,
  );
  return popup;
}
