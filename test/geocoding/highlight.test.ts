/** Which parts of a label were typed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlight } from '../../src/endpoints/autocomplete.ts';
import { fold } from '../../src/text/fold.ts';

const typed = (label: string, query: string) => {
  const offsets = highlight(label, fold(query));
  return offsets.flatMap((start, at) => (at % 2 === 0 ? [label.slice(start, offsets[at + 1])] : []));
};

test('what was typed is found in the label whatever its case and diacritics', () => {
  assert.deepEqual(typed('München, Bavaria, DE', 'munch'), ['Münch']);
  assert.deepEqual(typed('Paris, Texas, US', 'paris tex'), ['Paris', 'Tex']);
  assert.deepEqual(typed('Gießen, Hesse, DE', 'giess'), ['Gieß'], 'one letter for two');
  assert.deepEqual(typed('Grossräschen, DE', 'grossra'), ['Grossrä'], 'plain letters, then another');
  assert.deepEqual(typed('Sao Paulo', 'sao pa'), ['Sao', 'Pa']);
  assert.deepEqual(typed('Sa\u0303o Paulo', 'sa'), ['Sa\u0303'], 'a letter with the mark that belongs to it');
  assert.deepEqual(typed('Spring Spring, US', 'spring'), ['Spring'], 'each word once');
  assert.deepEqual(typed('Rome, Lazio, IT', 'roma'), [], 'found by another name');
});
