/** The interactive description: every operation of /openapi.json with a form that calls it. Nothing else is loaded. */
import { copyButton } from '../assets/copy-button.js';
import { element, find, makeScrollable } from '../assets/element.js';
import { currentKey, faultOfKey, keepKey, maskedKey } from '../assets/key.js';
import { languages, written } from '../assets/request-code.js';
import { answerFields, resolve } from './fields.js';

const settings = find('#settings');
const list = find('#operations');

const keyField = find('#reference-key');
keyField.value = currentKey();
keyField.addEventListener('change', () => {
  if (keyField.value === '' || !faultOfKey(keyField.value)) keepKey(keyField.value);
});
addEventListener('keychange', () => {
  keyField.value = currentKey();
});

/** Text with `code` in it. */
const prose = (text = '') => text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));

function fieldOf({ schema, name, required, example, description }) {
  const range = schema.minimum !== undefined && `${schema.minimum} to ${schema.maximum}`;
  const fallback = schema.default !== undefined && `default ${schema.default}`;
  const hint = [schema.type, required && 'required', range, fallback].filter(Boolean).join(', ');
  const options = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined);
  const field = options
    ? element('select', { name }, ...['', ...options].map((value) => element('option', {}, String(value))))
    : element('input', {
        name,
        type: 'text',
        // Required fields are filled, so that the first press of the button gets an answer.
        value: required && example !== undefined ? String(example) : '',
        placeholder: example === undefined ? '' : String(example),
        autocomplete: 'off',
        spellcheck: false,
      });
  return element(
    'label',
    {},
    element('span', {}, element('code', {}, name), ' ', element('span', { className: 'note' }, hint)),
    field,
    element('span', { className: 'note' }, ...prose(description)),
  );
}

/** Fills an operation's form and returns the function that reads a request from it. */
function formOf(api, path, method, operation, form) {
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolve(api, parameter))
    .filter(({ name }) => name !== 'variant' && name !== 'X-API-Variant');
  form.append(...parameters.map(fieldOf));
  const content = operation.requestBody?.content['application/json'];
  const body = content && element('textarea', { name: 'body', rows: 10, value: written(content.example) });
  if (body) form.append(element('label', {}, element('code', {}, 'body'), body));
  form.append(element('button', { className: 'primary' }, 'Send'));
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

/** The request as a line for a shell; the key is masked on the screen, and whole when it is copied. */
function curlLine(url, { method, headers, body }, key) {
  const shown = { ...headers, ...(headers['X-API-Key'] ? { 'X-API-Key': key } : {}) };
  const line = languages.curl({ url: location.origin + url, headers: shown });
  if (body === undefined) return line;
  return line.replace('curl', `curl -X ${method} -d '${body.replaceAll("'", "'\\''")}'`);
}

const block = (text, copied = text) => {
  const code = element('pre', { className: 'wrapped' }, text);
  makeScrollable(code);
  return element(
    'div',
    { className: 'copyable' },
    code,
    copyButton(() => copied),
  );
};

async function call(url, options, output) {
  const line = (key) => curlLine(url, options, key);
  output.replaceChildren(
    element('h3', {}, 'Request'),
    block(line(maskedKey()), line(options.headers['X-API-Key'] ?? maskedKey())),
  );
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
    output.append(
      element('h3', { className: answer.ok ? 'good' : 'bad' }, `${answer.status} ${answer.statusText}`),
      block(shown),
      element('details', {}, element('summary', {}, 'Headers'), element('pre', { className: 'wrapped' }, headers)),
    );
  } catch (error) {
    output.append(element('p', { className: 'bad' }, `The service could not be reached: ${error.message}`));
  }
}

/** What is inside an operation, made when it is first opened: all of them at once would be a thousand fields. */
function fill(inside, api, path, method, operation) {
  const form = element('form');
  const output = element('div', { ariaLive: 'polite' });
  const read = formOf(api, path, method, operation, form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    call(...read(), output);
  });
  inside.append(element('p', {}, ...prose(operation.description)));
  if (api.paths[path].servers === undefined) {
    inside.append(
      element('p', {}, element('a', { href: `/docs/endpoints/${operation.operationId}` }, 'Page of this endpoint')),
    );
  }
  inside.append(form, output, answerFields(api, operation));
}

function show(api, path, method, operation) {
  const inside = element('div');
  const details = element(
    'details',
    { id: operation.operationId },
    element(
      'summary',
      {},
      element('span', { className: 'method' }, method.toUpperCase()),
      element('code', {}, path),
      ` ${operation.summary ?? ''}`,
    ),
    inside,
  );
  details.addEventListener('toggle', () => {
    if (!details.open) return;
    if (!inside.hasChildNodes()) fill(inside, api, path, method, operation);
    history.replaceState(null, '', `#${details.id}`);
  });
  return details;
}

/** Opens the operation that the address names. */
function openNamed() {
  const named = document.getElementById(location.hash.slice(1));
  if (!named?.matches('#operations details')) return;
  named.open = true;
  named.scrollIntoView();
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
  openNamed();
  addEventListener('hashchange', openNamed);
} catch (error) {
  list.replaceChildren(element('p', { className: 'bad' }, `The description could not be loaded: ${error.message}`));
}
