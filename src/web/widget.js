/** The page that shows the autocomplete element: it gets the visitor's key, and the chosen record is printed. */
import '/assets/autocomplete/index.js';
import { find } from './element.js';
import { currentKey } from './key.js';
import { startKeyWanted } from './key-wanted.js';

const box = find('whereabouts-autocomplete');
const record = find('#record');
const keyWanted = startKeyWanted(() => find('#city').focus());

const useKey = () => box.setAttribute('api-key', currentKey());
addEventListener('keychange', useKey);
useKey();

box.addEventListener('whereabouts-select', ({ detail }) => {
  record.textContent = JSON.stringify(detail, undefined, 2);
});
box.addEventListener('whereabouts-error', ({ detail: { message, status } }) => {
  record.textContent = message;
  if (status === 401) keyWanted();
});
