/** The map of the explorer. MapLibre is loaded by this module alone, and only once the page is there. */
import { element, find } from '../element.js';
import { loadBase, palette, styleOf } from './base-map.js';
import { boundsOf } from './drawing.js';

/** Coordinates are kept to about 10 cm, as a click on a screen is not more exact. */
const digits = 6;

/**
 * Makes the map in `container`. `onPlace({lat, lng})` is told of clicks. Gives `draw(features, {fit})` and
 * `centre()`; where WebGL is missing both still work, without a picture.
 */
export async function createMap(container, onPlace) {
  const note = find('#map-note', container);
  try {
    // Asked first: without it there is no need to load half a megabyte.
    if (!document.createElement('canvas').getContext('webgl2')) throw new Error('this browser has no WebGL 2');
    document.head.append(element('link', { rel: 'stylesheet', href: '/assets/map/maplibre-gl.css' }));
    const [maplibre, base] = await Promise.all([import('/assets/map/maplibre-gl.mjs'), loadBase()]);
    return await start(maplibre, base, container, note, onPlace);
  } catch (error) {
    note.textContent = `The map cannot be shown (${error.message}). Everything else works without it.`;
    note.hidden = false;
    return { draw() {}, centre: () => undefined };
  }
}

async function start(maplibre, base, container, note, onPlace) {
  const map = new maplibre.Map({
    container,
    style: styleOf(base, palette()),
    center: [10, 30],
    zoom: 1.3,
    maxZoom: 18,
    hash: 'map',
    attributionControl: { compact: true },
    cooperativeGestures: matchMedia('(pointer: coarse)').matches,
  });
  map.addControl(new maplibre.NavigationControl({ showCompass: false }));
  map.addControl(new maplibre.ScaleControl({ maxWidth: 120 }));
  map.getCanvas().setAttribute('aria-label', 'Map: arrow keys move it, plus and minus zoom');
  await map.once('load');
  note.hidden = true;

  let drawn = [];
  const redraw = () => map.getSource('drawn')?.setData({ type: 'FeatureCollection', features: drawn });
  const recolour = () => {
    map.setStyle(styleOf(base, palette()));
    map.once('styledata', redraw);
  };
  addEventListener('themechange', recolour);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);

  map.on('click', (event) => {
    const [record] = map.queryRenderedFeatures(event.point, { layers: ['found'] });
    if (record) {
      new maplibre.Popup({ maxWidth: '16rem' })
        .setLngLat(record.geometry.coordinates)
        .setText(record.properties.label || 'Unnamed')
        .addTo(map);
      return;
    }
    const { lat, lng } = event.lngLat.wrap();
    onPlace(rounded(lat, lng));
  });
  map.on('mousemove', ({ point }) => {
    const isOver = map.queryRenderedFeatures(point, { layers: ['found'] }).length > 0;
    map.getCanvas().style.cursor = isOver ? 'pointer' : 'crosshair';
  });
  new ResizeObserver(() => map.resize()).observe(container);

  return {
    draw(features, { fit }) {
      drawn = features;
      redraw();
      const bounds = fit && boundsOf(features);
      if (!bounds) return;
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      map.fitBounds(bounds, { padding: 60, maxZoom: 11, duration: calm ? 0 : 500 });
    },
    centre() {
      const { lat, lng } = map.getCenter().wrap();
      return rounded(lat, lng);
    },
  };
}

const rounded = (lat, lng) => ({ lat: Number(lat.toFixed(digits)), lng: Number(lng.toFixed(digits)) });
