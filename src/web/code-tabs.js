/** A request as code behind tabs, one for each language; the one that was chosen is chosen on every page. */
import { copyButton } from './copy-button.js';
import { element, makeScrollable } from './element.js';
import { currentKey, maskedKey } from './key.js';
import { languages } from './request-code.js';

const kept = 'whereabouts.language';
const names = Object.keys(languages);

function keptLanguage() {
  try {
    const name = localStorage.getItem(kept);
    return names.includes(name) ? name : names[0];
  } catch {
    return names[0]; // Storage is switched off.
  }
}

/**
 * Fills `frame` with tabs over the request that `read` returns: `{url, body?}`, the address whole. On the screen the
 * key is masked; what is copied has it whole. Returns the function that brings the code up to date.
 */
export function codeTabs(frame, read) {
  let language = keptLanguage();
  const { id } = frame;
  const textWith = (key) => {
    const { url, body } = read();
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    return languages[language]({ url, headers: { 'X-API-Key': key, ...type }, body });
  };
  const code = element('code', { id: `${id}-text`, translate: false });
  const block = element('pre', { className: 'wrapped' }, code);
  const panel = element('div', { id: `${id}-panel`, role: 'tabpanel' }, block);
  const showKey = element('input', { type: 'checkbox', id: `${id}-show-key` });
  const update = () => {
    code.textContent = textWith(showKey.checked && currentKey() ? currentKey() : maskedKey());
    note.hidden = !currentKey();
  };
  const tabs = names.map((name) =>
    element('button', { type: 'button', role: 'tab', id: `${id}-${name}`, 'aria-controls': panel.id }, name),
  );
  const select = (tab) => {
    for (const other of tabs) {
      other.setAttribute('aria-selected', String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
    }
    language = tab.textContent;
    panel.setAttribute('aria-labelledby', tab.id);
    update();
  };
  const choose = (tab) => {
    select(tab);
    try {
      localStorage.setItem(kept, language);
    } catch {
      // It holds for this page then.
    }
  };
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', (event) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const next = tabs.at(to % tabs.length);
      next.focus();
      choose(next);
    });
  }
  const note = element(
    'p',
    { className: 'note' },
    element('label', { className: 'inline' }, showKey, 'Show my key'),
    ' (copying takes it along either way)',
  );
  showKey.addEventListener('change', update);
  frame.replaceChildren(
    element(
      'div',
      { className: 'tabs' },
      element('div', { role: 'tablist', 'aria-label': 'Language' }, ...tabs),
      copyButton(() => textWith(currentKey() || maskedKey())),
    ),
    panel,
    note,
  );
  makeScrollable(block);
  addEventListener('keychange', update);
  select(tabs[names.indexOf(language)]);
  return update;
}
