/** Names like a text, for texts that no exact name explains: edits, other alphabets, missing words and blanks. */
import type { Gazetteer, KeyRange } from '../store/gazetteer.ts';
import { isTransliterable } from '../text/transliterations.ts';
import type { Lattice } from './lattice.ts';
import type { NamedPlaces, Span } from './named-places.ts';
import { editMatch, minEditCost } from './score.ts';
import * as limits from './search-limits.ts';
import { transliterated } from './transliterated.ts';
import weights from './weights.json' with { type: 'json' };

/**
 * Adds to the lattice countries and regions with names similar to its spans, for which there is no area of exactly that
 * name; returns whether there are any.
 */
export function addEditedAreas(gazetteer: Gazetteer, lattice: Lattice, budget: limits.EditBudget): boolean {
  const { areaNames } = gazetteer;
  const before = lattice.areas.length;
  // What is left is for names of places.
  const least = budget.lookUps / 2;
  for (const { from, to } of lattice.worstExplained()) {
    const text = lattice.text(from, to);
    const exact = areaNames.exact(text);
    if (!limits.allowsEdit(text) || exact.from < exact.to) continue;
    const keys: number[] = [];
    budget.lookUps -= areaNames.oneEdit(text, budget.lookUps - least, (key) => keys.push(key));
    let edits = 1;
    if (keys.length === 0 && limits.allowsTwoEdits(text)) {
      edits = 2;
      const options = { edits, fixedPrefix: 1, isPrefix: false, budget: budget.nodes / 2 };
      budget.nodes -= areaNames.fuzzy(text, options, ({ from: key }) => keys.push(key));
    }
    for (const key of keys) {
      const name = areaNames.text(key);
      const areas: number[] = [];
      gazetteer.visitAreas({ from: key, to: key + 1 }, (area) => {
        areas.push(area);
        return true;
      });
      lattice.addEditedAreas(from, to, name, areas, -editMatch(text, name, edits));
    }
  }
  return lattice.areas.length > before;
}

/** Adds names with edits, then prefixes and names with further words in between, until the best candidate suffices. */
export function addFuzzyPlaces(places: NamedPlaces, budget: limits.EditBudget): void {
  const { whole, lattice } = places;
  const parts = places.parts();
  // Exact names with an edited context.
  for (const span of parts) if (places.canCompete(span.contextCost)) places.addExact(span);
  const spans = [whole, ...parts];
  addTransliterated(places, spans);
  addWithOneEdit(places, spans, budget);
  if (!places.isSatisfied()) addSplit(places, whole);
  if (!places.isSatisfied()) addWithTwoEdits(places, spans, budget);
  if (places.isSatisfied()) return;
  addBeginnings(places);
  if (lattice.tokens.length > 1) addSubsequences(places, whole);
  addEditedBeginnings(places, whole);
}

/** The spans that are the best answer if they are a name at this cost, as long as none is better. */
function* bestAt(places: NamedPlaces, cost: number, spans: readonly Span[]): Generator<Span> {
  for (const span of spans) if (places.canCompete(span.contextCost + cost, 0)) yield span;
}

function addTransliterated(places: NamedPlaces, spans: readonly Span[]): void {
  const { placeNames } = places.gazetteer;
  const whole = limits.shareOf(limits.transliterationBudget, places.lattice.tokens.length);
  let budget = whole;
  for (const { from, to, text } of bestAt(places, weights.transliterated, spans)) {
    if (!isTransliterable(text)) continue;
    const most = Math.min(budget, whole / 2);
    budget -= transliterated(placeNames, text, { isPrefix: false, budget: most }, (range, unusual) => {
      const textMatch = -weights.transliterated - weights.unusualSpelling * unusual;
      places.add(range, { from, to, name: placeNames.text(range.from) }, limits.maxFuzzy, () => textMatch);
    });
  }
}

function addWithOneEdit(places: NamedPlaces, spans: readonly Span[], budget: limits.EditBudget): void {
  const { placeNames } = places.gazetteer;
  for (const span of bestAt(places, minEditCost, spans)) {
    const { text } = span;
    if (!limits.allowsEdit(text)) continue;
    const add = (key: number) => addEdited(places, span, { from: key, to: key + 1 }, 1);
    budget.lookUps -= placeNames.oneEdit(text, budget.lookUps, add);
  }
}

