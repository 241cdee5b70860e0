/** The base map: countries of Natural Earth and the most prominent places of the dataset, all from this server. */

const palettes = {
  light: {
    water: '#d9e6ea',
    land: '#f7f5ef',
    border: '#a9b3b0',
    grid: '#c3d3d8',
    text: '#3d474b',
    halo: '#f7f5ef',
    accent: '#0b6076',
    found: '#b3480e',
  },
  dark: {
    water: '#0e1519',
    land: '#20282d',
    border: '#4b585f',
    grid: '#1b262c',
    text: '#b9c4c8',
    halo: '#14181b',
    accent: '#6cc6dd',
    found: '#f2a65a',
  },
};

/** The colours of the theme that is shown. */
export function palette() {
  const { theme } = document.documentElement.dataset;
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  return palettes[isDark ? 'dark' : 'light'];
}

/** Loads the countries, and the places that the dataset has; without the latter the map has no names. */
export async function loadBase() {
  const [, countries, places] = await Promise.all([
    import('/assets/map/topojson-client.js'),
    fetch('/assets/map/countries-50m.json').then((answer) => answer.json()),
    fetch('/assets/map/places.json').then((answer) => (answer.ok ? answer.json() : [])),
  ]);
  const { feature, mesh } = globalThis.topojson;
  const { countries: shapes } = countries.objects;
  return {
    land: flatLand(feature(countries, shapes)),
    borders: {
      type: 'MultiLineString',
      coordinates: mesh(countries, shapes, (a, b) => a !== b).coordinates.map(unrolled),
    },
    places: {
      type: 'FeatureCollection',
      features: places.map(([name, lng, lat], rank) => ({
        type: 'Feature',
        properties: { name, rank },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      })),
    },
  };
}

/** A line whose longitudes run on past 180 rather than jump to the other side of the map. */
function unrolled(line) {
  let before = line[0][0];
  return line.map(([lng, lat]) => {
    const turns = Math.round((before - lng) / 360);
    before = lng + turns * 360;
    return [before, lat];
  });
}

/** The data has its countries on a sphere, whole across the 180th meridian; a flat map needs them unrolled. */
function flatLand(land) {
  const flatRing = (ring) => {
    const flat = unrolled(ring);
    const [first, last] = [flat[0], flat.at(-1)];
    // A ring that ends a turn away from its start goes around a pole: Antarctica.
    return Math.abs(first[0] - last[0]) < 180 ? flat : [...flat, [last[0], -90], [first[0], -90], first];
  };
  return {
    ...land,
    features: land.features.map(({ geometry, ...rest }) => {
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      const coordinates = polygons.map((rings) => rings.map(flatRing));
      return { ...rest, geometry: { type: 'MultiPolygon', coordinates } };
    }),
  };
}

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

/** The whole style. Names of smaller places come with the zoom: ten times as many for each two levels. */
export function styleOf(base, colours) {
  const text = (size) => ({
    'text-font': ['sans-serif'],
    'text-size': size,
    'text-max-width': 8,
  });
  return {
    version: 8,
    sources: {
      land: { ...source(base.land), attribution: 'Natural Earth · GeoNames' },
      borders: source(base.borders),
      grid: source(graticule()),
      places: source(base.places),
      // Circles and long lines are drawn as they are; a tolerance would make corners of them.
      drawn: { ...source(empty), tolerance: 0 },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      { id: 'grid', type: 'line', source: 'grid', paint: { 'line-color': colours.grid, 'line-width': 0.7 } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours.land } },
      { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': colours.border, 'line-width': 0.8 } },
      {
        id: 'places',
        type: 'symbol',
        source: 'places',
        filter: ['<', ['get', 'rank'], ['step', ['zoom'], 25, 2, 60, 3, 150, 4, 400, 5, 1000, 6, 5000]],
        layout: { ...text(12), 'text-field': ['get', 'name'], 'symbol-sort-key': ['get', 'rank'] },
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
        id: 'found-names',
        type: 'symbol',
        source: 'drawn',
        filter: kind('found'),
        layout: { ...text(13), 'text-field': ['get', 'label'], 'text-anchor': 'top', 'text-offset': [0, 0.7] },
        paint: { 'text-color': colours.text, 'text-halo-color': colours.halo, 'text-halo-width': 1.6 },
      },
    ],
  };
}
