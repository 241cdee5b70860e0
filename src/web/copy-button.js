import { element, find } from './element.js';

/** A button that copies what `read` returns, and says so, to those who hear the page too. */
export function copyButton(read, label = 'Copy') {
  const button = element('button', { type: 'button', className: 'copy' }, label);
  const said = element('span', { className: 'visually-hidden', role: 'status' });
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(read());
      button.textContent = 'Copied';
      said.textContent = 'Copied';
    } catch {
      // Browsers allow the clipboard only on https and on this machine.
      button.textContent = 'Select it and press Ctrl+C';
      said.textContent = 'The browser does not allow this page to copy. Select the text and copy it yourself.';
    }
    setTimeout(() => {
      button.textContent = label;
      said.textContent = '';
    }, 2500);
  });
  return element('span', { className: 'copy-frame' }, button, said);
}

/** Shows a text that is seen once, such as a new key, in its part of a page, with a button that copies it. */
export function showOnce(part, text, label) {
  const frame = find('.key-box', part);
  find('code', frame).textContent = text;
  frame.querySelector('.copy-frame')?.remove();
  frame.append(copyButton(() => text, label));
  part.hidden = false;
  part.focus();
}
