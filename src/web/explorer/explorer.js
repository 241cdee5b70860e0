/** The explorer: a form for each endpoint, its request as code, its answer, and both on a map. The address holds it all. */
import { ask, refusalText } from '../ask.js';
import { codeTabs } from '../code-tabs.js';
import { copyButton } from '../copy-button.js';
import { element, find } from '../element.js';
import { currentKey } from '../key.js';
import { startKeyWanted } from '../key-wanted.js';
import { visitorLanguage } from '../language.js';
import { startPlaceBox } from '../place-box.js';
import { drawFound, drawRequest, foundIn } from './drawing.js';
import { showExplanation } from './explain.js';
import { fieldNamed, markErrors, showFields } from './form.js';
import { herePopup } from './here.js';
import { createMap } from './map.js';
import { showAnswer, showFault, showNothing, showWaiting } from './outcome.js';
import { coveredBy, isDrawerOpen, openDrawerBeside, sayEmpty, setDrawer, startLayers } from './overlay.js';
import { recordPopup } from './popup.js';
import { noteRequest, showRecent } from './recent.js';
import { parametersOf, readRequest, readState, stateOf } from './request.js';
import { markResult, showResults } from './results.js';
import { sentenceOf, tools } from './tools.js';

const chooser = find('#tool');
const form = find('#request');
const rest = find('#more-fields');

const operations = {};
let tool = tools[0];
let map = { draw() {}, centre: () => undefined, near: () => undefined, mean() {}, popup() {}, show() {} };
/** For pairs: whether the next click sets the far end. */
let isSecond = false;
let running;
/** Records of the answer that is shown, each with its label and the number of its pin. */
let found = [];
let showCode = () => {};
/** The last request that could be read, for the code next to a body that is being edited. */
let readable = { url: '', values: {} };

const request = () => readRequest(form, operations[tool.id]);

/** Whether what is in the form has a place of its own in the browser's history: what was sent before stays behind it. */
let isDraft = true;
/** Whether nothing was asked yet on a page that was opened without a request. */
let isBare = location.search === '';

/** Shows the request as it stands, and in the address; `isDraft`: it is still being made. */
function showRequest(next) {
  const current = request();
  if (!current.fault) readable = current;
  showCode();
  const state = stateOf(tool.id, readable);
  if (!isBare && state !== location.search) {
    history[isDraft ? 'replaceState' : 'pushState'](null, '', state + location.hash);
    isDraft = true;
  }
  if (!next.isDraft) isDraft = false;
  drawNow(false);
}

function drawNow(fit) {
  if (isBare) return;
  const radius = parametersOf(operations[tool.id]).find(({ name }) => name === 'radius')?.schema;
  map.draw([...drawRequest(tool, request().values, radius), ...drawFound(found)], { fit });
}

/** Shows the records of an answer, or none, in the list and on the map. */
function setFound(records, explained) {
  found = records;
  showResults(found, { onChoose: choose, onPoint: point });
  showExplanation(
    explained,
    found.map(({ label }) => label),
  );
  map.mean(undefined);
}

function point(index) {
  markResult(index);
  map.mean(index);
}

/** A record that was clicked, in the list or as a pin. */
function choose(index) {
  const { record, label, number } = found[index];
  markResult(index, { isShown: true });
  map.mean(index);
  if (number !== undefined) map.popup(record, recordPopup(label, record));
}

/** The sample of an endpoint, with names in the visitor's language where the endpoint has some. */
function sampleOf({ id, main, sample }) {
  const hasLanguage = main.includes('lang') && parametersOf(operations[id]).some(({ name }) => name === 'lang');
  const lang = hasLanguage ? visitorLanguage() : undefined;
  return lang ? { ...sample, lang } : sample;
}

/** Whether an endpoint is offered; without one, the first is meant. */
const isOffered = (id) => id === undefined || tools.some((offered) => offered.id === id && operations[id]);

