/** The page that shows the autocomplete element: the chosen record is printed. */
import { find } from './element.js';
import { startKeyWanted } from './key-wanted.js';
import { startPlaceBox } from './place-box.js';

const record = find('#record');
const keyWanted = startKeyWanted(() => find('#city').focus());

startPlaceBox(find('#demo'), {
  onChoose(place) {
    record.textContent = JSON.stringify(place, undefined, 2);
  },
  onSearch() {},
  onError({ message, status }) {
    record.textContent = message;
    if (status === 401) keyWanted();
  },
});
