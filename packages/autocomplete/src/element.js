/**
 * `<whereabouts-autocomplete>`: suggestions for a text field, after the combobox pattern of the ARIA Authoring
 * Practices (editable, with list autocomplete). The field and the list stand in the light DOM, so that labels, forms
 * and assistive technology see one document.
 */
import { fillFields } from './fill.js';
import { optionOf } from './option.js';
import { addStyle } from './style.js';
import { getJson, isLongEnough, SuggestionError, Suggestions } from './suggestions.js';

/** Attributes that are parameters of `/autocomplete` under the same name. */
const parameters = ['country', 'lang', 'layers', 'limit', 'bbox', 'lat', 'lng'];
const defaultMinLength = 2;
const defaultDebounceMs = 120;

/** What the element says. Set `messages` to translate it. */
const englishMessages = {
  /** @param {number} count */
  found: (count) => (count === 1 ? '1 suggestion' : `${count} suggestions`),
  none: 'No suggestions',
  failed: 'Suggestions are not available',
  choose: 'Choose one of the suggestions',
  /** @type {Readonly<Record<string, string>>} */
  layers: {
    country: 'Country',
    region: 'Region',
    subregion: 'District',
    postal: 'Postal code',
    street: 'Street',
    address: 'Address',
    poi: 'Point of interest',
    island: 'Island',
    airport: 'Airport',
    water: 'Water',
    peak: 'Mountain',
  },
};

let created = 0;

export class WhereaboutsAutocomplete extends HTMLElement {
  #suggestions = new Suggestions();
  /** @type {import('./suggestions.js').Suggestion[]} */
  #found = [];
  #active = -1;
  #chosen = false;
  /** Grows with each choice and each text typed, so that details which arrive late fill nothing. */
  #turn = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {HTMLInputElement | undefined} */
  #input;
  #list = document.createElement('div');
  #status = document.createElement('div');
  /** @type {AbortController | undefined} */
  #listeners;

  /** What the element says, for translation. */
  messages = englishMessages;

  /**
   * The text of a suggestion, in the list and in the field.
   *
   * @type {(suggestion: import('./suggestions.js').Suggestion) => string}
   */
  format = ({ label }) => label;

