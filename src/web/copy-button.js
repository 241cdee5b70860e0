import { element } from './element.js';

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
