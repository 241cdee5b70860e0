/** What an operation answers, field by field, and which errors it has, from the API's description. */
import { element } from '../assets/element.js';

/** What a reference in the description stands for; anything else stands for itself. */
export const resolve = (api, item) =>
  item.$ref
    ? item.$ref
        .slice(2)
        .split('/')
        .reduce((part, key) => part[key], api)
    : item;

function typeOf(api, schema) {
  const resolved = resolve(api, schema);
  if (resolved.enum) return resolved.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (resolved.anyOf) return resolved.anyOf.map((part) => typeOf(api, part)).join(' or ');
  if (resolved.type === 'array') return resolved.items ? `list of ${typeOf(api, resolved.items)}` : 'list';
  return [resolved.type ?? 'any'].flat().join(' or ');
}

/** Rows of an object's fields, those inside it included, as paths: `results[].name`. */
function rowsOf(api, schema, prefix = '') {
  return Object.entries(resolve(api, schema).properties ?? {}).flatMap(([name, field]) => {
    const resolved = resolve(api, field);
    const inner = resolved.type === 'array' ? resolved.items : (resolved.anyOf?.[0] ?? resolved);
    const path = `${prefix}${name}`;
    const row = element(
      'tr',
      {},
      element('td', {}, element('code', {}, path)),
      element('td', {}, typeOf(api, resolved)),
      element('td', {}, resolved.description ?? ''),
    );
    return [row, ...(inner ? rowsOf(api, inner, `${path}${resolved.type === 'array' ? '[]' : ''}.`) : [])];
  });
}

const table = (name, rows) =>
  element(
    'section',
    { className: 'scroll', tabIndex: 0, 'aria-label': name },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...['field', 'type', 'what'].map((head) => element('th', {}, head)))),
      element('tbody', {}, ...rows),
    ),
  );

/** The fields of what an operation answers, in each profile that differs, and the statuses of its errors. */
export function answerFields(api, operation) {
  const statuses = Object.keys(operation.responses);
  const success = resolve(api, operation.responses[statuses.find((status) => status < 300)] ?? {});
  const schema = success.content?.['application/json']?.schema ?? {};
  const variants = schema.anyOf ?? [schema];
  const parts = variants.flatMap((variant) => {
    const rows = rowsOf(api, variant);
    const letter = /Variant([AB])$/.exec(variant.$ref ?? '')?.[1];
    const name = letter ? `Answer in profile ${letter.toLowerCase()}` : 'Answer';
    return rows.length > 0 ? [element('h3', {}, name), table(name, rows)] : [];
  });
  const errors = statuses.filter((status) => status >= 400);
  return element(
    'details',
    { className: 'schema' },
    element('summary', {}, 'Fields and errors'),
    element(
      'div',
      {},
      ...parts,
      element(
        'p',
        {},
        `Errors: ${errors.join(', ') || 'none'}; `,
        element('a', { href: '/docs/errors' }, 'what they mean'),
        '.',
      ),
    ),
  );
}
