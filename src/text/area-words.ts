import words from './dictionaries/area-words.json' with { type: 'json' };
import capital from './dictionaries/capital-words.json' with { type: 'json' };
import { entriesOf } from './entries.ts';
import { fold } from './fold.ts';

/** Words next to a name that state which level of administrative area it names: `Chiba prefecture`. Folded. */
export const areaWords: ReadonlyMap<string, ReadonlySet<string>> = layersByWord();

/** What the name of a country follows where its capital is meant: `capital of France`. Folded. */
export const capitalWords: ReadonlySet<string> = new Set(Object.values(capital).flat().map(fold));

function layersByWord(): Map<string, Set<string>> {
  const layers = new Map<string, Set<string>>();
  for (const [layer, entries] of Object.entries(words)) {
    for (const word of entriesOf(entries)) layers.set(word, (layers.get(word) ?? new Set()).add(layer));
  }
  return layers;
}
