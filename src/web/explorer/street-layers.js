/** The layers of a style that draw our own vector tiles. */

const tile = (name, layer = name) => ({ source: name, 'source-layer': layer });
const main = ['motorway', 'trunk', 'primary'];
const middle = ['secondary', 'tertiary', 'motorway_link', 'trunk_link', 'primary_link'];
const paths = ['footway', 'path', 'steps', 'cycleway', 'track', 'bridleway'];
const classOf = ['coalesce', ['get', 'highway'], 'unclassified'];
const isOne = (classes) => ['in', classOf, ['literal', classes]];
const isMain = isOne(main);
const isPath = isOne(paths);
/** Width in pixels: of main roads, of others, of small streets, growing with the zoom. */
const widths = (edge) => [
  'interpolate',
  ['exponential', 1.5],
  ['zoom'],
  9,
  ['case', isMain, 0.8 + edge, 0.3],
  13,
  ['case', isMain, 3.2 + edge, isOne(middle), 2 + edge, 0.9 + edge / 2],
  16,
  ['case', isMain, 9 + edge, isOne(middle), 7 + edge, 4.5 + edge],
  18,
  ['case', isMain, 20 + edge, isOne(middle), 16 + edge, 12 + edge],
];
const round = { 'line-cap': 'round', 'line-join': 'round' };

/** Of a river, the longest first; all but the first three are alike. */
const byRank = (...values) => [
  'match',
  ['get', 'rank'],
  ...values.slice(0, 3).flatMap((value, rank) => [rank, value]),
  values[3],
];

const soften = (low, high) => ['interpolate', ['exponential', 2], ['zoom'], 9, low, 13, high];
/** Land along lines, broader and softer as one comes nearer. */
const ground = (id, of, colour, blur) => ({
  id,
  type: 'line',
  ...of,
  minzoom: 9,
  layout: round,
  paint: { 'line-color': colour, 'line-width': soften(6, 94), 'line-blur': soften(...blur) },
});

/** The layers below the names; each stands only where its tiles are among `sources`. `water` is the colour of water by zoom. */
export const groundLayers = (colours, water) => [
  {
    id: 'land',
    type: 'fill',
    ...tile('boundaries', 'land'),
    // Without smooth edges, which would show the seams of countries.
    paint: { 'fill-color': colours.land, 'fill-antialias': false },
  },
  // The source's coast is right to a few hundred metres, in corners: from where they show the shore is a soft one.
  ground('shore', tile('boundaries', 'land'), colours.land, [4, 84]),
  // It cuts off headlands, and leaves gaps along rivers between countries: where there is a street or a border, there is land.
  ground('border-ground', tile('boundaries', 'borders'), colours.land, [3, 50]),
  ground('street-ground', { ...tile('streets'), maxzoom: 14 }, colours.land, [3, 50]),
  {
    id: 'lakes',
    type: 'fill',
    ...tile('boundaries', 'lakes'),
    paint: { 'fill-color': water, 'fill-antialias': false },
  },
  {
    // The source has them on a grid of 300 m: like a coast, they get soft where that shows, and fade out.
    id: 'rivers',
    type: 'line',
    ...tile('boundaries', 'rivers'),
    maxzoom: 13.5,
    layout: round,
    paint: {
      'line-color': ['interpolate', ['linear'], ['zoom'], 7, colours.river, 12, colours.water],
      'line-width': [
        'interpolate',
        ['exponential', 1.6],
        ['zoom'],
        2,
        byRank(0.6, 0.4, 0.3, 0.3),
        7,
        byRank(1.7, 1.3, 1, 0.8),
        10,
        byRank(4, 3.2, 2.6, 2.2),
        13,
        byRank(20, 15, 11, 9),
      ],
      'line-blur': ['interpolate', ['linear'], ['zoom'], 10, 0, 13, 8],
      'line-opacity': ['interpolate', ['linear'], ['zoom'], 11.5, 1, 13.5, 0],
    },
  },
  {
    id: 'borders',
    type: 'line',
    ...tile('boundaries', 'borders'),
    paint: {
      'line-color': colours.border,
      'line-width': [
        'interpolate',
        ['linear'],
        ['zoom'],
        2,
        ['case', ['==', ['get', 'level'], 0], 0.6, 0.3],
        10,
        ['case', ['==', ['get', 'level'], 0], 1.8, 0.7],
      ],
      // Those of regions are right to a kilometre, those of countries to some hundred metres, and in pieces.
      'line-opacity': [
        'interpolate',
        ['linear'],
        ['zoom'],
        10,
        1,
        11.5,
        ['case', ['==', ['get', 'level'], 0], 1, 0],
        14,
        0,
      ],
    },
  },
  {
    id: 'paths',
    type: 'line',
    ...tile('streets'),
    minzoom: 14,
    filter: isPath,
    paint: { 'line-color': colours.streetEdge, 'line-width': 1, 'line-dasharray': [3, 2] },
  },
  {
    id: 'street-edges',
    type: 'line',
    ...tile('streets'),
    minzoom: 11,
    filter: ['!', isPath],
    layout: round,
    paint: { 'line-color': ['case', isMain, colours.roadEdge, colours.streetEdge], 'line-width': widths(1.6) },
  },
  {
    id: 'streets',
    type: 'line',
    ...tile('streets'),
    filter: ['!', isPath],
    layout: { ...round, 'line-sort-key': ['case', isMain, 2, isOne(middle), 1, 0] },
    paint: { 'line-color': ['case', isMain, colours.road, colours.street], 'line-width': widths(0) },
  },
];

