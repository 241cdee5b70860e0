/** Shows the outcome of a request: in a sentence, as coloured JSON, and, where it was too fast, until when to wait. */
import { problemText, waitSeconds } from '../ask.js';
import { copyButton } from '../copy-button.js';
import { element, find, makeScrollable } from '../element.js';
import { jsonNodes } from './answer.js';

/** Waiting longer than this is not counted down second by second. */
const maxCountdownSeconds = 120;

const outcome = find('#outcome');
const json = find('#json');
const code = find('code', json);
const send = find('#request [type="submit"]');
let text = '';
let ticking;

/** Before anything is sent. */
export function showNothing(sentence = 'No request sent yet.') {
  outcome.className = '';
  outcome.textContent = sentence;
  code.replaceChildren(element('span', { className: 'note' }, 'The answer appears here.'));
  text = '';
}

/** While an answer is on its way; said only when it takes a while. */
export function showWaiting() {
  clearTimeout(ticking);
  send.disabled = false;
  send.textContent = 'Send';
  json.setAttribute('aria-busy', 'true');
  ticking = setTimeout(() => {
    outcome.textContent = 'Asking…';
  }, 400);
}

/** A request that cannot be sent, and why. */
export function showFault(sentence) {
  outcome.className = 'bad';
  outcome.textContent = sentence;
}

/** An answer, with the sentence that the endpoint makes of it. */
export function showAnswer(answer, sentence) {
  clearTimeout(ticking);
  json.removeAttribute('aria-busy');
  const { ok, status, body, ms, headers } = answer;
  text = body === undefined ? answer.text : JSON.stringify(body, null, 2);
  code.replaceChildren(...(body === undefined ? [text] : jsonNodes(text)));
  json.scrollTop = 0;
  const left = headers.get('X-RateLimit-Remaining');
  const took = `${status || 'No answer'} in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  outcome.className = ok ? '' : 'bad';
  outcome.replaceChildren(
    element('strong', { dir: 'auto' }, (ok ? sentence : problemText(answer)).replace(/[^.!?…]$/, '$&.')),
    ` ${took}${left === null ? '' : `, ${Number(left).toLocaleString('en')} calls left today`}.`,
  );
  if (!ok && body?.type) outcome.append(' ', element('a', { href: body.type }, 'About this error'));
  const wait = waitSeconds(answer);
  if (!ok && wait !== undefined && wait <= maxCountdownSeconds) countDown(wait);
}

/** The button is disabled while the visitor has to wait. */
function countDown(seconds) {
  send.disabled = seconds > 0;
  send.textContent = seconds > 0 ? `Send in ${seconds} s` : 'Send';
  if (seconds > 0) ticking = setTimeout(countDown, 1000, seconds - 1);
}

makeScrollable(json);
find('.json .heading-row').append(copyButton(() => text));
