/** The handle on a circle, to drag its radius; by keyboard too. */
import { element } from '../element.js';
import { destination, kmBetween } from './drawing.js';

const east = 90;
const steps = { ArrowUp: 1.1, ArrowRight: 1.1, ArrowDown: 1 / 1.1, ArrowLeft: 1 / 1.1, PageUp: 2, PageDown: 0.5 };

/** A radius as people write it: two or three digits. */
const tidy = (km) => Number(km.toPrecision(km < 1 ? 2 : 3));

/** Makes the handle of a map. `onRadius(km, {isDone})` is called for each change. Returns `show(area)`, without one it is hidden. */
export function radiusHandle(maplibre, map, onRadius) {
  const grip = element('div', { className: 'grip', role: 'slider', tabIndex: 0, 'aria-label': 'Radius in km' });
  const marker = new maplibre.Marker({ element: grip, draggable: true });
  let area;
  let isDragged = false;
  const change = (km, isDone) => {
    area.km = tidy(Math.min(area.most, Math.max(0.05, km)));
    onRadius(area.km, { isDone });
  };
  marker.on('dragstart', () => {
    isDragged = true;
  });
  marker.on('drag', () => change(kmBetween(area, marker.getLngLat()), false));
  marker.on('dragend', () => {
    isDragged = false;
    change(kmBetween(area, marker.getLngLat()), true);
  });
  grip.addEventListener('keydown', (event) => {
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    change(area.km * by, true);
  });
  return {
    show(next) {
      if (!next) {
        marker.remove();
        area = undefined;
        return;
      }
      const isNew = area === undefined;
      area = { ...next };
      grip.setAttribute('aria-valuenow', String(area.km));
      grip.setAttribute('aria-valuemin', '0.05');
      grip.setAttribute('aria-valuemax', String(area.most));
      grip.setAttribute('aria-valuetext', `${area.km} km`);
      if (!isDragged) marker.setLngLat(destination(area, area.km, east));
      if (isNew) marker.addTo(map);
    },
  };
}
