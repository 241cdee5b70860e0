/** The features that a score is the sum of, and the lists ordered by score. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aliasWorth,
  areaProminence,
  betweenMatch,
  editMatch,
  explained,
  minEditCost,
  nameMatch,
  nearness,
  prefixMatch,
  prominencePoints,
  score,
} from '../../src/geocoding/score.ts';
import { PlaceSearch } from '../../src/geocoding/search-places.ts';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import { smallWorld } from '../support/small-world.ts';
import { candidatesOf, everything, judgingWorld, latticeOf } from './judging-world.ts';

/** Kinds of names as `visitPlaces` reports them: the main one, another of a well-known place, others, inner words, romanised ones. */
const [main, known, other, inner, romanised] = [0, 1, 2, 3, 4] as const;

test('a kind of name costs its weight, and an alternative name more where it is not typed exactly', () => {
  assert.deepEqual(
    [main, known, other, inner, romanised].map((kind) => nameMatch(kind) + 0),
    [0, 0, 0, -weights.innerName, -weights.romanisedName],
  );
  const worth = (unlike: number) => [main, known, other, inner, romanised].map((kind) => aliasWorth(kind, unlike));
  assert.deepEqual(worth(0), [0, -weights.knownName, -weights.otherName, 0, 0]);
  assert.deepEqual(worth(1), [
    0,
    -weights.knownName - weights.editedAlias,
    -weights.otherName - weights.editedAlias,
    0,
    0,
  ]);
});

test('prominence counts ten points for each power of ten of people, and the preference of the layer', () => {
  assert.equal(prominencePoints(50), 50 * weights.prominence);
  for (const [layer, prior] of [
    ['country', weights.countryPrior],
    ['region', weights.regionPrior],
    ['subregion', weights.subregionPrior],
  ] as const) {
    assert.deepEqual(
      [0, 1, 2, 1000].map((people) => areaProminence(layer, people)),
      [prior, prior, 10 * Math.log10(2) + prior, 30 + prior],
    );
  }
});

test('nearness halves at 40 km and falls on', () => {
  assert.deepEqual([0, 40, 120].map(nearness), [weights.nearness, weights.nearness / 2, weights.nearness / 4]);
});

test('a prefix costs by the letters left out, whole words little, a last letter no more than a typing mistake', () => {
  const unfinished = (typed: number, length: number) => weights.prefixTyped * (typed / length) - weights.prefix;
  for (const [typed, length, isAtWordEnd, points] of [
    [5, 5, false, 0],
    [5, 5, true, 0],
    [5, 9, true, -weights.wordsMissing],
    [5, 9, false, unfinished(5, 9)],
    [5, 7, false, unfinished(5, 7)],
    [5, 6, false, -weights.missingEdit],
    [5, 6, true, -weights.wordsMissing],
  ] as const) {
    assert.equal(prefixMatch(typed, length, isAtWordEnd), points, `${typed} of ${length}`);
  }
  // prefixFamous: of a well-known place the rest costs less, though never less than a letter, and from as many letters on as edits.
  assert.ok(Math.abs(prefixMatch(4, 9, false, 80) - unfinished(4, 9) - 10 * weights.prefixFamous) < 1e-9);
  assert.equal(prefixMatch(6, 11, false, 110), -weights.missingEdit);
  assert.equal(prefixMatch(3, 9, false, 110), unfinished(3, 9));
});

test('a second edit costs as much again as any, a first letter more, and nothing less than the cheapest edit', () => {
  assert.equal(editMatch('chcago', 'chicago', 1), -weights.missingEdit);
  assert.equal(editMatch('hicago', 'chicago', 1), -weights.missingEdit - weights.firstLetterEdit);
  assert.equal(editMatch('chcgo', 'chicago', 2), -2 * weights.otherEdit);
  const edits = Object.entries(weights).flatMap(([name, cost]) => (/^(?!first)\w+Edit$/.test(name) ? cost : []));
  assert.equal(minEditCost, Math.min(...edits));
});

const nothing = {
  textMatch: 0,
  contextMatch: 0,
  nameMatch: 0,
  aliasWorth: 0,
  prominence: 0,
  layerPrior: 0,
  nearness: 0,
};

test('a score is 100 and the points of all features; the matched share is 1 to 100 and counts the words alone', () => {
  assert.equal(score(nothing), 100);
  const parts = {
    textMatch: -1,
    contextMatch: -2,
    nameMatch: -4,
    aliasWorth: -8,
    prominence: 16,
    layerPrior: 32,
    nearness: 64,
  };
  assert.equal(score(parts), 100 - 1 - 2 - 4 - 8 + 16 + 32 + 64);
  assert.equal(explained(parts), 93);
  assert.equal(explained({ ...nothing, textMatch: -98.6 }), 1);
  assert.equal(explained({ ...nothing, contextMatch: -200 }), 1);
  assert.equal(explained({ ...nothing, textMatch: 20 }), 100);
});

