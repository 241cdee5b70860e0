/** The base map as a style of MapLibre. */
import { isDark, namedAt } from './palette.js';
import { detailLayers, groundLayers } from './street-layers.js';

/** Meridians and parallels every ten degrees, to hold on to where there is no land. */
function graticule() {
  const lines = [];
  for (let lng = -180; lng <= 180; lng += 10)
    lines.push([
      [lng, -85],
      [lng, 85],
    ]);
  for (let lat = -80; lat <= 80; lat += 10)
    lines.push([
      [-180, lat],
      [180, lat],
    ]);
  return { type: 'MultiLineString', coordinates: lines };
}

const source = (data) => ({ type: 'geojson', data });
const empty = { type: 'FeatureCollection', features: [] };
const kind = (name) => ['==', ['get', 'kind'], name];
/** Whether it is the record that the pointer or the focus is on. */
const isMeant = ['==', ['get', 'isMeant'], true];

const isNamed = [
  '<',
  ['get', 'rank'],
  ['step', ['zoom'], namedAt(0), ...[2, 3, 4, 5, 6].flatMap((z) => [z, namedAt(z)]), 7, 1e9],
];

/** The layers with names of the dataset's places. */
export const nameLayers = ['place-dots', 'places'];
/** Their filter, without the places that an answer names already. */
export const unnamed = (names) => ['all', isNamed, ['!', ['in', ['get', 'name'], ['literal', names]]]];

const text = (size) => ({ 'text-font': ['sans-serif'], 'text-size': size, 'text-max-width': 8 });

/** Where there are no tiles: countries at 1 to 50 million, and `[name, lng, lat]` of places. */
function plainSources({ land, borders, places }) {
  const named = {
    type: 'FeatureCollection',
    features: places.map(([name, lng, lat], rank) => ({
      type: 'Feature',
      properties: { name, rank },
      geometry: { type: 'Point', coordinates: [lng, lat] },
    })),
  };
  return {
    boundaries: { ...source(land), attribution: 'Natural Earth · GeoNames' },
    borders: source(borders),
    places: source(named),
  };
}

const plainLayers = (colours) => [
  { id: 'land', type: 'fill', source: 'boundaries', paint: { 'fill-color': colours.land } },
  { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': colours.border, 'line-width': 0.8 } },
];

// Circles and long lines are drawn as they are; a tolerance would make corners of them.
const drawnSource = { ...source(empty), tolerance: 0 };

/**
 * The whole style. `base` is `{tiles}`, the vector sources of our own tiles by name, `{land, borders, places}` for a map
 * without them, or `{configured}`, which makes a style of somebody else's. Names of smaller places come with the zoom.
 */
export function styleOf(base, colours) {
  if (base.configured) {
    const style = base.configured({ isDark: isDark(), colours });
    const sources = { ...style.sources, drawn: drawnSource };
    return { ...style, sources, layers: [...style.layers, ...drawnLayers(colours)] };
  }
  const { tiles } = base;
  const has = ({ source: name }) => tiles[name] !== undefined;
  const placeLayer = tiles ? { source: 'places', 'source-layer': 'places' } : { source: 'places' };
  return {
    version: 8,
    sources: {
      ...(tiles ?? plainSources(base)),
      grid: source(graticule()),
      drawn: drawnSource,
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': tiles ? fading(colours) : colours.water } },
      {
        id: 'grid',
        type: 'line',
        source: 'grid',
        maxzoom: 9,
        paint: { 'line-color': colours.grid, 'line-width': 0.7 },
      },
      ...(tiles ? groundLayers(colours).filter(has) : plainLayers(colours)),
      ...(tiles ? detailLayers(colours, text).filter(has) : []),
      {
        id: 'place-dots',
        type: 'circle',
        ...placeLayer,
        maxzoom: 14,
        filter: isNamed,
        paint: {
          'circle-radius': ['interpolate', ['linear'], ['zoom'], 2, 1.2, 8, 3],
          'circle-color': colours.text,
          'circle-stroke-color': colours.halo,
          'circle-stroke-width': 1,
        },
      },
      {
        id: 'places',
        type: 'symbol',
        ...placeLayer,
        maxzoom: 16,
        filter: isNamed,
        layout: {
          ...text(['step', ['get', 'rank'], 14, 60, 13, 400, 12, 5000, 11]),
          'text-field': ['get', 'name'],
          'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
          'text-radial-offset': 0.45,
          'symbol-sort-key': ['get', 'rank'],
        },
        paint: { 'text-color': colours.text, 'text-halo-color': colours.halo, 'text-halo-width': 1.4 },
      },
      ...drawnLayers(colours),
    ],
  };
}

/** The coasts are known to some hundred metres: from where that shows, water looks like land. */
const fading = ({ water, land }) => ['interpolate', ['linear'], ['zoom'], 12, water, 13.5, land];

/** The request and its results, above everything else. */
const drawnLayers = (colours) => [
  {
    id: 'area',
    type: 'fill',
    source: 'drawn',
    filter: kind('area'),
    paint: { 'fill-color': colours.accent, 'fill-opacity': 0.12 },
  },
  {
    id: 'area-line',
    type: 'line',
    source: 'drawn',
    filter: ['in', ['get', 'kind'], ['literal', ['area', 'line']]],
    paint: { 'line-color': colours.accent, 'line-width': 2 },
  },
  {
    id: 'asked',
    type: 'circle',
    source: 'drawn',
    filter: kind('asked'),
    paint: {
      'circle-radius': 7,
      'circle-color': colours.accent,
      'circle-stroke-color': colours.halo,
      'circle-stroke-width': 2,
    },
  },
  {
    id: 'found',
    type: 'circle',
    source: 'drawn',
    filter: kind('found'),
    // The first one lies above the others, and the one that is meant above all.
    layout: { 'circle-sort-key': ['case', isMeant, 1000, ['-', 0, ['get', 'number']]] },
    paint: {
      'circle-radius': ['case', isMeant, 13, 10],
      'circle-color': ['case', isMeant, colours.accent, colours.found],
      'circle-stroke-color': colours.halo,
      'circle-stroke-width': 2,
    },
  },
  {
    id: 'found-numbers',
    type: 'symbol',
    source: 'drawn',
    filter: kind('found'),
    layout: {
      ...text(11.5),
      'text-field': ['to-string', ['get', 'number']],
      'text-allow-overlap': true,
      'text-ignore-placement': true,
    },
    paint: { 'text-color': colours.onPin },
  },
  {
    id: 'found-pictures',
    type: 'symbol',
    source: 'drawn',
    filter: ['all', kind('found'), ['has', 'picture']],
    layout: { 'icon-image': ['get', 'picture'], 'icon-anchor': 'top', 'icon-offset': [0, 11] },
  },
  {
    id: 'found-names',
    type: 'symbol',
    source: 'drawn',
    filter: kind('found'),
    layout: {
      ...text(13),
      'text-field': ['get', 'label'],
      'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
      'text-radial-offset': 1.1,
      'symbol-sort-key': ['case', isMeant, -1, ['get', 'number']],
    },
    paint: { 'text-color': colours.text, 'text-halo-color': colours.halo, 'text-halo-width': 1.8 },
  },
];
