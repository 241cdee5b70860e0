/** The interactive description: every operation of /openapi.json with a form that calls it. Nothing else is loaded. */

import { element, find } from '../assets/element.js';
import { currentKey, keepKey, looksLikeKey } from '../assets/key.js';

const settings = find('#settings');
const list = find('#operations');

const keyField = find('#reference-key');
keyField.value = currentKey();
keyField.addEventListener('change', () => {
  if (keyField.value === '' || looksLikeKey(keyField.value)) keepKey(keyField.value);
});
addEventListener('keychange', () => {
  keyField.value = currentKey();
});

const resolve = (api, item) =>
  item.$ref
    ? item.$ref
        .slice(2)
        .split('/')
        .reduce((part, key) => part[key], api)
    : item;

function fieldOf(parameter) {
  const { schema, name, required, example } = parameter;
  const hint = [schema.type, schema.minimum !== undefined && `${schema.minimum} to ${schema.maximum}`]
    .concat(schema.default !== undefined && `default ${schema.default}`)
    .filter(Boolean)
    .join(', ');
  const field = schema.enum
    ? element('select', { name }, ...['', ...schema.enum].map((value) => element('option', {}, String(value))))
    : element('input', { name, placeholder: example === undefined ? '' : String(example), spellcheck: false });
  field.required = required === true;
  return element(
    'label',
    {},
    element(
      'span',
      {},
      element('code', {}, name),
      required ? ' *' : '',
      element('span', { className: 'note' }, `  ${hint}`),
    ),
    field,
    element('span', { className: 'note' }, parameter.description ?? ''),
  );
}

/** Fills an operation's form and gives the function that reads a request from it. */
function formOf(api, path, method, operation, form) {
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolve(api, parameter))
    .filter(({ name }) => name !== 'variant' && name !== 'X-API-Variant');
  form.append(...parameters.map(fieldOf));
  const content = operation.requestBody?.content['application/json'];
  const body =
    content && element('textarea', { name: 'body', rows: 10, value: JSON.stringify(content.example, null, 2) });
  if (body) form.append(element('label', {}, element('code', {}, 'body'), body));
  form.append(element('button', {}, 'Send'));
  const base = (api.paths[path].servers ?? api.servers)[0].url.replace(/\/$/, '');

  return () => {
    const query = new URLSearchParams();
    let target = path;
    for (const parameter of parameters) {
      const { value } = form.elements[parameter.name];
      if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, encodeURIComponent(value));
      else if (value !== '') query.set(parameter.name, value);
    }
    const { key, variant } = Object.fromEntries(new FormData(settings));
    const headers = {};
    if (operation.security === undefined && key) headers['X-API-Key'] = key;
    if (operation.security === undefined && variant) headers['X-API-Variant'] = variant;
    if (body) headers['Content-Type'] = 'application/json';
    const search = query.size > 0 ? `?${query}` : '';
    return [base + target + search, { method: method.toUpperCase(), headers, body: body?.value }];
  };
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The request as a line for a shell; the key is left for its owner to fill in. */
function curlLine(url, { method, headers, body }) {
  const shown = { ...headers, ...(headers['X-API-Key'] ? { 'X-API-Key': '<your key>' } : {}) };
  return [
    'curl',
    method === 'GET' ? '' : `-X ${method}`,
    ...Object.entries(shown).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    body ? `-d ${quoted(body)}` : '',
    quoted(location.origin + url),
  ]
    .filter(Boolean)
    .join(' ');
}

async function call(url, options, output) {
  output.replaceChildren(element('pre', {}, curlLine(url, options)));
  try {
    const answer = await fetch(url, options);
    const text = await answer.text();
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    let shown = text;
    try {
      shown = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // Not JSON: shown as it came.
    }
    output.append(element('pre', {}, `${answer.status} ${answer.statusText}\n${headers}`), element('pre', {}, shown));
  } catch (error) {
    output.append(element('pre', {}, `The service could not be reached: ${error.message}`));
  }
}

function show(api, path, method, operation) {
  const form = element('form');
  const output = element('div', { ariaLive: 'polite' });
  const read = formOf(api, path, method, operation, form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    call(...read(), output);
  });
  return element(
    'details',
    { id: operation.operationId },
    element(
      'summary',
      {},
      element('span', { className: 'method' }, method.toUpperCase()),
      element('code', {}, path),
      ` ${operation.summary ?? ''}`,
    ),
    element('div', {}, element('p', {}, operation.description ?? ''), form, output),
  );
}

try {
  const api = await (await fetch('/openapi.json')).json();
  list.replaceChildren(
    ...Object.entries(api.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => ['get', 'post', 'patch'].includes(method))
        .map(([method, operation]) => show(api, path, method, operation)),
    ),
  );
  document.getElementById(location.hash.slice(1))?.setAttribute('open', '');
} catch (error) {
  list.replaceChildren(element('p', {}, `The description could not be loaded: ${error.message}`));
}