test('only the best `count` are kept, each with its best score, equal ones by id', async (t) => {
  const { gazetteer } = await judgingWorld(t);
  const { facts, nameOf } = gazetteer;
  // Three that differ in nothing but their ids, which fall as their numbers here rise.
  const hamlets = Array.from({ length: facts.size }, (_, at) => at)
    .filter((at) => nameOf(at).startsWith('Hamlet '))
    .sort((left, right) => facts.id(right) - facts.id(left));
  const kept = (count: number, ...added: [number: number, score: number][]) => {
    const found = candidatesOf(gazetteer, { limit: count });
    const base = 100 + weights.prominence * facts.prominence(hamlets[1]);
    for (const [number, points] of added) {
      const match = { textMatch: points - 10, contextMatch: 0, nameMatch: 0, aliasWorth: 0 };
      found.addPlace(hamlets[number], match, { from: 0, to: 1, name: 'hamlet' });
    }
    const points = (score: number) => Math.round(score - base + 10);
    const list = found.best(9).map(({ ref, score }) => `${hamlets.indexOf(ref)}:${points(score)}`);
    return { list: list.join(' '), minScore: points(found.floor) };
  };
  const none = Number.NEGATIVE_INFINITY;
  for (const [count, added, list, minScore] of [
    [
      3,
      [
        [1, 5],
        [2, 9],
      ],
      '2:9 1:5',
      none,
    ],
    [
      2,
      [
        [1, 5],
        [2, 9],
        [3, 7],
      ],
      '2:9 3:7',
      7,
    ],
    [
      2,
      [
        [1, 5],
        [2, 9],
        [3, 4],
      ],
      '2:9 1:5',
      5,
    ],
    [
      2,
      [
        [1, 5],
        [2, 5],
        [3, 5],
      ],
      '3:5 2:5',
      5,
    ],
    [
      2,
      [
        [3, 5],
        [2, 5],
        [1, 5],
      ],
      '3:5 2:5',
      5,
    ],
    [
      3,
      [
        [1, 5],
        [1, 7],
      ],
      '1:7',
      none,
    ],
    [
      3,
      [
        [1, 7],
        [1, 5],
      ],
      '1:7',
      none,
    ],
    [
      3,
      [
        [1, 5],
        [2, 6],
        [1, 7],
      ],
      '1:7 2:6',
      none,
    ],
    [
      2,
      [
        [1, 5],
        [2, 6],
        [2, 6],
      ],
      '2:6 1:5',
      5,
    ],
    [
      2,
      [
        [2, 6],
        [1, 5],
        [2, 8],
      ],
      '2:8 1:5',
      5,
    ],
    [
      1,
      [
        [1, 5],
        [2, 6],
      ],
      '2:6',
      6,
    ],
  ] as [number, [number, number][], string, number][]) {
    assert.deepEqual(kept(count, ...added), { list, minScore }, JSON.stringify(added));
  }
});

test('words contain others in order, each once', () => {
  const text = 'rothenburg ob der tauber';
  for (const [words, isContained] of [
    ['rothenburg tauber', true],
    ['ob der', true],
    [text, true],
    ['tauber rothenburg', false],
    ['rothenburg rothenburg', false],
    ['rothenburg main', false],
    ['', false],
  ] as const) {
    assert.equal(betweenMatch(text, words.split(' ')) !== undefined, isContained, words);
  }
});

test('one edit is tolerated in 4 to 36 letters, two in 8 to 26', async (t) => {
  // A name of each length; none is near another, or the beginning of one.
  const lengths = Array.from({ length: 40 }, (_, at) => at + 2);
  const nameOf = (length: number) =>
    Array.from({ length }, (_, at) => 'bcdfghjklmnprst'[(at * (1 + (length % 13)) + length) % 15]).join('');
  const town = { country: 'DE', lat: 49, lng: 8, population: 900, timezone: 'Europe/Berlin' };
  const { store, close } = await smallWorld(lengths.map((length) => ({ ...town, id: length, name: nameOf(length) })));
  t.after(close);
  const { gazetteer } = store;
  /** The lengths at which a name is found with letters replaced, none of them the first or last. */
  const found = (...replaced: ((length: number) => number)[]) =>
    lengths.filter((length) => {
      const letters = [...nameOf(length)];
      for (const at of replaced) letters[at(length)] = 'q';
      const best = new PlaceSearch(gazetteer, letters.join(''), everything).found.best(5);
      return best.some(({ ref }) => gazetteer.nameOf(ref) === nameOf(length));
    });
  const middle = (length: number) => length >> 1;
  const [one, two] = [found(middle), found(middle, (length) => (length >> 1) - 2)];
  assert.deepEqual([one[0], one.at(-1), one.length], [4, 36, 33]);
  assert.deepEqual([two[0], two.at(-1), two.length], [8, 26, 19]);
});

test('tokens are words, or single signs where a script has no blanks; at most 12 words and 24 tokens', async (t) => {
  const { gazetteer } = await judgingWorld(t);
  const shown = (text: string) => {
    const lattice = latticeOf(gazetteer, text);
    const all = lattice.tokens.map(
      ({ text, isBreakAfter, isGlued }) => `${text}${isBreakAfter ? ',' : ''}${isGlued ? '+' : ''}`,
    );
    // What is omitted is a word that nothing explains, by its share of the letters.
    const cost = lattice.contextCost(0, all.length, undefined);
    const letters = lattice.tokens.reduce((sum, { text }) => sum + text.length, 0);
    const share = (cost - weights.unexplainedToken) / weights.unexplainedLetters;
    return `${all.join(' ')}${cost > 0 ? ` and ${Math.round((share * letters) / (1 - share))}` : ''}`;
  };
  for (const [text, tokens] of [
    ['Paris, Texas', 'paris, texas'],
    ['東京都, 日本', '东+ 京+ 都, 日+ 本'],
    ['서울 시', '서+ 울 시'],
    ['とう', 'と+ う'],
    ['トウ', 'ト+ ウ'],
    ['a b c d e f g h i j k l', 'a b c d e f g h i j k l'],
    ['a b c d e f g h i j k l mno pq', 'a b c d e f g h i j k l and 5'],
    ['東'.repeat(24), `${'东+ '.repeat(23)}东`],
    ['東'.repeat(26), `${'东+ '.repeat(24).trim()} and 2`],
    ['', ''],
  ] as const) {
    assert.equal(shown(text), tokens, text);
  }
});
