/** What a request and its answer look like on the map, as GeoJSON. Coordinates are `[lng, lat]` here. */
const earthKm = 6371.0088;
const radians = Math.PI / 180;

/** Where one gets from a point, going `km` in a direction (degrees from north); longitude stays near the start's. */
export function destination({ lat, lng }, km, bearing) {
  const angle = km / earthKm;
  const from = lat * radians;
  const turn = bearing * radians;
  const to = Math.asin(Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(turn));
  const east = Math.atan2(
    Math.sin(turn) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * Math.sin(to),
  );
  return [lng + east / radians, to / radians];
}

/** Great-circle distance in km. */
export function kmBetween(from, to) {
  const [a, b] = [from.lat * radians, to.lat * radians];
  const h = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(((to.lng - from.lng) * radians) / 2) ** 2;
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The circle of all points `km` away, as a ring. */
export function circle(centre, km) {
  return Array.from({ length: 181 }, (_, step) => destination(centre, km, step * 2));
}

/** The shortest line between two points, in steps; its longitudes run on past 180 rather than jump. */
function greatCircle(from, to, steps = 96) {
  const unit = ({ lat, lng }) => {
    const [a, b] = [lat * radians, lng * radians];
    return [Math.cos(a) * Math.cos(b), Math.cos(a) * Math.sin(b), Math.sin(a)];
  };
  const [a, b] = [unit(from), unit(to)];
  const angle = Math.acos(Math.min(1, Math.max(-1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])));
  if (angle < 1e-9)
    return [
      [from.lng, from.lat],
      [to.lng, to.lat],
    ];
  let before = from.lng;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const part = step / steps;
    const [p, q] = [Math.sin((1 - part) * angle) / Math.sin(angle), Math.sin(part * angle) / Math.sin(angle)];
    const [x, y, z] = a.map((value, axis) => p * value + q * b[axis]);
    let lng = Math.atan2(y, x) / radians;
    while (lng - before > 180) lng -= 360;
    while (lng - before < -180) lng += 360;
    before = lng;
    return [lng, Math.atan2(z, Math.hypot(x, y)) / radians];
  });
}

const feature = (kind, type, coordinates, properties = {}) => ({
  type: 'Feature',
  properties: { kind, label: '', ...properties },
  geometry: { type, coordinates },
});

const pointAt = (lat, lng) =>
  lat !== '' && lng !== '' && Math.abs(Number(lat)) <= 90 && Math.abs(Number(lng)) <= 180
    ? { lat: Number(lat), lng: Number(lng) }
    : undefined;

/** What the request itself says: its point with a radius, or both ends of a distance. `radius` is the schema's. */
export function drawRequest(
  tool,
  { lat = '', lng = '', radius: radiusText, from_lat = '', from_lng = '', to_lat = '', to_lng = '' },
  radius = {},
) {
  const drawn = [];
  const centre = pointAt(lat, lng);
  if (centre) {
    drawn.push(feature('asked', 'Point', [centre.lng, centre.lat], { label: 'The requested point' }));
    const km = Number(radiusText || radius.default);
    if (km > 0 && tool.main.includes('radius')) {
      drawn.push(feature('area', 'Polygon', [circle(centre, km)], { ...centre, km, most: radius.maximum ?? km }));
    }
  }
  const [from, to] = [pointAt(from_lat, from_lng), pointAt(to_lat, to_lng)];
  if (from) drawn.push(feature('asked', 'Point', [from.lng, from.lat], { label: 'From' }));
  if (to) drawn.push(feature('asked', 'Point', [to.lng, to.lat], { label: 'To' }));
  if (from && to) drawn.push(feature('line', 'LineString', greatCircle(from, to)));
  return drawn;
}

/**
 * Every record of an answer, of one endpoint, of a batch, or as GeoJSON: `{record, label, number}`, the number of its pin
 * undefined where it has no position.
 */
export function foundIn(body) {
  return recordsOf(body).flatMap((record, index) => {
    const isPlaced = typeof record.lat === 'number' && typeof record.lng === 'number';
    const label = labelOf(record);
    // What has neither a name nor a position, such as a count of calls, is said by the sentence alone.
    return label === '' && !isPlaced ? [] : [{ record, label, number: isPlaced ? index + 1 : undefined }];
  });
}

/** The pins of records. A name that several have says nothing on a map; there stands what they differ in. */
export function drawFound(found) {
  const count = Map.groupBy(found, ({ label }) => label);
  return found.flatMap(({ record, label, number }, index) => {
    if (number === undefined) return [];
    const shown = count.get(label).length === 1 ? label : (record.admin1 ?? record.city ?? record.country ?? '');
    return [
      feature('found', 'Point', [record.lng, record.lat], {
        label: shown,
        name: label,
        number,
        index,
        isHouse: Boolean(record.house_number ?? record.number),
      }),
    ];
  });
}

function recordsOf(body) {
  if (Array.isArray(body?.features)) {
    return body.features
      .filter(({ geometry }) => geometry?.type === 'Point')
      .map(({ properties, geometry: { coordinates } }) => ({
        ...properties,
        lng: coordinates[0],
        lat: coordinates[1],
      }));
  }
  if (!Array.isArray(body?.results)) return [body ?? {}];
  // An entry of a batch has its own answer inside.
  return body.results.flatMap((record) => (record.status === 200 && record.data ? recordsOf(record.data) : [record]));
}

function labelOf(record) {
  const { name, place, street, city, ip, timezone } = record;
  const number = record.house_number ?? record.number;
  return name ?? (street ? [street, number].filter(Boolean).join(' ') : (place ?? city ?? ip ?? timezone ?? ''));
}

/** The box `[[west, south], [east, north]]` around features, or undefined when there are none. */
export function boundsOf(features) {
  const flat = features.flatMap(({ geometry: { coordinates } }) =>
    typeof coordinates[0] === 'number'
      ? [coordinates]
      : typeof coordinates[0][0] === 'number'
        ? coordinates
        : coordinates[0],
  );
  if (flat.length === 0) return undefined;
  const [lngs, lats] = [flat.map(([lng]) => lng), flat.map(([, lat]) => lat)];
  return [
    [Math.min(...lngs), Math.max(-85, Math.min(...lats))],
    [Math.max(...lngs), Math.min(85, Math.max(...lats))],
  ];
}
