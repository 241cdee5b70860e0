/** A case for each weight of suggestions that changes when the weight is left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complete } from '../../src/geocoding/geocode.ts';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import visitBonus from '../../src/store/visit-bonus.json' with { type: 'json' };
import { assertOrders, judgingWorld, nameOf, type Order } from './judging-world.ts';

const orders: readonly Order[] = [
  ['suggestedKnownName: a main name before another of a larger city', 'trombe', 'Trombello FR', 'Grandville FR'],
  ['suggestedKnownNamePerMissingLetter: the more so the less is typed', 'tro', 'Trovo FR', 'Grandvalley FR'],
  ['suggestedOtherName: a main name before another of a larger town', 'odderb', 'Odderby FR', 'Andersheim DE.02'],
  ['suggestedInnerName: a whole name before words inside one', 'angulo', 'Angulos DE.02', 'Los Angulos US.WX'],
  ['suggestedRomanisedName: a name before a transcription', 'mosukuw', 'Mosukuwa DE.02', 'Moskowa FR'],
  ['suggestedWholeName: a village that is called so before a city', 'grimmi', 'Grimmi FR', 'Grimmistadt FR'],
  [
    'suggestedLarge and peopleOfLarge: a city before a capital of fewer people',
    'langeb',
    'Langebro FR',
    'Langebeck FR',
  ],
  ['suggestedLargePerMissingLetter: the more so the less is typed', 'mo', 'Moburg FR', 'Mobeck FR'],
  ['suggestedMillion: a city of a million', 'millic', 'Millicity FR', 'Millicent FR'],
  ['suggestedFeature: a town before a lake', 'fjordl', 'Fjordlund FR', 'Fjordlake FR water'],
  ['suggestedFeaturePerMissingLetter: the more so the less is typed', 'qu', 'Quinn FR', 'Quell FR water'],
  ['suggestedWholeName: a region that is called so before a city', 'yukonia', 'Yukonia region', 'Yukonia FR'],
  ['suggestedKnownName: a main name before a country by another', 'quexlan', 'Quexland US.WX', 'Germany country'],
  ['suggestedWholeName: a country by the whole of another name', 'quexland', 'Germany country', 'Quexland US.WX'],
  ['a feature without the word for its kind', 'harward', 'Harward University US.TX landmark', 'Harward DE.02'],
];

test('places are visited with at least the points that they are worth', () => {
  assert.ok(weights.suggestedMillion <= weights.prominence * visitBonus.million);
  assert.ok(weights.suggestedKnownName >= -weights.prominence * visitBonus.known);
});

test('each weight of a suggestion decides an order', async (t) => {
  const world = await judgingWorld(t);
  const layers = new Set(['country', 'region', 'subregion', 'place', 'water', 'landmark'] as const);
  const { size } = world.gazetteer.facts;
  const suggested = (text: string) =>
    complete(world, text, { layers, limit: 10 }).map(({ place, area }) => nameOf(world, place ?? size + area!));
  assertOrders(orders, suggested);
  assert.deepEqual(suggested('kawa oh'), ['Kawa US.OH', 'Kawa FR'], 'a code is also the beginning of a city near it');
  assert.deepEqual(suggested('trombello zzz'), [], 'a name with words that are not its context is not what is typed');
});
