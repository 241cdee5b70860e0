/** The explorer: a form for each endpoint, its request as code, its answer, and both on a map. The address holds it all. */
import { ask, problemText } from '../ask.js';
import { copyButton } from '../copy.js';
import { element, find, makeScrollable } from '../element.js';
import { currentKey, keepKey, looksLikeKey, maskedKey } from '../key.js';
import { jsonNodes } from './answer.js';
import { drawAnswer, drawRequest } from './drawing.js';
import { markErrors, showFields, valuesOf } from './form.js';
import { createMap } from './map.js';
import { languages } from './request-code.js';
import { tools } from './tools.js';

const chooser = find('#tool');
const form = find('#request');
const outcome = find('#outcome');
const json = find('#json code');
const code = find('#code');
const showKey = find('#show-key');
const rest = find('#more-fields');

const operations = {};
let tool = tools[0];
let language = 'curl';
let map = { draw() {}, centre: () => undefined };
/** For pairs: whether the next click sets the far end. */
let isSecond = false;
let running;
/** Records of the answer that is shown, for the map. */
let found = [];

function parametersOf(id) {
  return operations[id].parameters.filter(({ name }) => name);
}

/** The request of the form: its address from the root, and its whole address. */
function request() {
  const values = valuesOf(form);
  let path = operations[tool.id].path;
  const query = new URLSearchParams();
  for (const { name, in: where } of parametersOf(tool.id)) {
    if (values[name] === undefined) continue;
    if (where === 'path') path = path.replace(`{${name}}`, encodeURIComponent(values[name]));
    else query.set(name, values[name].trim());
  }
  const url = `/v1${path}${query.size > 0 ? `?${query}` : ''}`;
  return { url, whole: location.origin + url, values };
}

function codeText(key) {
  return languages[language](request().whole, { 'X-API-Key': key });
}

function showRequest() {
  const { values } = request();
  code.textContent = codeText(showKey.checked && currentKey() ? currentKey() : maskedKey());
  const state = new URLSearchParams({ endpoint: tool.id, ...values });
  history.replaceState(null, '', `?${state}${location.hash}`);
  found = [];
  drawNow(false);
}

function drawNow(fit) {
  const radius = parametersOf(tool.id).find(({ name }) => name === 'radius')?.schema.default;
  map.draw([...drawRequest(tool, request().values, radius), ...found], { fit });
}

function open(id, values) {
  tool = tools.find((offered) => offered.id === id) ?? tool;
  chooser.value = tool.id;
  const { summary, description } = operations[tool.id];
  find('#summary').textContent = `${summary}. ${description.split('. ', 1)[0].replace(/\.$/, '')}.`;
  showFields(parametersOf(tool.id), tool.main, find('#fields'), rest);
  for (const [name, value] of Object.entries(values ?? tool.sample)) {
    const field = form.elements[name];
    if (field) field.value = value;
    if (field && rest.contains(field)) rest.parentElement.open = true;
  }
  isSecond = false;
  find('#use-centre').hidden = !tool.place;
  hint();
  json.textContent = '{}';
  outcome.textContent = 'Nothing sent yet.';
  outcome.className = '';
  showRequest();
}

function hint() {
  const hints = {
    point: 'A click on the map sets the point and sends the request.',
    pair: isSecond ? 'The next click sets the far end.' : 'Two clicks on the map set both ends.',
  };
  find('#map-hint').textContent = hints[tool.place] ?? 'What the answer holds is shown here.';
}

