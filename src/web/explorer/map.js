/**
 * The map of the explorer: a picture at once, and replaced by MapLibre at the first movement, touch or key; the picture
 * stays where WebGL is missing.
 */
import { ask } from '../ask.js';
import { element } from '../element.js';
import { currentKey } from '../key.js';
import { visitorLanguage } from '../language.js';
import { loadCountries, loadPlaces } from './base-data.js';
import { boundsOf } from './drawing.js';
import { dotImage, labelImage, withPictures } from './label-image.js';
import { palette } from './palette.js';
import { createPreview, previewMaxZoom } from './preview.js';

/** Coordinates are kept to about 10 cm, as a click on a screen is not more exact. */
const digits = 6;
const rounded = ({ lat, lng }) => ({ lat: Number(lat.toFixed(digits)), lng: Number(lng.toFixed(digits)) });

/** The view that the address asks for, as MapLibre writes it: `#map=zoom/lat/lng`. */
function viewOf(hash) {
  const [zoom, lat, lng] = (/^#map=([\d.-]+)\/([\d.-]+)\/([\d.-]+)/.exec(hash) ?? []).slice(1).map(Number);
  return Number.isFinite(zoom + lat + lng) ? { zoom, lat, lng } : undefined;
}

let startLive;
/** Settles at the first interaction after the page has loaded, or when `startLive` is called. */
const somebody = new Promise((resolve) => {
  startLive = resolve;
  const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown'];
  const stop = new AbortController();
  for (const sign of signs) {
    addEventListener(sign, () => resolve(stop.abort()), { passive: true, capture: true, signal: stop.signal });
  }
});

/**
 * Makes the map in `container`. It reports clicks by `onPlace({lat, lng})`, pins by `onPin(index)` and
 * `onPoint(index)` (undefined when the pointer leaves), a dragged radius by `onRadius(km, {isDone})`, by `onEmpty(position)`
 * that there are no streets where there should be some (undefined: there are), and faults by `onNote(text)`. `padding()` says
 * what is covered of it, pixels. With `isPage` it keeps its view in the address. Returns `draw(features, {fit})`, `centre()`, `near()`, `mean(index)`, which marks a pin,
 * `popup(position, content)` and `show(layer, isShown)`.
 */
export async function createMap(container, { onPlace, onNote = () => {}, isPage = false, ...more }) {
  const ignore = () => {};
  const handlers = {
    onPin: ignore,
    onPoint: ignore,
    onRadius: ignore,
    onEmpty: ignore,
    padding: () => even,
    ...more,
    isPage,
    onNote,
  };
  handlers.onPlace = (position) => onPlace(rounded(position));
  const initialView = isPage ? viewOf(location.hash) : undefined;
  const preview = await createPreview(container, initialView ?? { lat: 30, lng: 10, zoom: 1.3 }, handlers.onPlace);
  // The picture is too coarse for a link to somewhere near.
  if (initialView?.zoom > previewMaxZoom) startLive();
  let current = preview;
  let last = [[], { fit: false }];
  let opened;
  const hidden = new Set(['zones']);
  let isFitted = initialView === undefined;
  (async () => {
    await somebody;
    try {
      // Checked first: without it there is no need to load half a megabyte.
      if (!document.createElement('canvas').getContext('webgl2')) throw new Error('this browser has no WebGL 2');
      let shown;
      const firstCamera = () => isFitted && cameraOf((shown = last[0]), handlers);
      current = await start(container, preview.view(), { ...handlers, firstCamera });
      for (const layer of hidden) current.show(layer, false);
      current.draw(last[0], { fit: isFitted && last[0] !== shown });
      if (opened) current.popup(...opened);
      preview.remove();
    } catch (error) {
      onNote(`The map is a plain picture (${error.message}).`);
    }
  })();
  return {
    draw(features, options) {
      last = [features, options];
      opened = undefined;
      if (options.fit) isFitted = true;
      // The picture has no streets: a house on it would lie somewhere off the coast.
      if (features.some(({ properties }) => properties.isHouse)) startLive();
      current.draw(features, options);
    },
    centre: () => rounded(current.centre()),
    /** The centre of a map of one town or region, undefined for one of more. */
    near: () => current.near?.(),
    mean: (index) => current.mean?.(index),
    popup(position, content) {
      opened = [position, content];
      current.popup?.(position, content);
    },
    show(layer, isShown) {
      hidden[isShown ? 'delete' : 'add'](layer);
      current.show?.(layer, isShown);
    },
  };
}

/** From this zoom on a town has streets on a map; from that one a search prefers what is on it. */
const streetsExpectedFrom = 12;
const nearFrom = 8;
/** A map narrower than this is covered above and below; room for a popup on it, pixels. */
const narrow = 768;
const popupHeight = 240;

const even = { top: 60, right: 60, bottom: 60, left: 60 };

const tiled = ['boundaries', 'areas', 'features', 'zones', 'places', 'streets', 'addresses', 'pois'];
/** Those with names in languages. */
const named = ['areas', 'features', 'places'];

/** What the map is made of: what the operator has configured; our own tiles where the dataset has them; else what needs none. */
async function loadBase(configuration, library, onNote) {
  if (configuration.style || configuration.archive) {
    try {
      const { loadConfigured } = await import('./configured-map.js');
      return { configured: await loadConfigured(configuration, await library) };
    } catch (error) {
      onNote(`The configured map is not shown (${error.message}).`);
    }
  }
  const lang = visitorLanguage();
  const described = await Promise.all(
    tiled.map((name) => ask(`/tiles/${name}.json${named.includes(name) && lang ? `?lang=${lang}` : ''}`)),
  );
  const tiles = Object.fromEntries(
    described.flatMap(({ ok, body }) => {
      if (!ok) return [];
      const { name, tiles: addresses, minzoom, maxzoom, attribution } = body;
      return [[name, { type: 'vector', tiles: addresses, minzoom, maxzoom, attribution }]];
    }),
  );
  if (tiles.boundaries && tiles.places) return { tiles };
  const [countries, places] = await Promise.all([loadCountries(50), loadPlaces('places')]);
  return { ...countries, places };
}

/** What is seen of features, and how close; undefined where there are none. */
function cameraOf(features, { padding }) {
  // A place alone is shown with what is around it, a house with its street.
  const isHouse = features.some(({ properties }) => properties.isHouse);
  const maxZoom = isHouse ? 17 : features.length === 1 ? 11 : 16;
  const bounds = boundsOf(features);
  return bounds && { bounds, fitBoundsOptions: { padding: padding(), maxZoom } };
}

async function start(container, { lat, lng, zoom }, handlers) {
  const { firstCamera, onPlace, onPin, onPoint, onRadius, onEmpty, onNote, padding, isPage } = handlers;
  document.head.append(element('link', { rel: 'stylesheet', href: '/assets/map/maplibre-gl.css' }));
  const library = import('/assets/map/maplibre-gl.mjs');
  const load = () => loadBase(JSON.parse(container.dataset.configured || '{}'), library, onNote);
  const [maplibre, { layerGroups, nameLayers, styleOf, unnamed }, { radiusHandle }, loaded] = await Promise.all([
    library,
    import('./base-map.js'),
    import('./radius-handle.js'),
    load(),
  ]);
  let base = loaded;
  const hidden = new Set(['zones']);
  const style = () => styleOf(base, palette(), hidden);
  // Countries without tiles are right to some kilometres.
  const maxZoom = () => (base.land ? 6 : 19);
  let drawn = [];
  /** An external style may lack pictures too. */
  const isNameOfOurs = (id) => drawn.some(({ properties }) => properties.label === id);
  const frame = element('div', { className: 'live' });
  container.append(frame);
  const map = new maplibre.Map({
    container: frame,
    style: style(),
    center: [lng, lat],
    zoom,
    // At once where it will be, without the tiles on the way there.
    ...firstCamera(),
    maxZoom: maxZoom(),
    // Tiles that are cut into closer ones would have a shore along each cut.
    zoomLevelsToOverscale: undefined,
    hash: isPage ? 'map' : false,
    attributionControl: { compact: true },
    // A page that scrolls is not caught by a map on it.
    cooperativeGestures: !isPage,
    transformRequest: (url) =>
      url.startsWith(`${location.origin}/tiles/`) ? { url, headers: { 'X-API-Key': currentKey() } } : { url },
  });
  map.addControl(new maplibre.NavigationControl({ showCompass: false }), 'bottom-right');
  map.addControl(new maplibre.ScaleControl({ maxWidth: 120 }), 'bottom-right');
  map.getCanvas().setAttribute('aria-label', 'Map: arrow keys move it, plus and minus zoom');
  map.setMissingStyleImageResolver((id) => {
    if (id === 'dot') map.addImage(id, ...dotImage(palette()));
    else if (isNameOfOurs(id)) map.addImage(id, ...labelImage(id, palette()));
  });
  await map.once('load');
  frame.classList.add('ready');
  // The attribution stays one click away; open, it would hide half of a small map.
  frame.querySelector('.maplibregl-ctrl-attrib')?.classList.remove('maplibregl-compact-show');

  const handle = radiusHandle(maplibre, map, onRadius);
  const box = new maplibre.Popup({ maxWidth: '18rem', offset: 14, focusAfterOpen: false });
  let meant;
  let isStyled = true;
  const redraw = () => {
    if (!isStyled) return;
    const features = withPictures(drawn).map((feature) =>
      feature.properties.index === meant && meant !== undefined
        ? { ...feature, properties: { ...feature.properties, isMeant: true } }
        : feature,
    );
    const isPin = ({ properties }) => properties.kind === 'found';
    map.getSource('drawn')?.setData({ type: 'FeatureCollection', features: features.filter((one) => !isPin(one)) });
    map.getSource('pins')?.setData({ type: 'FeatureCollection', features: features.filter(isPin) });
    const names = drawn.flatMap(({ properties: { label, name } }) => [label, name ?? label]);
    for (const layer of nameLayers) if (map.getLayer(layer)) map.setFilter(layer, unnamed(names));
  };
  const restyle = () => {
    isStyled = false;
    map.setMaxZoom(maxZoom());
    map.setStyle(style(), { diff: false });
    map.once('style.load', () => {
      isStyled = true;
      redraw();
    });
  };
  addEventListener('themechange', restyle);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', restyle);
  addEventListener('keychange', async () => {
    base = await load();
    restyle();
  });

  const pinAt = (point) => map.queryRenderedFeatures(point, { layers: ['found'] })[0]?.properties.index;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let pointed;
  map.on('click', async (event) => {
    const pin = pinAt(event.point);
    if (pin !== undefined) return onPin(pin);
    const [cluster] = map.queryRenderedFeatures(event.point, { layers: ['pin-clusters'] });
    if (!cluster) return onPlace(event.lngLat.wrap());
    const zoom = await map.getSource('pins').getClusterExpansionZoom(cluster.properties.cluster_id);
    map.easeTo({ center: cluster.geometry.coordinates, zoom: zoom + 0.2, duration: calm ? 0 : 400 });
  });
  map.on('movestart', () => delete frame.dataset.idle);
  map.on('idle', () => {
    frame.dataset.idle = '';
    if (map.getZoom() < streetsExpectedFrom || base.configured || hidden.has('streets')) return onEmpty(undefined);
    const layers = ['streets', 'paths'].filter((layer) => map.getLayer(layer));
    const isEmpty = layers.length === 0 || map.queryRenderedFeatures({ layers }).length === 0;
    onEmpty(isEmpty ? map.getCenter().wrap() : undefined);
  });
  map.on('mousemove', ({ point }) => {
    const pin = pinAt(point);
    map.getCanvas().style.cursor = pin === undefined ? 'crosshair' : 'pointer';
    if (pin !== pointed) onPoint((pointed = pin));
  });
  new ResizeObserver(() => map.resize()).observe(container);

  return {
    draw(features, { fit }) {
      drawn = features;
      if (!features.some(({ properties }) => properties.kind === 'found')) box.remove();
      redraw();
      handle.show(features.find(({ properties }) => properties.kind === 'area')?.properties);
      const camera = fit && cameraOf(features, handlers);
      if (camera) map.fitBounds(camera.bounds, { ...camera.fitBoundsOptions, duration: calm ? 0 : 500 });
    },
    centre: () => map.getCenter().wrap(),
    near: () => (map.getZoom() < nearFrom ? undefined : map.getCenter().wrap()),
    show(group, isShown) {
      hidden[isShown ? 'delete' : 'add'](group);
      for (const id of layerGroups[group]) {
        if (map.getLayer(id)) map.setLayoutProperty(id, 'visibility', isShown ? 'visible' : 'none');
      }
    },
    mean(index) {
      if (index === meant) return;
      meant = index;
      redraw();
    },
    popup({ lat: at, lng: on }, content) {
      box.setLngLat([on, at]).setDOMContent(content).addTo(map);
      // On its way to what was found: a movement now would end that one.
      if (map.isMoving()) map.once('moveend', settle);
      else settle();
      function settle() {
        if (frame.clientWidth < narrow) {
          // Between what lies above and below, with room for the popup over its point.
          const { top, bottom } = padding();
          const y = Math.min(frame.clientHeight - bottom, top + popupHeight);
          map.easeTo({ center: [on, at], offset: [0, y - frame.clientHeight / 2], duration: calm ? 0 : 300 });
        } else if (!map.getBounds().contains([on, at])) map.panTo([on, at]);
      }
    },
  };
}
