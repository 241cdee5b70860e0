/** The request of a form, and the state of the page in its address. */
import { written } from '../request-code.js';
import { valuesOf } from './form.js';

/** State longer than this stays out of the address, which servers and mail programs cut or refuse. */
const maxStateLength = 4000;

/** The parameters of an operation that a form can have; shared ones (`$ref`) are not among them. */
export const parametersOf = (operation) => (operation.parameters ?? []).filter(({ name }) => name);

/**
 * Reads `{url, values, body, fault}`: the address from the root, what the fields hold, the JSON of a POST, or what is
 * wrong with it.
 */
export function readRequest(form, operation) {
  const values = valuesOf(form);
  let { path } = operation;
  const query = new URLSearchParams();
  for (const { name, in: where } of parametersOf(operation)) {
    if (values[name] === undefined) continue;
    if (where === 'path') path = path.replace(`{${name}}`, encodeURIComponent(values[name].trim()));
    else query.set(name, values[name].trim());
  }
  const url = `/v1${path}${query.size > 0 ? `?${query}` : ''}`;
  if (!operation.requestBody) return { url, values };
  try {
    return { url, values, body: JSON.parse(values.body ?? '') };
  } catch (error) {
    return { url, values, fault: `The body is not JSON: ${error.message}.` };
  }
}

/** The query of the page's own address for a request. */
export function stateOf(id, { values, body }) {
  const fields = body === undefined ? values : { ...values, body: JSON.stringify(body) };
  const state = `?${new URLSearchParams({ endpoint: id, ...fields })}`;
  return state.length > maxStateLength ? `?${new URLSearchParams({ endpoint: id })}` : state;
}

/** What a query of the page's address holds: an operation's id, and values for its form where there are some. */
export function readState(search) {
  const { endpoint, body, ...values } = Object.fromEntries(new URLSearchParams(search));
  if (body !== undefined) values.body = indented(body);
  return { id: endpoint, values: Object.keys(values).length > 0 ? values : undefined };
}

function indented(text) {
  try {
    return written(JSON.parse(text));
  } catch {
    return text;
  }
}