async function send({ fit = true } = {}) {
  showRequest();
  if (!currentKey()) {
    outcome.textContent = 'A key is needed: put one in above, or sign up for one.';
    outcome.className = 'bad';
    find('#key').focus();
    return;
  }
  running?.abort();
  running = new AbortController();
  let answer;
  try {
    answer = await ask(request().url, { signal: running.signal });
  } catch {
    return; // Another request took its place.
  }
  const { ok, status, body, ms, text, headers } = answer;
  json.replaceChildren(...(body ? jsonNodes(body) : [text]));
  markErrors(form, body?.errors);
  outcome.className = ok ? '' : 'bad';
  const left = headers.get('X-RateLimit-Remaining');
  const took = `${status} in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms${left === null ? '' : `, ${Number(left).toLocaleString('en')} calls left today`}`;
  outcome.replaceChildren(
    element(
      'strong',
      {},
      ok
        ? (tool.say?.(body) ?? (body.count === undefined ? 'Answered.' : `${body.count} results.`))
        : problemText(answer),
    ),
    ` ${took}.`,
  );
  // A key that is no longer one makes room for another.
  if (status === 401) document.documentElement.toggleAttribute('data-key', false);
  if (!ok && body?.type) outcome.append(' ', element('a', { href: body.type }, 'About this error'));
  found = ok ? drawAnswer(body) : [];
  drawNow(fit);
}

function setPlace({ lat, lng }) {
  const set = (name, value) => {
    form.elements[name].value = value;
  };
  if (tool.place === 'point') {
    set('lat', lat);
    set('lng', lng);
    send({ fit: false });
  } else if (tool.place === 'pair') {
    const end = isSecond ? 'to' : 'from';
    set(`${end}_lat`, lat);
    set(`${end}_lng`, lng);
    if (!isSecond) {
      set('to_lat', '');
      set('to_lng', '');
      showRequest();
    } else send({ fit: false });
    isSecond = !isSecond;
    hint();
  }
}

/** Tabs as the ARIA practices have them: arrows move and select. */
function startTabs() {
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const select = (tab) => {
    for (const other of tabs) {
      other.setAttribute('aria-selected', String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
    }
    language = tab.id.slice('tab-'.length);
    find('#code-panel').setAttribute('aria-labelledby', tab.id);
    showRequest();
  };
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const next = tabs[(at + step + tabs.length) % tabs.length];
      next.focus();
      select(next);
    });
  }
}

function startKey() {
  find('#use-key').addEventListener('click', () => {
    const text = find('#key').value;
    if (!looksLikeKey(text)) {
      find('#key-help').textContent = 'A key is "wab_" and 36 letters and digits.';
      return;
    }
    keepKey(text);
    send();
  });
  addEventListener('keychange', showRequest);
}

async function start() {
  const { body: api } = await ask('/openapi.json');
  if (!api) throw new Error('the description of the API could not be loaded');
  for (const [path, item] of Object.entries(api.paths)) {
    if (item.get) operations[item.get.operationId] = { path, ...item.get, parameters: item.get.parameters ?? [] };
  }
  chooser.append(
    ...tools
      .filter(({ id }) => operations[id])
      .map(({ id, title }) => element('option', { value: id }, `${title}  /${operations[id].path.slice(1)}`)),
  );
  const given = Object.fromEntries(new URLSearchParams(location.search));
  const { endpoint, ...values } = given;
  const isKnown = operations[endpoint] && tools.some(({ id }) => id === endpoint);
  const hasValues = isKnown && Object.keys(values).length > 0;
  const hadView = location.hash.startsWith('#map=');
  open(isKnown ? endpoint : 'reverse', hasValues ? values : undefined);

  form.classList.remove('waiting');
  chooser.addEventListener('change', () => {
    open(chooser.value);
    if (currentKey()) send();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  form.addEventListener('input', showRequest);
  showKey.addEventListener('change', showRequest);
  find('#use-centre').addEventListener('click', () => {
    const centre = map.centre();
    if (centre) setPlace(centre);
  });
  find('#code-panel').append(copyButton(() => codeText(currentKey() || '<your key>')));
  startTabs();
  makeScrollable(find('#json'), find('#code-panel pre'));
  startKey();
  // The answer does not wait for the map, which takes a while to load.
  if (currentKey()) send({ fit: false });
  map = await createMap(find('#map'), setPlace);
  drawNow(!hadView);
}

start().catch((error) => {
  outcome.textContent = `The explorer cannot start: ${error.message}`;
  outcome.className = 'bad';
});
