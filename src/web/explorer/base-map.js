/** The base map as a style of MapLibre. */
import { namedAt } from './palette.js';

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

const isNamed = [
  '<',
  ['get', 'rank'],
  ['step', ['zoom'], namedAt(0), ...[2, 3, 4, 5, 6].flatMap((z) => [z, namedAt(z)])],
];

/** The layers with names of the dataset's places. */
export const nameLayers = ['place-dots', 'places'];
/** Their filter, without the places that an answer names already. */
export const unnamed = (names) => ['all', isNamed, ['!', ['in', ['get', 'name'], ['literal', names]]]];

/** The whole style, over the countries and `[name, lng, lat]` of places; names of smaller ones come with the zoom. */
export function styleOf({ land, borders, places }, colours) {
  const named = {
    type: 'FeatureCollection',
    features: places.map(([name, lng, lat], rank) => ({
      type: 'Feature',
      properties: { name, rank },
      geometry: { type: 'Point', coordinates: [lng, lat] },
    })),
  };
  const text = (size) => ({
    'text-font': ['sans-serif'],
    'text-size': size,
    'text-max-width': 8,
  });
  return {
    version: 8,
    sources: {
      land: { ...source(land), attribution: 'Natural Earth · GeoNames' },
      borders: source(borders),
      grid: source(graticule()),
      places: source(named),
      // Circles and long lines are drawn as they are; a tolerance would make corners of them.
      drawn: { ...source(empty), tolerance: 0 },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      { id: 'grid', type: 'line', source: 'grid', paint: { 'line-color': colours.grid, 'line-width': 0.7 } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours.land } },
      { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': colours.border, 'line-width': 0.8 } },
      {
        id: 'place-dots',
        type: 'circle',
        source: 'places',
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
        source: 'places',
        filter: isNamed,
        layout: {
          ...text(['step', ['get', 'rank'], 13.5, 60, 12.5, 400, 11.5]),
          'text-field': ['get', 'name'],
          'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
          'text-radial-offset': 0.45,
          'symbol-sort-key': ['get', 'rank'],
        },
        paint: { 'text-color': colours.text, 'text-halo-color': colours.halo, 'text-halo-width': 1.2 },
      },
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
        id: 'found',
        type: 'circle',
        source: 'drawn',
        filter: kind('found'),
        paint: {
          'circle-radius': 5.5,
          'circle-color': colours.found,
          'circle-stroke-color': colours.halo,
          'circle-stroke-width': 1.5,
        },
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
        id: 'found-pictures',
        type: 'symbol',
        source: 'drawn',
        filter: ['all', kind('found'), ['has', 'picture']],
        layout: {
          'icon-image': ['get', 'picture'],
          'icon-anchor': 'top',
          'icon-offset': [0, 5],
        },
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
          'text-radial-offset': 0.7,
        },
        paint: { 'text-color': colours.text, 'text-halo-color': colours.halo, 'text-halo-width': 1.6 },
      },
    ],
  };
}
