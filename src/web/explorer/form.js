/** The form of one operation, made from its description. */
import { element } from '../element.js';

const wide = ['q', 'code', 'ip', 'city', 'country', 'category', 'timezone', 'at', 'date'];

/** What a parameter takes, in a few words. */
function hintOf({ schema, required }) {
  const range =
    schema.minimum !== undefined && schema.maximum !== undefined && `${schema.minimum} to ${schema.maximum}`;
  const fallback = schema.default !== undefined && `default ${schema.default}`;
  return [required && 'required', range, fallback].filter(Boolean).join(', ');
}

/** The beginning of a description; the whole of it is a tooltip, and on the endpoint's page. */
const firstClause = (text = '') => text.split(/[.;]/, 1)[0];

function fieldOf(parameter) {
  const { name, schema, description, example } = parameter;
  const id = `field-${name}`;
  const options = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  const input = options
    ? element(
        'select',
        { id, name },
        ...['', ...options].map((value) =>
          element(
            'option',
            { value: String(value) },
            String(value) || (schema.default === undefined ? 'any' : 'default'),
          ),
        ),
      )
    : element('input', {
        id,
        name,
        type: 'text',
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: false,
        inputMode: schema.type === 'number' || schema.type === 'integer' ? 'text' : '',
        placeholder: example === undefined ? '' : String(example),
      });
  const hint = hintOf(parameter);
  if (hint || description) input.setAttribute('aria-describedby', `${id}-help`);
  if (parameter.required) input.setAttribute('aria-required', 'true');
  return element(
    'div',
    { className: wide.includes(name) && !options ? 'field whole' : 'field' },
    element('label', { htmlFor: id }, name),
    input,
    element('p', { id: `${id}-help`, className: 'note', title: description ?? '' }, hint || firstClause(description)),
  );
}

/** The body of a POST, edited as the JSON that it is. */
function bodyField() {
  const id = 'field-body';
  const input = element('textarea', {
    id,
    name: 'body',
    rows: 16,
    className: 'mono',
    spellcheck: false,
    autocapitalize: 'off',
  });
  input.setAttribute('aria-describedby', `${id}-help`);
  return element(
    'div',
    { className: 'field whole' },
    element('label', { htmlFor: id }, 'Requests, as JSON'),
    input,
    element('p', { id: `${id}-help`, className: 'note' }, 'Any GET endpoint with its parameters. Each costs one call.'),
  );
}

/** Fills two containers with the fields of an operation: the main parameters, and the rest. */
export function showFields(operation, main, container, rest) {
  const parameters = (operation.parameters ?? []).filter(({ name }) => name);
  const own = parameters.filter(({ name }) => main.includes(name));
  own.sort((a, b) => main.indexOf(a.name) - main.indexOf(b.name));
  container.replaceChildren(...own.map(fieldOf), ...(operation.requestBody ? [bodyField()] : []));
  const others = parameters.filter(({ name }) => !main.includes(name));
  rest.replaceChildren(...others.map(fieldOf));
  rest.parentElement.hidden = others.length === 0;
}

/** The field of a parameter; undefined where there is none. What a form's list of fields itself has (`length`) is none. */
export const fieldNamed = (form, name) => [...form.elements].find((field) => field.name === name);

/** The values of a form that are not empty. */
export function valuesOf(form) {
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => value.trim() !== ''));
}

/** Marks the parameters that an error names, and nothing else. */
export function markErrors(form, errors = []) {
  for (const field of form.elements) field.removeAttribute('aria-invalid');
  for (const { parameter } of errors) fieldNamed(form, parameter)?.setAttribute('aria-invalid', 'true');
}