function addWithTwoEdits(places: NamedPlaces, spans: readonly Span[], budget: limits.EditBudget): void {
  const { placeNames } = places.gazetteer;
  for (const span of bestAt(places, 2 * weights.otherEdit, spans)) {
    const { text } = span;
    if (!limits.allowsTwoEdits(text)) continue;
    const ranges: { range: KeyRange; edits: number }[] = [];
    const options = { edits: 2, fixedPrefix: 1, isPrefix: false, budget: budget.nodes / 2 };
    budget.nodes -= placeNames.fuzzy(text, options, (range, edits) => ranges.push({ range, edits }));
    for (const { range, edits } of ranges) addEdited(places, span, range, edits);
  }
}

function addEdited(places: NamedPlaces, span: Span, range: KeyRange, edits: number): void {
  const { from, to, text } = span;
  const name = places.gazetteer.placeNames.text(range.from);
  const textMatch = editMatch(text, name, edits);
  const most = places.isWhole(span) ? limits.maxFuzzy : limits.maxFuzzyInContext;
  places.add(range, { from, to, name }, most, () => textMatch);
}

/** Adds names of several words that were typed as one. */
function addSplit(places: NamedPlaces, { from, to, text }: Span): void {
  const { placeNames } = places.gazetteer;
  for (const { split, blanks } of withBlanks(text)) {
    const range = placeNames.exact(split);
    const textMatch = -weights.missingBlank * blanks;
    if (range.from < range.to) places.add(range, { from, to, name: split }, limits.maxFuzzy, () => textMatch);
  }
}

/** Letters of a text that is split, and the most for three blanks: 253 and 455 look-ups. */
const letters = { min: 7, max: 24, maxForThree: 16 };
/** Each part but one has two letters or more. */
const minLongPart = 2;

/** A text with two or three blanks, in all ways that may be names, those with fewer first. */
export function* withBlanks(text: string): Generator<{ split: string; blanks: number }> {
  if (text.length < letters.min || text.length > letters.max || text.includes(' ')) return;
  for (let one = minLongPart; one < text.length - 1; one++) {
    for (let two = one + 1; two < text.length; two++) {
      yield { split: `${text.slice(0, one)} ${text.slice(one, two)} ${text.slice(two)}`, blanks: 2 };
    }
  }
  if (text.length > letters.maxForThree) return;
  for (let one = minLongPart; one < text.length - 4; one++) {
    for (let two = one + minLongPart; two < text.length - 2; two++) {
      for (let three = two + minLongPart; three <= text.length - minLongPart; three++) {
        const parts = [text.slice(0, one), text.slice(one, two), text.slice(two, three), text.slice(three)];
        yield { split: parts.join(' '), blanks: 3 };
      }
    }
  }
}

/** Adds names that begin with the first words of the text, the others being context. */
function addBeginnings(places: NamedPlaces): void {
  for (const to of [...places.lattice.tokens.keys()].reverse()) {
    const span = places.span(0, to);
    const isLong = span.text.length >= limits.minPrefixLength;
    if (isLong && places.canCompete(span.contextCost + weights.wordsMissing)) places.addPrefixed(span);
  }
}

/** Adds names of which a text is the beginning, with an edit. */
function addEditedBeginnings(places: NamedPlaces, { from, to, text }: Span): void {
  if (!limits.allowsEdit(text)) return;
  const { placeNames } = places.gazetteer;
  const ranges: KeyRange[] = [];
  const options = { edits: 1, fixedPrefix: 0, isPrefix: true, budget: limits.walkBudget / 2 };
  placeNames.fuzzy(text, options, (range) => ranges.push(range));
  const textMatch = -weights.otherEdit - weights.editedPrefix;
  for (const range of ranges) {
    places.add(range, { from, to, name: placeNames.text(range.from) }, limits.maxFuzzy, () => textMatch);
  }
}

/** Adds names with all words in order, others in between: `Rothenburg Tauber` for `Rothenburg ob der Tauber`. */
function addSubsequences(places: NamedPlaces, { from, to, text }: Span): void {
  const { gazetteer, filter, found } = places;
  const { placeNames } = gazetteer;
  const words = text.split(' ');
  const range = placeNames.prefixRange(`${words[0]} `);
  let visited = 0;
  gazetteer.visitPlaces(range, filter.country, (index, kind, posting) => {
    const name = () => placeNames.text(placeNames.keyOf(posting, range));
    if (found.admits(index) && holdsInOrder(name().split(' '), words)) {
      places.addScored(index, kind, { from, to, name: text }, -weights.wordsBetween, false);
    }
    return ++visited < limits.maxSubsequence;
  });
}

/** Whether all words occur among others in their order. */
export function holdsInOrder(candidates: readonly string[], words: readonly string[]): boolean {
  let found = 0;
  for (const word of candidates) if (found < words.length && word === words[found]) found++;
  return found === words.length;
}
