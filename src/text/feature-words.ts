import airport from './dictionaries/airport-words.json' with { type: 'json' };
import words from './dictionaries/feature-words.json' with { type: 'json' };
import { entriesOf } from './entries.ts';

/** Words next to a name that state what it names, with their layers. Folded. */
export const featureWords: ReadonlyMap<string, ReadonlySet<string>> = layersByWord();

/** Words of an airport's name that only state that it is one. Folded. */
export const airportWords: ReadonlySet<string> = new Set([...entriesOf(airport), ...entriesOf(words.airport)]);

function layersByWord(): Map<string, Set<string>> {
  const layers = new Map<string, Set<string>>();
  for (const [layer, entries] of Object.entries(words)) {
    for (const word of entriesOf(entries)) {
      const known = layers.get(word);
      if (known) known.add(layer);
      else layers.set(word, new Set([layer]));
    }
  }
  return layers;
}
