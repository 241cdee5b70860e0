/**
 * The map of the explorer: a picture at once, and MapLibre in its place as soon as somebody is there to use it, that
 * is at the first movement, touch or key; the picture stays where WebGL is missing.
 */
import { element, find } from '../element.js';
import { loadCountries, loadPlaces } from './base-data.js';
import { boundsOf } from './drawing.js';
import { labelImage, withPictures } from './label-image.js';
import { palette } from './palette.js';
import { createPreview } from './preview.js';

/** Coordinates are kept to about 10 cm, as a click on a screen is not more exact. */
const digits = 6;
const rounded = ({ lat, lng }) => ({ lat: Number(lat.toFixed(digits)), lng: Number(lng.toFixed(digits)) });

/** The view that the address asks for, as MapLibre writes it: `#map=zoom/lat/lng`. */
function viewOf(hash) {
  const [zoom, lat, lng] = (/^#map=([\d.-]+)\/([\d.-]+)\/([\d.-]+)/.exec(hash) ?? []).slice(1).map(Number);
  return Number.isFinite(zoom + lat + lng) ? { zoom, lat, lng } : undefined;
}

/** Settles at the first sign of somebody, from when the page is there. */
const somebody = new Promise((resolve) => {
  const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown'];
  const stop = new AbortController();
  for (const sign of signs) {
    addEventListener(sign, () => resolve(stop.abort()), { passive: true, capture: true, signal: stop.signal });
  }
});

/** Makes the map in `container`. `onPlace({lat, lng})` is told of clicks. Gives `draw(features, {fit})` and `centre()`. */
export async function createMap(container, onPlace) {
  const place = (position) => onPlace(rounded(position));
  const given = viewOf(location.hash);
  const preview = await createPreview(container, given ?? { lat: 30, lng: 10, zoom: 1.3 }, place);
  let current = preview;
  let last = [[], { fit: false }];
  let isFitted = given === undefined;
  (async () => {
    await somebody;
    try {
      // Asked first: without it there is no need to load half a megabyte.
      if (!document.createElement('canvas').getContext('webgl2')) throw new Error('this browser has no WebGL 2');
      current = await start(container, preview.view(), place);
      current.draw(last[0], { fit: isFitted });
      preview.remove();
    } catch (error) {
      find('#map-hint').append(` The map is a plain picture (${error.message}).`);
    }
  })();
  return {
    draw(features, options) {
      last = [features, options];
      if (options.fit) isFitted = true;
      current.draw(features, options);
    },
    centre: () => rounded(current.centre()),
  };
}

async function start(container, { lat, lng, zoom }, onPlace) {
  document.head.append(element('link', { rel: 'stylesheet', href: '/assets/map/maplibre-gl.css' }));
  const [maplibre, { nameLayers, styleOf, unnamed }, countries, places] = await Promise.all([
    import('/assets/map/maplibre-gl.mjs'),
    import('./base-map.js'),
    loadCountries(50),
    loadPlaces('places'),
  ]);
  const style = () => styleOf({ ...countries, places }, palette());
  const frame = element('div', { className: 'live' });
  container.append(frame);
  const map = new maplibre.Map({
    container: frame,
    style: style(),
    center: [lng, lat],
    zoom,
    maxZoom: 18,
    hash: 'map',
    attributionControl: { compact: true },
    cooperativeGestures: matchMedia('(pointer: coarse)').matches,
  });
  map.addControl(new maplibre.NavigationControl({ showCompass: false }));
  map.addControl(new maplibre.ScaleControl({ maxWidth: 120 }));
  map.getCanvas().setAttribute('aria-label', 'Map: arrow keys move it, plus and minus zoom');
  map.setMissingStyleImageResolver((id) => {
    map.addImage(id, ...labelImage(id, palette()));
  });
  await map.once('load');
  frame.classList.add('ready');

  let drawn = [];
  const redraw = () => {
    map.getSource('drawn')?.setData({ type: 'FeatureCollection', features: withPictures(drawn) });
    for (const layer of nameLayers) map.setFilter(layer, unnamed(drawn.map(({ properties }) => properties.label)));
  };
  const recolour = () => {
    map.setStyle(style(), { diff: false });
    map.once('style.load', redraw);
  };
  addEventListener('themechange', recolour);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);

  map.on('click', (event) => {
    const [record] = map.queryRenderedFeatures(event.point, { layers: ['found'] });
    if (record) {
      const label = element('span', { dir: 'auto' }, record.properties.note || 'Unnamed');
      new maplibre.Popup({ maxWidth: '16rem' }).setLngLat(record.geometry.coordinates).setDOMContent(label).addTo(map);
    } else onPlace(event.lngLat.wrap());
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
      // A place alone is shown with what is around it.
      const maxZoom = features.length === 1 ? 11 : 15;
      map.fitBounds(bounds, { padding: 60, maxZoom, duration: calm ? 0 : 500 });
    },
    centre: () => map.getCenter().wrap(),
  };
}