  connectedCallback() {
    const prefix = `whereabouts-${++created}`;
    addStyle(this.getRootNode());
    const input = this.querySelector('input') ?? this.#ownInput();
    this.#input = input;
    this.#list.id = `${prefix}-list`;
    this.#list.role = 'listbox';
    this.#list.hidden = true;
    const name = this.getAttribute('label') ?? input.labels?.[0]?.textContent?.trim() ?? input.ariaLabel;
    this.#list.ariaLabel = name || 'Suggestions';
    this.#status.role = 'status';
    this.append(this.#list, this.#status);
    input.role = 'combobox';
    input.autocomplete = 'off';
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-controls', this.#list.id);
    input.setAttribute('aria-expanded', 'false');
    input.spellcheck = false;
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    input.addEventListener('input', (event) => this.#onInput(event), { signal });
    input.addEventListener('compositionend', () => this.#askSoon(), { signal });
    input.addEventListener('keydown', (event) => this.#onKey(event), { signal });
    input.addEventListener('blur', () => this.#close(), { signal });
    input.form?.addEventListener('reset', () => this.#onReset(), { signal });
    // The field keeps the focus while the list is scrolled or clicked.
    this.#list.addEventListener('mousedown', (event) => event.preventDefault(), { signal });
    this.#list.addEventListener('click', (event) => this.#onClick(event), { signal });
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#suggestions.cancel();
    this.#listeners?.abort();
    this.#list.remove();
    this.#status.remove();
  }

  /** The text of the field. */
  get value() {
    return this.#input?.value ?? '';
  }

  set value(text) {
    if (!this.#input) return;
    this.#input.value = text;
    this.#close();
    this.#check(text);
  }

  /** A field of our own, where the page has put none inside the element. */
  #ownInput() {
    const input = document.createElement('input');
    input.type = 'text';
    for (const name of ['name', 'placeholder', 'required']) {
      const value = this.getAttribute(name);
      if (value !== null) input.setAttribute(name, value);
    }
    input.ariaLabel = this.getAttribute('label') ?? 'Place or address';
    this.append(input);
    return input;
  }

  /** @param {Event} event */
  #onInput(event) {
    // A change that this element or a script made is not typing.
    if (event instanceof InputEvent === false) return;
    this.#turn++;
    this.#clear();
    // Half a character of an input method means nothing yet.
    if (!event.isComposing) this.#askSoon();
  }

  /** Takes back what the last choice filled in. */
  #clear() {
    if (this.#chosen) {
      this.#chosen = false;
      fillFields(this.#scope, undefined);
      this.dispatchEvent(new CustomEvent('whereabouts-clear', { bubbles: true, composed: true }));
    }
    this.#check(this.value);
  }

  /** The browser resets what people see; hidden fields and other elements keep what was filled in. */
  #onReset() {
    this.#turn++;
    this.#show([]);
    this.#status.textContent = '';
    this.#clear();
    // The event comes before the field has its first text again.
    this.#check(this.#input?.defaultValue ?? '');
  }

  /**
   * With `require-choice`, a text that is neither a chosen suggestion nor the field's first one is invalid. An empty
   * field is left to `required`.
   *
   * @param {string} text
   */
  #check(text) {
    const isValid =
      !this.hasAttribute('require-choice') || this.#chosen || text.trim() === '' || text === this.#input?.defaultValue;
    this.#input?.setCustomValidity(isValid ? '' : this.messages.choose);
  }

  #askSoon() {
    clearTimeout(this.#timer);
    const text = this.value.trim();
    if (!isLongEnough(text, this.#number('min-length', defaultMinLength))) {
      this.#show([]);
      this.#status.textContent = '';
      return;
    }
    this.#timer = setTimeout(() => this.#ask(text), this.#number('debounce', defaultDebounceMs));
  }

  /** @param {string} text */
  async #ask(text) {
    const url = this.#url('autocomplete');
    url.searchParams.set('q', text);
    for (const name of parameters) {
      const value = this.getAttribute(name);
      if (value !== null) url.searchParams.set(name, value);
    }
    try {
      const found = await this.#suggestions.load(url, this.getAttribute('api-key') ?? '');
      if (!found || document.activeElement === null || this.value.trim() !== text) return;
      this.#show(found);
      this.dispatchEvent(new CustomEvent('whereabouts-found', { bubbles: true, composed: true, detail: found }));
      this.#status.textContent = found.length === 0 ? this.messages.none : this.messages.found(found.length);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    if (!(error instanceof SuggestionError)) throw error;
    this.#show([]);
    this.#status.textContent = this.messages.failed;
    this.dispatchEvent(new CustomEvent('whereabouts-error', { bubbles: true, composed: true, detail: error }));
  }

  /** @param {import('./suggestions.js').Suggestion[]} found */
  #show(found) {
    this.#found = found;
    const { layers } = this.messages;
    this.#list.replaceChildren(
      ...found.map((one, at) => optionOf(one, this.format(one), `${this.#list.id}-${at}`, layers)),
    );
    this.#mark(-1);
    if (found.length > 0) this.#open();
    else this.#close();
  }

  #open() {
    this.#list.hidden = false;
    this.#input?.setAttribute('aria-expanded', 'true');
  }

  #close() {
    clearTimeout(this.#timer);
    // Suggestions on the way would open it again.
    this.#suggestions.cancel();
    this.#list.hidden = true;
    this.#input?.setAttribute('aria-expanded', 'false');
    this.#mark(-1);
  }

  /** Makes a suggestion the active one; -1 is the field itself. @param {number} index */
  #mark(index) {
    this.#active = index;
    for (const [at, option] of [...this.#list.children].entries()) option.ariaSelected = String(at === index);
    const option = this.#list.children[index];
    if (option) {
      this.#input?.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    } else this.#input?.removeAttribute('aria-activedescendant');
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.isComposing) return;
    const isOpen = !this.#list.hidden;
    if (event.key === 'Escape') {
      if (isOpen) {
        // The dialog around the form stays open.
        event.stopPropagation();
        event.preventDefault();
        this.#close();
      }
    } else if (event.key === 'Enter') {
      if (isOpen && this.#active >= 0) {
        event.preventDefault();
        this.#choose(this.#active);
      }
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && this.#found.length > 0) {
      event.preventDefault();
      this.#open();
      // The field itself stands between the last suggestion and the first.
      const turns = this.#found.length + 1;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.#mark(((this.#active + 1 + step + turns) % turns) - 1);
    }
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const option = /** @type {Element} */ (event.target).closest('[role="option"]');
    const at = option ? [...this.#list.children].indexOf(option) : -1;
    if (at >= 0) this.#choose(at);
  }

  /** @param {number} index */
  async #choose(index) {
    const suggestion = this.#found[index];
    if (!suggestion || !this.#input) return;
    this.#input.value = this.format(suggestion);
    this.#input.dispatchEvent(new Event('change', { bubbles: true }));
    this.#chosen = true;
    this.#check(this.value);
    const turn = ++this.#turn;
    this.#close();
    try {
      const record = this.hasAttribute('details') ? await this.#details(suggestion) : suggestion;
      if (turn !== this.#turn) return;
      fillFields(this.#scope, record);
      this.dispatchEvent(new CustomEvent('whereabouts-select', { bubbles: true, composed: true, detail: record }));
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    }
  }

  /** The whole record of a suggestion. @param {import('./suggestions.js').Suggestion} suggestion */
  async #details(suggestion) {
    const url = this.#url(`place/${encodeURIComponent(suggestion.id)}`);
    const body = await getJson(url, this.getAttribute('api-key') ?? '');
    const { postal_codes: codes } = body;
    return { ...suggestion, ...body, postal_code: codes.length === 1 ? codes[0] : null };
  }

  /** The form around the element, else the document. */
  get #scope() {
    return this.closest('form') ?? this.ownerDocument;
  }

  /** @param {string} path */
  #url(path) {
    const base = this.getAttribute('base-url') ?? '/v1';
    return new URL(`${base.replace(/\/$/, '')}/${path}`, this.ownerDocument.baseURI);
  }

  /** @param {string} name @param {number} byDefault */
  #number(name, byDefault) {
    const text = this.getAttribute(name);
    const number = Number(text);
    return text === null || !Number.isFinite(number) || number < 0 ? byDefault : number;
  }
}
