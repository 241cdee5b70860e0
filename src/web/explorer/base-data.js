/** What the base map shows, from this server alone: countries of Natural Earth, and names of the dataset's places. */

const json = async (address) => {
  const answer = await fetch(address);
  return answer.ok ? answer.json() : [];
};

/** The most prominent places as `[name, lng, lat]`, the first first; none while there is no dataset. */
export const loadPlaces = (file) => json(`/assets/map/${file}.json`);

/** Countries as `{land, borders}`, GeoJSON, at a scale of 1 to `scale` millions: 110 or 50. */
export async function loadCountries(scale) {
  const [countries] = await Promise.all([
    json(`/assets/map/countries-${scale}m.json`),
    import('/assets/map/topojson-client.js'),
  ]);
  const { feature, mesh } = globalThis.topojson;
  const { countries: shapes } = countries.objects;
  return {
    land: flatLand(feature(countries, shapes)),
    borders: {
      type: 'MultiLineString',
      coordinates: mesh(countries, shapes, (a, b) => a !== b).coordinates.map(unrolled),
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
