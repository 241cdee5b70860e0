/** The candidates of a search: which interpretation of each is kept, and their order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import { candidatesOf, found, judgingWorld } from './judging-world.ts';

test('candidates keep their best interpretation; hopeless ones are scored and not kept', async (t) => {
  const world = await judgingWorld(t);
  const { gazetteer } = world;
  const [one, two] = found(world, 'springfield').map(({ ref }) => ref);
  const all = candidatesOf(gazetteer);
  const match = (textMatch: number) => ({ textMatch, contextMatch: 0, nameMatch: 0, aliasWorth: 0 });
  const read = { from: 0, to: 1, name: 'springfield' };
  const points = (ref: number) => weights.prominence * gazetteer.facts.prominence(ref);
  assert.deepEqual([all.scored, all.best(9).length], [0, 0]);
  all.addPlace(two, match(-10), read);
  assert.equal(all.bestScore, 90 + points(two));
  all.addPlace(one, match(-20), read);
  assert.equal(all.bestScore, 90 + points(two));
  all.addPlace(one, match(-5), { ...read, name: 'better' });
  all.addPlace(one, match(-6), { ...read, name: 'worse' });
  all.addPlace(two, { ...match(-98), contextMatch: -0.5 }, read);
  all.addPlace(two, match(-98), read);
  assert.deepEqual([all.scored, all.best(9).length], [6, 2]);
  assert.deepEqual(
    all.best(9).map(({ ref, interpretation }) => `${ref} ${interpretation.name}`),
    [`${one} better`, `${two} springfield`],
  );
  assert.equal(all.best(1).length, 1);
  const hopeless = candidatesOf(gazetteer);
  hopeless.addPlace(one, { textMatch: -50, contextMatch: -30, nameMatch: -19, aliasWorth: 0 }, read);
  assert.deepEqual([hopeless.scored, hopeless.best(9).length], [1, 0]);
  hopeless.addPlace(one, { textMatch: -50, contextMatch: -30, nameMatch: -18, aliasWorth: 0 }, read);
  assert.deepEqual([hopeless.scored, hopeless.best(9).length], [2, 1]);
});

test('what is dropped because few are asked for would not have been among them', async (t) => {
  const { gazetteer } = await judgingWorld(t);
  const read = { from: 0, to: 1, name: '' };
  const added = fc.tuple(fc.nat(gazetteer.facts.size - 1), fc.integer({ min: -40, max: 0 }));
  fc.assert(
    fc.property(fc.array(added, { minLength: 50, maxLength: 200 }), fc.integer({ min: 1, max: 6 }), (list, limit) => {
      const [all, few] = [candidatesOf(gazetteer), candidatesOf(gazetteer, { limit })];
      for (const [ref, textMatch] of list) {
        for (const each of [all, few])
          each.addPlace(ref, { textMatch, contextMatch: 0, nameMatch: 0, aliasWorth: 0 }, read);
      }
      assert.deepEqual(few.best(limit), all.best(limit));
      assert.deepEqual([few.scored, few.bestScore], [all.scored, all.bestScore]);
      assert.ok(few.best(999).length <= limit);
    }),
    { numRuns: 200 },
  );
});

test('candidates of one score all stay', async (t) => {
  const { gazetteer } = await judgingWorld(t);
  const { facts } = gazetteer;
  const few = candidatesOf(gazetteer, { limit: 2 });
  for (let ref = 0; ref < 30; ref++) {
    const textMatch = -weights.prominence * facts.prominence(ref);
    few.addPlace(ref, { textMatch, contextMatch: 0, nameMatch: 0, aliasWorth: 0 }, { from: 0, to: 1, name: '' });
  }
  const ids = Array.from({ length: 30 }, (_, ref) => facts.id(ref)).sort((left, right) => left - right);
  assert.deepEqual(
    few.best(2).map(({ ref }) => facts.id(ref)),
    ids.slice(0, 2),
  );
});

test('the best score ignores how near a candidate is', async (t) => {
  const world = await judgingWorld(t);
  const { facts } = world.gazetteer;
  const [{ ref }] = found(world, 'springfield');
  const near = { lat: facts.lat(ref) / 1e6, lng: facts.lng(ref) / 1e6 };
  const all = candidatesOf(world.gazetteer, { near });
  all.addPlace(ref, { textMatch: -7, contextMatch: -2, nameMatch: 0, aliasWorth: -1 }, { from: 0, to: 1, name: '' }, 3);
  const score = 100 - 7 - 2 - 1 + 3 + weights.prominence * facts.prominence(ref);
  assert.equal(all.bestScore, score);
  all.addPlace(ref, { textMatch: -12, contextMatch: 0, nameMatch: 0, aliasWorth: 0 }, { from: 0, to: 1, name: '' });
  assert.equal(all.bestScore, score);
  assert.ok(Math.abs(all.best(1)[0].score - score - weights.nearness) < 1e-6);
});

test('equal scores are ordered by id, areas before places', async (t) => {
  const { gazetteer } = await judgingWorld(t);
  const { facts } = gazetteer;
  const hamlets = Array.from({ length: facts.size }, (_, at) => at).filter((at) =>
    /^Hamlet/.test(gazetteer.nameOf(at)),
  );
  const all = candidatesOf(gazetteer);
  const match = { textMatch: 0, contextMatch: 0, nameMatch: 0, aliasWorth: 0 };
  for (const ref of hamlets.toReversed()) all.addPlace(ref, match, { from: 0, to: 1, name: 'hamlet' });
  const ids = all.best(30).map(({ ref }) => facts.id(ref));
  // Regions of 500 people each.
  const areas = Array.from({ length: gazetteer.areaCount }, (_, area) => area).filter((area) =>
    /^Ober \(Alt\)|^Neyton$|^Land der neun/.test(gazetteer.nameOfArea(area) ?? ''),
  );
  assert.equal(areas.length, 3);
  const ofAreas = candidatesOf(gazetteer);
  for (const area of areas) ofAreas.addArea(area, match, { from: 0, to: 1, name: '' });
  const [{ parts }] = ofAreas.best(1);
  assert.deepEqual([parts.layerPrior, parts.nearness], [0, 0]);
  assert.deepEqual(
    ofAreas.best(9).map(({ ref }) => ref - facts.size),
    areas.toReversed(),
  );
  assert.deepEqual(
    ids,
    ids.toSorted((left, right) => left - right),
  );
});
