/** Blocks of code in the documentation get copy buttons; they name the address that this page came from. */
import { codeTabs } from './code-tabs.js';
import { copyButton } from './copy-button.js';
import { find } from './element.js';
import { currentKey } from './key.js';

const placeholder = '<your key>';

for (const frame of document.querySelectorAll('article .copyable')) {
  const code = find('code', frame);
  code.textContent = code.textContent.replace(/http:\/\/(localhost|127\.0\.0\.1):8080/g, location.origin);
  frame.append(copyButton(() => code.textContent.replaceAll(placeholder, currentKey() || placeholder)));
}

// The request of an endpoint's page stands there as curl; here it becomes three languages.
const example = document.querySelector('[data-request]');
if (example) {
  const { request, body } = example.dataset;
  codeTabs(example, () => ({ url: location.origin + request, body: body && JSON.parse(body) }));
}
