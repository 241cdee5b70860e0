/** What the words around a name cost as its context, for different candidates. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import { judgingWorld, latticeOf, nameOf } from './judging-world.ts';

async function latticesOf(t: TestContext) {
  const world = await judgingWorld(t);
  const { gazetteer } = world;
  const { facts, areaCount } = gazetteer;
  const all = Array.from({ length: facts.size + areaCount }, (_, ref) => ref);
  // Not all numbers below areaCount are areas.
  const named = all.filter((ref) => ref < facts.size || gazetteer.nameOfArea(ref - facts.size) !== undefined);
  const refs = new Map(named.map((ref) => [nameOf(world, ref), ref]));
  const lattice = (text: string, isOpen?: boolean) => latticeOf(gazetteer, text, isOpen);
  return { gazetteer, lattice, place: (name: string) => refs.get(name) ?? assert.fail(`no ${name}`) };
}

/** A meaningless word of that many letters, in a text of that many. */
const unknown = (letters: number, of: number) => (weights.unexplainedLetters * letters) / of + weights.unexplainedToken;
const {
  connector,
  kindWord,
  featureWord,
  requestWord,
  contextPrefix,
  contextPrefixDespiteExact,
  contextNear,
  contradiction,
} = weights;

/** Where the name is in the text, the place it may be, and the cost of the other words. */
const costs: readonly (readonly [text: string, from: number, to: number, candidate: string, cost: number])[] = [
  ['springfield', 0, 1, 'Springfield US.OH', 0],
  ['springfield ohio', 0, 1, 'Springfield US.OH', 0],
  ['springfield ohio', 0, 1, 'Springfield US.TX', unknown(4, 15) + contradiction],
  ['ohio springfield', 1, 2, 'Springfield US.OH', 0],
  ['ohio springfield', 1, 2, 'Springfield US.TX', unknown(4, 15) + contradiction],
  ['united states springfield ohio', 2, 3, 'Springfield US.OH', 0],
  ['united states springfield ohio', 2, 3, 'Springfield US.TX', unknown(4, 27) + contradiction],
  ['springfield ohio us', 0, 1, 'Springfield US.OH', 0],
  ['springfield in ohio', 0, 1, 'Springfield US.OH', connector],
  ['springfield city', 0, 1, 'Springfield US.OH', kindWord],
  ['city springfield', 1, 2, 'Springfield US.OH', kindWord],
  ['springfield xq', 0, 1, 'Springfield US.OH', unknown(2, 13)],
  ['xq springfield zzzz', 1, 2, 'Springfield US.OH', unknown(2, 17) + unknown(4, 17)],
  // A code may be anything: passing over it contradicts nothing. Nor does a part of a region.
  ['springfield oh', 0, 1, 'Springfield US.OH', 0],
  ['springfield oh', 0, 1, 'Springfield US.TX', unknown(2, 13)],
  ['springfield lamar county', 0, 1, 'Springfield US.TX', unknown(5, 22) + unknown(6, 22)],
  ['paris lamar county', 0, 1, 'Paris US.TX.277', 0],
  ['paris 卢森堡', 0, 1, 'Paris FR', unknown(1, 8) * 3 + contradiction],
  // Each word of a known area costs its share, except connectors.
  ['springfield new york', 0, 1, 'Springfield US.OH', unknown(3, 18) + unknown(4, 18) + contradiction],
  [
    'springfield isle of man',
    0,
    1,
    'Springfield US.OH',
    unknown(4, 20) + connector + unknown(3, 20) + (2 / 3) * contradiction,
  ],
  // Shortened, a prefix, and either next to an area with exactly that name.
  ['lamar paris', 1, 2, 'Paris US.TX.277', contextPrefix],
  ['paris lamar', 0, 1, 'Paris US.TX.277', contextPrefix],
  ['springfield ohi', 0, 1, 'Springfield US.OH', contextPrefix],
  ['ohi springfield', 1, 2, 'Springfield US.OH', unknown(3, 14)],
  ['salem nor', 0, 1, 'Salem DE.03', 0],
  ['salem nor', 0, 1, 'Salem DE.04', contextPrefixDespiteExact],
  ['nor salem', 1, 2, 'Salem DE.04', unknown(3, 8)],
  ['neyton hamlet 4', 1, 3, 'Hamlet 4 US.OH.94', contextPrefixDespiteExact],
  ['neyton gnarl', 1, 2, 'Gnarl DE.06', 0],
  // A prefix of so many areas that they are looked up by hash.
  ['salem n', 0, 1, 'Salem DE.03', contextPrefix],
  ['hamlet 4 n', 0, 2, 'Hamlet 4 US.OH.94', contextPrefix],
  ['farm n', 0, 1, 'Farm NZ', contextPrefix],
  ['gnarl n', 0, 1, 'Gnarl DE.06', contextPrefix],
  ['springfield n', 0, 1, 'Springfield US.OH', unknown(1, 12)],
  ['springfield n', 0, 1, 'Springfield US.TX', unknown(1, 12)],
  ['paris n', 0, 1, 'Paris FR', unknown(1, 6)],
  // Kinds of features.
  ['lake worth', 1, 2, 'Worth US.TX water', featureWord],
  ['lake worth', 1, 2, 'Worth US.TX peak', unknown(4, 9)],
  ['paris lake', 0, 1, 'Paris FR', unknown(4, 9)],
  // Words for what is wanted there, and for the kind of an area, with it and without.
  ['downtown springfield', 1, 2, 'Springfield US.OH', requestWord],
  ['springfield ohio state', 0, 1, 'Springfield US.OH', 0],
  ['springfield state of ohio', 0, 1, 'Springfield US.OH', 0],
  ['springfield state', 0, 1, 'Springfield US.OH', requestWord],
  ['paris quarterly county', 0, 1, 'Paris US.TX.277', unknown(9, 20) + contradiction + unknown(6, 20)],
  // A larger place within 40 km.
  ['shibu grossstadt', 0, 1, 'Shibu FR', contextNear],
  ['shibu grossstadt', 0, 1, 'Shibu DE.02', unknown(10, 15)],
  ['grossstadt shibu', 0, 1, 'Großstadt FR', unknown(5, 15)],
  ['grossstadt grossstadt', 0, 1, 'Großstadt FR', contextNear],
  ['northend grossstadt', 0, 1, 'Northend FR', contextNear],
  ['eastend grossstadt', 0, 1, 'Eastend FR', contextNear],
  // Near the third largest of its name, not the fourth.
  ['thirdvale quadropolis', 0, 1, 'Thirdvale CU', contextNear],
  ['fourthvale quadropolis', 0, 1, 'Fourthvale CU', unknown(11, 21)],
  ['faraway grossstadt', 0, 1, 'Faraway FR', unknown(10, 17)],
  // More words than are examined, and an area of nine words, with a break inside, or both.
  ['springfield a b c d e f g h i j k lmn op', 0, 12, 'Springfield US.OH', unknown(5, 27)],
  ['springfield a b c d e f g h i j k l', 0, 1, 'Springfield US.OH', 11 * unknown(1, 23) + unknown(1, 23)],
  ['springfield, ohio', 0, 1, 'Springfield US.OH', 0],
];

