/** What stands in a popup of a record: its main fields. */
import { element } from '../element.js';

const shown = [
  'layer',
  'type',
  'category',
  'cuisine',
  'highway_type',
  'match_type',
  'city',
  'admin2',
  'admin1',
  'country_name',
  'postal_code',
  'population',
  'timezone',
  'distance_km',
  'confidence',
];

const written = (value) =>
  typeof value === 'number' ? value.toLocaleString('en') : String(value).replaceAll('_', ' ');

/** Rows of a name and a value. */
export function fields(rows) {
  return element(
    'dl',
    {},
    ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', { dir: 'auto' }, value)]),
  );
}

/** A record's name and its main fields. */
export function recordPopup(label, record) {
  const rows = shown
    .filter((name) => record[name] !== undefined && record[name] !== null && record[name] !== label)
    .slice(0, 7)
    .map((name) => [
      name === 'distance_km' ? 'distance' : name.replaceAll('_', ' ').replace(' name', ''),
      written(record[name]) + (name === 'distance_km' ? ' km' : ''),
    ]);
  rows.push(['position', `${record.lat}, ${record.lng}`]);
  return element('div', { className: 'popup' }, element('strong', { dir: 'auto' }, label || 'Unnamed'), fields(rows));
}
