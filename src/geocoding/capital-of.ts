/** The capital that a text asks for by its country: `capital of France`. */
import type { Store } from '../store/store.ts';
import capitalWords from '../text/dictionaries/capital-words.json' with { type: 'json' };
import { fold } from '../text/fold.ts';
import { type Candidate, Candidates } from './candidates.ts';
import type { Layer } from './layers.ts';
import { explained } from './score.ts';
import { PlaceSearch, type PlaceSearchOptions } from './search-places.ts';
import weights from './weights.json' with { type: 'json' };

/** The longest first: `capitale de la` before `capitale de`. */
const phrases = Object.values(capitalWords)
  .flat()
  .map((phrase) => `${fold(phrase)} `)
  .sort((one, other) => other.length - one.length);
/** The first words of the phrases: most texts begin with none. */
const firstWords = new Set(phrases.map((phrase) => phrase.slice(0, phrase.indexOf(' '))));

const countryLayer: ReadonlySet<Layer> = new Set<Layer>(['country']);
const noLayer: ReadonlySet<Layer> = new Set<Layer>();

/**
 * The candidates with the capital in the first place where the text is such a phrase and the name of a country, and the
 * dataset has its capital; otherwise as they are.
 */
export function withCapital(
  { gazetteer, countries, places }: Store,
  text: string,
  options: PlaceSearchOptions,
  best: readonly Candidate[],
): readonly Candidate[] {
  const folded = fold(text);
  const end = folded.indexOf(' ');
  if (end < 0 || !firstWords.has(folded.slice(0, end))) return best;
  const phrase = phrases.find((each) => folded.startsWith(each));
  if (phrase === undefined) return best;
  const countriesOnly = { type: undefined, hasAreas: true, areaLayers: countryLayer, rowLayers: noLayer };
  const search = new PlaceSearch(gazetteer, folded.slice(phrase.length), { ...options, ...countriesOnly, limit: 1 });
  const [found] = search.best(1);
  if (!found || explained(found.parts) < weights.sureCountryOfCapital) return best;
  const code = gazetteer.countryCode(gazetteer.areaFacts(found.ref - gazetteer.facts.size).country);
  const capital = countries.get(code)?.capital;
  const [ref] = capital == null ? [] : places.named(capital, code);
  if (ref === undefined || !new Candidates(gazetteer, options).admits(ref)) return best;
  const parts = { ...found.parts, contextMatch: found.parts.contextMatch - weights.areaWord };
  return [{ ...found, ref, parts }, ...best.filter((each) => each.ref !== ref)].slice(0, options.limit);
}
