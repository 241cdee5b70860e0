/** The base map as a style of MapLibre. */
import { isDark, namedAt } from './palette.js';
import { detailLayers, groundLayers } from './street-layers.js';

const source = (data) => ({ type: 'geojson', data });
const empty = { type: 'FeatureCollection', features: [] };
const kind = (name) => ['==', ['get', 'kind'], name];
/** Whether it is the record that the pointer or the focus is on. */
const isMeant = ['==', ['get', 'isMeant'], true];

const isNamed = [
  '<',
  ['get', 'rank'],
  ['step', ['zoom'], namedAt(0), ...[2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((z) => [z, namedAt(z)])],
];

/** The layers with names of the dataset's places. */
export const nameLayers = ['places'];
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

const drawnSources = {
  // Circles and long lines are drawn as they are; a tolerance would make corners of them.
  drawn: { ...source(empty), tolerance: 0 },
  pins: { ...source(empty), cluster: true, clusterRadius: 26, clusterMaxZoom: 16 },
};

/** The layers of the style that people switch, by what they call them. */
export const layerGroups = {
  streets: ['paths', 'street-edges', 'streets', 'street-names'],
  addresses: ['house-numbers'],
  points: ['pois', 'poi-names'],
  borders: ['borders', 'area-names'],
  features: ['water-names', 'feature-names', 'spot-names'],
  zones: ['zone-lines', 'zone-names'],
  places: ['places'],
};

/**
 * The whole style. `base` is `{tiles}`, the vector sources of our own tiles by name, `{land, borders, places}` for a map
 * without them, or `{configured}`, which makes a style of somebody else's. Names of smaller places come with the zoom.
 * `hidden` are the groups of layers that are switched off.
 */
export function styleOf(base, colours, hidden = new Set()) {
  const style = wholeStyle(base, colours);
  const isHidden = (id) => [...hidden].some((group) => layerGroups[group].includes(id));
  for (const layer of style.layers) if (isHidden(layer.id)) layer.layout = { ...layer.layout, visibility: 'none' };
  return style;
}

function wholeStyle(base, colours) {
  if (base.configured) {
    const style = base.configured({ isDark: isDark(), colours });
    const sources = { ...style.sources, ...drawnSources };
    return { ...style, sources, layers: [...style.layers, ...drawnLayers(colours)] };
  }
  const { tiles } = base;
  const has = ({ source: name }) => tiles[name] !== undefined;
  const placeLayer = tiles ? { source: 'places', 'source-layer': 'places' } : { source: 'places' };
  return {
    version: 8,
    sources: {
      ...(tiles ?? plainSources(base)),
      ...drawnSources,
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': tiles ? fading(colours) : colours.water } },
      ...(tiles ? groundLayers(colours, fading(colours)).filter(has) : plainLayers(colours)),
      ...(tiles ? detailLayers(colours, text).filter(has) : []),
      {
        id: 'places',
        type: 'symbol',
        ...placeLayer,
        maxzoom: 16,
        filter: isNamed,
        layout: {
          ...text([
            'interpolate',
            ['linear'],
            ['zoom'],
            4,
            ['step', ['get', 'rank'], 15, 60, 13.5, 400, 12.5, 5000, 11.5],
            9,
            ['step', ['get', 'rank'], 21, 60, 18, 400, 16, 5000, 13.5, 20_000, 12, 60_000, 11],
          ]),
          'text-field': ['get', 'name'],
          // A dot stands only where its name does.
          'icon-image': ['step', ['zoom'], 'dot', 13, ''],
          'icon-padding': 0,
          'text-padding': ['interpolate', ['linear'], ['zoom'], 3, 4, 8, 10, 12, 4],
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
const fading = ({ water, land }) => ['interpolate', ['linear'], ['zoom'], 11.5, water, 13.5, land];

/** A pin, rather than a clump of some. */
const isSingle = ['!', ['has', 'point_count']];

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
    id: 'pin-clusters',
    type: 'circle',
    source: 'pins',
    filter: ['has', 'point_count'],
    paint: {
      'circle-radius': ['step', ['get', 'point_count'], 13, 10, 16],
      'circle-color': colours.found,
      'circle-stroke-color': colours.halo,
      'circle-stroke-width': 4,
    },
  },
  {
    id: 'pin-counts',
    type: 'symbol',
    source: 'pins',
    filter: ['has', 'point_count'],
    layout: {
      ...text(11.5),
      'text-field': ['concat', '×', ['get', 'point_count']],
      'text-allow-overlap': true,
      'text-ignore-placement': true,
    },
    paint: { 'text-color': colours.onPin },
  },
  {
    id: 'found',
    type: 'circle',
    source: 'pins',
    filter: isSingle,
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
    source: 'pins',
    filter: isSingle,
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
    source: 'pins',
    filter: ['all', isSingle, ['has', 'picture']],
    layout: { 'icon-image': ['get', 'picture'], 'icon-anchor': 'top', 'icon-offset': [0, 11] },
  },
  {
    id: 'found-names',
    type: 'symbol',
    source: 'pins',
    filter: isSingle,
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
