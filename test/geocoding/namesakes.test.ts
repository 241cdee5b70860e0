/** Names that mean something else first: what an alternative name costs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lattice } from '../../src/geocoding/lattice.ts';
import { isShortForCity, Namesakes } from '../../src/geocoding/namesakes.ts';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import { tokensOf } from '../../src/text/query-text.ts';
import { found, judgingWorld } from './judging-world.ts';

test('a part of a whole name scores lower, and an edited alternative name of an area lower than the exact one', async (t) => {
  const world = await judgingWorld(t);
  const worth = (text: string, wanted: string) =>
    found(world, text).find(({ name }) => name === wanted)?.parts.aliasWorth ?? assert.fail(text);
  assert.ok(worth('oklahoma city', 'Oklahoma region') < 0);
  assert.equal(worth('Oklahoma, City', 'Oklahoma region') + 0, 0);
  assert.equal(worth('deutschland', 'Germany country'), -weights.otherAreaName);
  assert.equal(worth('deutchland', 'Germany country'), -weights.otherAreaName - weights.editedAlias);
});

test('an alternative name costs more the better known its namesake is, less where the names are similar', async (t) => {
  const { gazetteer } = await judgingWorld(t);
  const cost = (name: string, main: string, hasAreas = true) =>
    new Namesakes(gazetteer, new Lattice(gazetteer, tokensOf(name), false), hasAreas).cost(
      { from: 0, to: name.split(' ').length, name },
      main,
    );
  const per = (prominence: number, similarity: number) =>
    weights.despiteNamesake * (1 - weights.similarAlias * similarity) * (prominence - weights.namesakeProminence);
  const people = (count: number) => 10 * Math.log10(count);
  for (const [name, main, points] of [
    ['cantonia', 'Guangsho', per(people(70_000), 0)],
    ['cantonia', 'Cantonya', per(people(70_000), 7 / 8)],
    ['cantonia', 'Canton', per(people(70_000), 6 / 8)],
    ['cantonia', 'Xantonia', per(people(70_000), 7 / 8)],
    ['cantonia', 'Cantonia Cantonia', per(people(70_000), 8 / 17)],
    ['cantonia', 'Cxxxxxxxxa', per(people(70_000), 2 / 10)],
    ['cantonia', 'cantonia', per(people(70_000), 1)],
    // Small places, alternative names and names without a place are no namesakes.
    ['teenie', 'Big', 0],
    ['lutetia', 'Big', 0],
    ['nobody', 'Big', 0],
    // Nor are parts of regions, or countries by another name.
    ['deutschland', 'Xxxxx', 0],
    ['lamar county', 'Xxxxx', 0],
  ] as const) {
    const found = cost(name, main);
    assert.ok(Math.abs(found - points) < 1e-4, `${name} of ${main}: ${found}, not ${points}`);
  }
  // Countries and regions are, where they may be answers. Germany is a village too, which people rarely mean.
  assert.ok(cost('germany', 'Xxxxx') > per(weights.countryPrior + 60, 0));
  assert.equal(cost('germany', 'Xxxxx', false), 0);
  assert.ok(cost('bavaria', 'Xxxxx') > 0 && cost('bavaria', 'Xxxxx', false) === 0);
});

test('a region’s name means its city where that is the city’s name without `City` and the city holds much of the region', async (t) => {
  const world = await judgingWorld(t);
  const { gazetteer } = world;
  const place = (name: string) => {
    const at = Array.from({ length: gazetteer.facts.size }, (_, at) => at).find((at) => gazetteer.nameOf(at) === name);
    return at ?? assert.fail(name);
  };
  // As `visitPlaces` reports the main name of a place, another of a well-known one, and others.
  const [main, known, other] = [0, 1, 2] as const;
  for (const [name, kind, text, isShort] of [
    ['New York City', known, 'new york', true],
    ['New York City', other, 'new york', false],
    ['New York City', main, 'new york', false],
    ['New York City', known, 'new', false],
    ['New York City', known, 'nyc', false],
    ['Oklahoma City', known, 'oklahoma', false],
    ['Dodge City', known, 'dodge', false],
    ['Wexby City', known, 'wexby', false],
    ['Quarterly City', known, 'quarterly', true],
    ['Fifthly City', known, 'fifthly', false],
    // In another language, but not any name of a city in the region, and of its own region alone.
    ['Genove', known, 'genova', true],
    ['Genove', known, 'geneva', false],
    ['Munich', known, 'bavaria', false],
    ['Zexony Falls', known, 'zexony', false],
    ['Los Angulos', known, 'westmarch', false],
    ['Los Angulos', known, 'los angulo', false],
  ] as const) {
    assert.equal(isShortForCity(gazetteer, place(name), kind, text), isShort, `${name} ${kind} ${text}`);
  }
});