function open(id, values) {
  tool = tools.find((offered) => offered.id === id && operations[id]) ?? tools[0];
  chooser.value = tool.id;
  const operation = operations[tool.id];
  const about = `${operation.summary}. ${operation.description.split('. ', 1)[0].replace(/\.$/, '')}. `;
  find('#summary').replaceChildren(
    about,
    element('a', { href: `/docs/endpoints/${tool.id}` }, `Documentation of ${operation.path}`),
  );
  showFields(operation, tool.main, find('#fields'), rest);
  rest.parentElement.open = false;
  for (const [name, value] of Object.entries(values ?? sampleOf(tool))) {
    const field = fieldNamed(form, name);
    if (field) field.value = value;
    if (field && rest.contains(field)) rest.parentElement.open = true;
  }
  isSecond = false;
  find('#use-centre').hidden = !tool.place;
  hint();
  setFound([]);
  running?.abort();
  if (!isBare) showNothing();
  showRequest({ isDraft: false });
}

function hint() {
  const hints = {
    point: `A click on the map sets the point and sends the request.${tool.main.includes('radius') ? ' Drag the handle of the circle to change the radius.' : ''}`,
    pair: isSecond ? 'The next click sets the second point.' : 'Two clicks on the map set both points.',
  };
  find('#tool-hint').textContent = hints[tool.place] ?? '';
}

/** Sends the form's request; the answer's body, or undefined where there is none. */
async function send({ fit = true } = {}) {
  isBare = false;
  showRequest({ isDraft: false });
  const { url, body, fault } = request();
  markErrors(form, fault ? [{ parameter: 'body' }] : []);
  if (fault) {
    showFault(fault);
    return undefined;
  }
  if (tool.needsKey && !currentKey()) {
    showFault('You need a key first.');
    setDrawer(true);
    find('#quick-key').focus();
    return undefined;
  }
  running?.abort();
  running = new AbortController();
  showWaiting();
  let answer;
  try {
    answer = await ask(url, { signal: running.signal, ...(body === undefined ? {} : { method: 'POST', body }) });
  } catch {
    return undefined; // A newer request replaced it.
  }
  markErrors(form, answer.body?.errors);
  showAnswer(answer, answer.ok ? sentenceOf(tool, answer) : undefined);
  // A key that is no longer valid is replaced.
  if (answer.status === 401) {
    keyWanted();
    setDrawer(true);
  }
  setFound(answer.ok ? foundIn(answer.body) : [], answer.body?.explain);
  drawNow(fit);
  if (!answer.ok) return undefined;
  noteRequest({ title: titleOf(request().values), state: location.search }, again);
  return answer.body;
}

/** A request in a few words, for the list of recent ones. */
function titleOf(values) {
  const parts = tool.main.flatMap((name) =>
    values[name] === undefined || name === 'body' ? [] : [values[name].trim()],
  );
  return [tool.title, parts.join(', ')].filter(Boolean).join(': ');
}

/** Opens and sends an earlier request. */
function again(search) {
  const { id, values } = readState(search);
  open(id, values);
  send();
}

const withLanguage = (values) => {
  const lang = visitorLanguage();
  return lang ? { ...values, lang } : values;
};

/** What is at a position: asked as `/reverse`, told in a popup. */
async function showHere({ lat, lng }) {
  open('reverse', withLanguage({ lat, lng }));
  const body = await send({ fit: false });
  if (body) map.popup({ lat, lng }, herePopup({ lat, lng }, body));
}

function setRadius(km, { isDone }) {
  fieldNamed(form, 'radius').value = km;
  showRequest({ isDraft: true });
  if (isDone) send({ fit: false });
}

function setPlace({ lat, lng }) {
  const set = (name, value) => {
    fieldNamed(form, name).value = value;
  };
  if (!isDrawerOpen()) showHere({ lat, lng });
  else if (tool.place === 'point') {
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
      showRequest({ isDraft: true });
    } else send({ fit: false });
    isSecond = !isSecond;
    hint();
  } else showHere({ lat, lng });
}

