/** A text field with suggestions, after the combobox pattern of the ARIA practices: arrows, Enter, Escape, Tab. */
import { element } from './element.js';

/**
 * Makes `input` a combobox over `list`. `suggest(text, signal)` gives suggestions (or undefined to leave all as it
 * is); `label(suggestion)` its text; `choose(suggestion)` is called when one is taken.
 */
export function combobox(input, list, { suggest, label, choose }) {
  let found = [];
  let active = -1;
  let running;
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
  })) {
    input.setAttribute(name, value);
  }

  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = (index) => {
    active = index;
    [...list.children].forEach((item, at) => {
      item.setAttribute('aria-selected', String(at === index));
    });
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', list.children[index].id);
  };
  const take = (index) => {
    const taken = found[index];
    input.value = label(taken);
    close();
    choose(taken);
  };
  const show = () => {
    // Who has walked to a suggestion stays on it when the answer to the last letter comes.
    const kept = list.children[active]?.textContent;
    list.replaceChildren(
      ...found.map((suggestion, index) => {
        const item = element(
          'div',
          { id: `${list.id}-${index}`, role: 'option', 'aria-selected': 'false', dir: 'auto' },
          label(suggestion),
        );
        // Before the field loses its focus, which would close the list.
        item.addEventListener('pointerdown', (event) => {
          event.preventDefault();
          take(index);
        });
        return item;
      }),
    );
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(found.length > 0));
    mark(kept === undefined ? -1 : found.findIndex((suggestion) => label(suggestion) === kept));
  };

  input.addEventListener('input', async () => {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const answer = await suggest(input.value, signal);
      if (signal.aborted) return;
      found = answer ?? [];
      show();
    } catch (error) {
      if (error.name !== 'AbortError') throw error;
    }
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      take(active);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && found.length > 0) {
      event.preventDefault();
      if (list.hidden) show();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // One more than there are suggestions: the field itself is between the last and the first.
      const turns = found.length + 1;
      mark(((active + 1 + step + turns) % turns) - 1);
    }
  });
  input.addEventListener('blur', close);
}
