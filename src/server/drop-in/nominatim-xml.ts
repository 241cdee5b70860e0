/** Nominatim's XML: one `result` for a reverse look-up, a list of `place` else. */
import { type FormatOptions, licence, plain, type ShownRecord } from './nominatim-format.ts';

/**
 * The document of some records, with the attributes `more` of its root; of a reverse look-up without a record, that it
 * found nothing.
 */
export function xmlOf(
  records: readonly ShownRecord[],
  more: Record<string, string | undefined>,
  options: FormatOptions,
): string {
  const { isReverse, query } = options;
  const elements = records.map((record) => elementOf(plain(record, 'json', options), isReverse));
  const content = isReverse && records.length === 0 ? '<error>Unable to geocode</error>' : elements.join('');
  const root = isReverse ? 'reversegeocode' : 'searchresults';
  return document(`<${root}${attributes({ attribution: licence, querystring: query, ...more })}>${content}</${root}>`);
}

export const xmlError = (code: number, message: string): string =>
  document(`<error><code>${code}</code><message>${escaped(message)}</message></error>`);

const document = (root: string) => `<?xml version="1.0" encoding="UTF-8" ?>\n${root}`;

type Fields = Record<string, unknown>;

function elementOf(fields: Fields, isReverse: boolean): string {
  const {
    licence: _,
    address,
    extratags,
    namedetails,
    geokml,
    svg,
    geojson,
    boundingbox,
    name,
    ...plainFields
  } = fields;
  const { display_name, class: category, type, importance, addresstype: _type, ...shared } = plainFields;
  const own = isReverse ? {} : { display_name, class: category, type, importance };
  const head = attributes({
    ...shared,
    ref: name,
    boundingbox: (boundingbox as string[]).join(','),
    geosvg: svg,
    ...(geojson ? { geojson: JSON.stringify(geojson) } : {}),
    ...own,
  });
  const parts = elements(address as Fields | undefined);
  const more = [
    geokml ? `<geokml>${geokml}</geokml>` : '',
    isReverse && address ? `<addressparts>${parts}</addressparts>` : parts,
    wrapped('extratags', extratags, (key, value) => `<tag${attributes({ key, value })}/>`),
    wrapped('namedetails', namedetails, (desc, value) => `<name${attributes({ desc })}>${escaped(value)}</name>`),
  ].join('');
  return isReverse ? `<result${head}>${escaped(display_name)}</result>${more}` : `<place${head}>${more}</place>`;
}

function wrapped(name: string, fields: unknown, write: (key: string, value: unknown) => string): string {
  if (!fields) return '';
  const entries = Object.entries(fields as Fields).map(([key, value]) => write(key, value));
  return `<${name}>${entries.join('')}</${name}>`;
}

const elements = (fields: Fields = {}) =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${escaped(value)}</${name}>`)
    .join('');

const attributes = (values: Fields) =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Text without what XML has no place for. */
export const escaped = (value: unknown): string =>
  String(value)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids.
    .replace(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, '\uFFFD')
    .replace(/[&<>"]/g, (character) => entities[character]);