const isWater = ['==', ['get', 'layer'], 'water'];
/** What a dot marks rather than a name in the middle of it. */
const isSpot = ['in', ['get', 'layer'], ['literal', ['peak', 'landmark', 'airport']]];

/** Names of countries, regions, waters, zones, streets, houses and points, below those of places. */
export const detailLayers = (colours, text) => [
  {
    id: 'zone-lines',
    type: 'line',
    ...tile('zones'),
    layout: round,
    paint: { 'line-color': colours.accent, 'line-width': 1.5, 'line-opacity': 0.7 },
  },
  {
    id: 'spot-names',
    type: 'symbol',
    ...tile('features'),
    filter: isSpot,
    layout: {
      ...text(11),
      'text-field': ['get', 'name'],
      'icon-image': 'dot',
      'icon-size': 0.8,
      'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
      'text-radial-offset': 0.45,
      'text-padding': 8,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: { 'text-color': colours.area, 'text-halo-color': colours.halo, 'text-halo-width': 1.2 },
  },
  {
    id: 'feature-names',
    type: 'symbol',
    ...tile('features'),
    filter: ['all', ['!', isWater], ['!', isSpot]],
    layout: {
      ...text(11),
      'text-field': ['get', 'name'],
      'text-letter-spacing': 0.08,
      'text-padding': 8,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: { 'text-color': colours.area, 'text-halo-color': colours.halo, 'text-halo-width': 1.2 },
  },
  {
    id: 'water-names',
    type: 'symbol',
    ...tile('features'),
    filter: isWater,
    layout: {
      ...text(['match', ['get', 'kind'], 'ocean', 14, 'sea', 12.5, 11]),
      'text-field': ['get', 'name'],
      'text-letter-spacing': ['match', ['get', 'kind'], ['ocean', 'sea'], 0.15, 0.04],
      'text-padding': 6,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: { 'text-color': colours.waterText, 'text-halo-color': colours.water, 'text-halo-width': 1 },
  },
  {
    id: 'zone-names',
    type: 'symbol',
    ...tile('zones', 'zone-names'),
    layout: { ...text(12), 'text-field': ['get', 'name'], 'text-max-width': 20, 'text-padding': 30 },
    paint: { 'text-color': colours.accent, 'text-halo-color': colours.halo, 'text-halo-width': 1.6 },
  },
  {
    id: 'area-names',
    type: 'symbol',
    ...tile('areas'),
    maxzoom: 9,
    layout: {
      ...text(['case', ['==', ['get', 'level'], 0], 13, 11]),
      'text-field': ['get', 'name'],
      'text-transform': 'uppercase',
      'text-letter-spacing': 0.12,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: { 'text-color': colours.area, 'text-halo-color': colours.halo, 'text-halo-width': 1.2 },
  },
  {
    id: 'house-numbers',
    type: 'symbol',
    ...tile('addresses'),
    minzoom: 16.5,
    layout: {
      ...text(['interpolate', ['linear'], ['zoom'], 16.5, 9, 19, 12]),
      'text-field': ['get', 'number'],
      'text-padding': 1,
    },
    paint: { 'text-color': colours.house, 'text-halo-color': colours.halo, 'text-halo-width': 1 },
  },
  {
    id: 'pois',
    type: 'circle',
    ...tile('pois'),
    minzoom: 14.5,
    filter: ['any', ['has', 'name'], ['>=', ['zoom'], 17]],
    paint: {
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 14.5, 1.6, 17, 3.5],
      'circle-color': colours.poi,
      'circle-stroke-color': colours.halo,
      'circle-stroke-width': 1,
    },
  },
  {
    id: 'poi-names',
    type: 'symbol',
    ...tile('pois'),
    minzoom: 16,
    filter: ['has', 'name'],
    layout: {
      ...text(11),
      'text-field': ['get', 'name'],
      'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
      'text-radial-offset': 0.5,
    },
    paint: { 'text-color': colours.poi, 'text-halo-color': colours.halo, 'text-halo-width': 1.2 },
  },
  {
    id: 'street-names',
    type: 'symbol',
    ...tile('streets'),
    minzoom: 13,
    layout: {
      ...text(['interpolate', ['linear'], ['zoom'], 13, 10, 17, 13]),
      'text-field': ['get', 'name'],
      'symbol-placement': 'line',
      'symbol-sort-key': ['case', isMain, 0, isOne(middle), 1, 2],
      'symbol-spacing': 320,
    },
    paint: { 'text-color': colours.text, 'text-halo-color': colours.halo, 'text-halo-width': 1.4 },
  },
];
