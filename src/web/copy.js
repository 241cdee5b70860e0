/** Copy buttons beside blocks of code; examples name the address that this page came from. */
import { element } from './element.js';

/** A button that copies what `read` gives, and says so. */
export function copyButton(read, label = 'Copy') {
  const button = element('button', { type: 'button', className: 'copy' }, label);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(read());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
  return button;
}

for (const block of document.querySelectorAll('article pre')) {
  const code = block.firstElementChild ?? block;
  code.textContent = code.textContent.replace(/http:\/\/(localhost|127\.0\.0\.1):8080/g, location.origin);
  const frame = element('div', { className: 'copyable' });
  block.replaceWith(frame);
  frame.append(
    block,
    copyButton(() => code.textContent),
  );
}