/** Opens what a link holds; fields of an endpoint that does not exist are not another one's. */
const openLinked = ({ id, values }) => open(id, isOffered(id) ? values : undefined);

/** Sends what a link holds; but a body, which may cost many calls, only when its visitor presses the button. */
function sendLinked({ id, values }, options) {
  if (!isOffered(id)) showFault(`There is no endpoint “${id}”. Choose one of the list.`);
  else if (values?.body === undefined) send(options);
  else showNothing('Not sent yet: each request in the body costs one call. Press Send to send them.');
}
const keyWanted = startKeyWanted(() => send());

async function start() {
  const { body: api } = await ask('/openapi.json');
  if (!api) throw new Error('the description of the API could not be loaded');
  for (const [path, item] of Object.entries(api.paths)) {
    for (const operation of [item.get, item.post]) {
      if (operation && !item.servers) operations[operation.operationId] = { path, ...operation };
    }
  }
  chooser.append(
    ...tools
      .filter(({ id }) => operations[id])
      .map(({ id, title }) => element('option', { value: id }, `${title} · ${operations[id].path.slice(1)}`)),
  );
  const hadView = location.hash.startsWith('#map=');
  const state = readState(location.search);
  showCode = codeTabs(find('#code'), () => ({ url: location.origin + readable.url, body: readable.body }));
  openLinked(state);

  chooser.addEventListener('change', () => {
    open(chooser.value);
    send();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  form.addEventListener('input', () => {
    setFound([]);
    showRequest({ isDraft: true });
  });
  addEventListener('popstate', () => {
    // Links within the page change its hash alone.
    if (location.search === (isBare ? '' : stateOf(tool.id, readable))) return;
    const state = readState(location.search);
    isDraft = true;
    isBare = location.search === '';
    openLinked(state);
    if (!isBare) return void sendLinked(state);
    map.draw([], { fit: false });
    showNothing('Search, or click anywhere on the map to see what is there.');
  });
  find('#use-centre').addEventListener('click', () => setPlace(map.centre()));
  showRecent(again);
  find('#drawer .request').append(copyButton(() => location.href, 'Copy link'));
  // What the box and a click send needs no form; other endpoints have theirs beside the map.
  if (!isBare && !ownRequests.includes(state.id)) openDrawerBeside();
  const sent = isBare ? undefined : sendLinked(state, { fit: !hadView });
  map = await createMap(find('#map'), {
    onPlace: setPlace,
    onPin: choose,
    onPoint: point,
    onRadius: setRadius,
    onEmpty: sayEmpty,
    onNote: (text) => find('#map-hint').append(text),
    padding: coveredBy,
    isPage: true,
  });
  await sent;
  drawNow(!hadView);
}

/** What the search box and a click on the map send. */
const ownRequests = ['search', 'place', 'reverse'];

startLayers((layer, isShown) => map.show(layer, isShown));

const started = start().catch((error) => showFault(`The explorer cannot start: ${error.message}`));

const box = startPlaceBox(find('#find'), {
  onFound(suggestions) {
    setFound(foundIn({ results: suggestions }));
    // Who looks at a town stays there until something is chosen.
    map.draw(drawFound(found), { fit: found.length > 0 && !map.near() });
  },
  async onChoose({ id }) {
    await started;
    open('place', withLanguage({ id }));
    if (await send()) choose(0);
  },
  async onSearch(q) {
    await started;
    open('search', withLanguage({ q }));
    send();
  },
  onError: ({ code, retryAfter, message }) => showFault(refusalText(code, retryAfter, message)),
});
// On the map of one town, what is there is meant first.
box.addEventListener('focusin', () => {
  const near = map.near();
  for (const name of ['lat', 'lng']) {
    if (near) box.setAttribute(name, near[name].toFixed(2));
    else box.removeAttribute(name);
  }
});