test('words around a name cost what they are worth as its context', async (t) => {
  const { lattice, place } = await latticesOf(t);
  for (const [text, from, to, candidate, cost] of costs) {
    const found = lattice(text).contextCostOfPlace(from, to, place(candidate));
    assert.ok(Math.abs(found - cost) < 1e-9, `${text} of ${candidate}: ${found}, not ${cost}`);
  }
});

test('the lowest cost of any candidate is no more than that of each place, also when areas are added', async (t) => {
  const { gazetteer, lattice, place } = await latticesOf(t);
  const { facts } = gazetteer;
  const unitedStates = place('United States country') - facts.size;
  let tight = 0;
  for (const text of new Set(costs.map(([text]) => text))) {
    for (const { from, to } of lattice(text).spans) {
      const made = lattice(text);
      const { length } = made.tokens;
      for (const isAdded of [false, true]) {
        if (isAdded) made.addEditedAreas(length - 1, length, 'edited', [unitedStates], 0.25);
        const least = made.contextCost(from, to, undefined);
        for (let place = 0; place < facts.size; place++) {
          const cost = made.contextCostOfPlace(from, to, place);
          assert.ok(least <= cost + 1e-9, `${text} [${from}, ${to}) of place ${place}: ${least} and ${cost}`);
          if (least > 0 && least > cost - 1e-9) tight++;
        }
      }
    }
  }
  assert.ok(tight > 1000);
});

test('without a candidate the context costs the minimum over all candidates', async (t) => {
  const { lattice } = await latticesOf(t);
  for (const [text, cost] of [
    ['springfield ohio', 0],
    ['springfield shibu', contextNear],
    ['springfield lake', featureWord],
    ['springfield xq', unknown(2, 13)],
    ['springfield lamar', contextNear],
    ['springfield oberkreis', 0],
    ['springfield neyton xq', unknown(2, 19)],
  ] as const) {
    assert.ok(Math.abs(lattice(text).contextCost(0, 1, undefined) - cost) < 1e-9, text);
  }
});

