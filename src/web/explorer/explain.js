/** `explain=true` as bars: what each feature contributed to the score of each answer. */
import { element, find } from '../element.js';

const frame = find('#explain');
const maxAnswers = 10;

/** `nameMatch` as `name match`. */
const spaced = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const points = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));

/** An interpretation: of a name and its context, or of the words of a street. */
function textOf({ name, context, words, house_number: number }) {
  if (words) return `${number ? `number ${number} in ` : ''}“${words.join(' ')}”`;
  return context ? `“${name}” in “${context}”` : `“${name}”`;
}

/** How the text was interpreted, in a sentence. */
function introduction({ tokens, interpretations, step, candidates }) {
  const read = interpretations?.[0];
  const parts = [
    tokens ? `Tokens: ${tokens.map((token) => `“${token}”`).join(' ')}.` : undefined,
    read ? `Interpreted as ${textOf(read)}.` : undefined,
    step ? `Found ${step.replaceAll('_', ' ')}.` : undefined,
    candidates === undefined ? undefined : `${candidates} candidates were compared.`,
  ];
  return parts.filter(Boolean).join(' ');
}

function barsOf({ contributions, score }, label, number, max) {
  const rows = Object.entries(contributions)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => {
      const bar = element('span', { className: value < 0 ? 'bar against' : 'bar', 'aria-hidden': 'true' });
      bar.style.width = `${(100 * Math.abs(value)) / max}%`;
      return element(
        'tr',
        {},
        element('th', { scope: 'row' }, spaced(name)),
        element('td', {}, bar),
        element('td', { className: 'points' }, points(value)),
      );
    });
  return element(
    'table',
    {},
    element('caption', { dir: 'auto' }, `${number}. `, element('strong', {}, label), `, ${points(score)} points`),
    element('tbody', {}, ...rows),
  );
}

/** Shows the explanation of an answer, by the labels of its records; hides it where there is none. */
export function showExplanation(explained, labels) {
  // Candidates that lost have no record to show.
  const answers = explained?.answers?.filter((answer) => answer.is_result !== false).slice(0, maxAnswers) ?? [];
  frame.hidden = answers.length === 0;
  if (frame.hidden) return;
  const max = Math.max(1, ...answers.flatMap(({ contributions }) => Object.values(contributions).map(Math.abs)));
  find('.bars', frame).replaceChildren(
    element('p', { className: 'note' }, introduction(explained)),
    ...answers.map((answer, at) => barsOf(answer, labels[at] ?? answer.name, at + 1, max)),
  );
}