test('a span is the text of its tokens, with blanks where there were any', async (t) => {
  const { lattice } = await latticesOf(t);
  for (const [text, from, to, span] of [
    ['ab cd ef', 0, 3, 'ab cd ef'],
    ['ab cd ef', 1, 3, 'cd ef'],
    ['ab cd ef', 1, 2, 'cd'],
    ['東京都 日本', 0, 3, '东京都'],
    ['東京都 日本', 0, 5, '东京都 日本'],
    ['東京都 日本', 2, 4, '都 日'],
  ] as const) {
    assert.equal(lattice(text).text(from, to), span);
  }
});

test('spans have no break inside and at most eight tokens, the longest come first', async (t) => {
  const { lattice } = await latticesOf(t);
  const spans = (text: string) =>
    lattice(text)
      .spans.map(({ from, to }) => `${from}-${to}`)
      .join(' ');
  assert.equal(spans('a, b'), '0-1 1-2');
  assert.equal(spans('a b, c d'), '0-2 2-4 0-1 1-2 2-3 3-4');
  assert.equal(spans('a b c'), '0-3 0-2 1-3 0-1 1-2 2-3');
  assert.match(spans('a b c d e f g h i j'), /^0-8 1-9 2-10 0-7 /);
  const { length } = lattice('a b, c').tokens;
  const broken = (from: number, to: number) => lattice('a b, c').hasBreakInside(from, to);
  assert.deepEqual([broken(0, 2), broken(1, 3), broken(0, length), broken(2, 3)], [false, true, true, false]);
});

test('named areas may be answers; codes and shortened names have a cost', async (t) => {
  const { gazetteer, lattice } = await latticesOf(t);
  const shown = (text: string, isOpen?: boolean) =>
    lattice(text, isOpen).areas.map(({ from, to, name, cost, areas }) => {
      const named = areas.map((area) => gazetteer.nameOfArea(area)).sort();
      return `${from}-${to} ${name} ${cost}: ${named}`;
    });
  for (const [text, ...areas] of [
    ['texas', '0-1 texas 0: Texas'],
    ['au', `0-1 au ${weights.areaCode}: Australia`],
    ['aux', `0-1 aux ${weights.shortAreaName}: Australia`],
    ['zx', `0-1 zx ${weights.shortAreaName}: Zexony`],
    ['nor', '0-1 nor 0: Nor'],
    ['卢森堡', '0-3 卢森堡 0: Luxembourg'],
    ['lamar', `0-1 lamar ${weights.shortName}: Lamar County`],
    ['neyton', '0-1 neyton 0: Neyton', `0-1 neyton ${weights.shortName}: Neyton County`],
    ['new york ohio', '0-2 new york 0: New York', '2-3 ohio 0: Ohio'],
    ['ober (alt) land', '0-3 ober alt land 0: Ober (Alt) Land'],
    [
      'land der neun worte die nur ein name sind',
      '0-9 land der neun worte die nur ein name sind 0: Land der neun Worte die nur ein Name sind',
    ],
    // Read as a whole once, as are eight words.
    [
      'land der worte die nur ein name bleiben',
      '0-8 land der worte die nur ein name bleiben 0: Land der Worte die nur ein Name bleiben',
    ],
    // The code of a region in France, but nobody types a letter alone for it.
    ['j'],
    ['springfield'],
    [''],
  ]) {
    assert.deepEqual(shown(text), areas, text);
  }
  assert.deepEqual(shown('texas', true), []);
});

test('areas of a similar name match a span at their cost, and cost more as answers', async (t) => {
  const { gazetteer, lattice, place } = await latticesOf(t);
  const texas = place('Texas region') - gazetteer.facts.size;
  const read = lattice('springfield texxs');
  read.addEditedAreas(1, 2, 'texas', [texas], 7);
  read.addEditedAreas(1, 2, 'nothing', [], 1);
  assert.equal(read.contextCostOfPlace(0, 1, place('Springfield US.TX')), 7);
  assert.equal(read.contextCostOfPlace(0, 1, place('Springfield US.OH')), unknown(5, 16));
  assert.deepEqual(
    read.areas.map(({ name, cost }) => `${name} ${cost}`),
    [`texas ${7 + weights.editedArea}`, `nothing ${1 + weights.editedArea}`],
  );
});

test('one of many areas contains a candidate or not, however often that is asked', async (t) => {
  const { gazetteer, lattice, place } = await latticesOf(t);
  const inOhio = place('Springfield US.OH');
  const [ohio, texas] = ['Ohio region', 'Texas region'].map((name) => place(name) - gazetteer.facts.size);
  const others = Array.from({ length: 20 }, (_, area) => area + 100).filter((area) => area !== ohio && area !== texas);
  const context = lattice('springfield zzzz');
  context.addContext(1, 2, [...others, ohio], 1);
  for (let asked = 0; asked < 60; asked++) {
    assert.equal(context.contextCostOfPlace(0, 1, inOhio), 1);
    assert.equal(context.contextCostOfPlace(0, 1, place('Springfield US.TX')), unknown(4, 15));
  }
});
