/** Texts in a form that is not a name's: words in one, another keyboard, words for what is wanted there. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { editMatch } from '../../src/geocoding/score.ts';
import { otherKeyboards, withoutArticle, writtenOtherwise } from '../../src/text/query-text.ts';
import { ask } from '../support/ask.ts';
import type { NamedFeature } from '../support/build-layer.ts';
import { smallWorld } from '../support/small-world.ts';

const { autocomplete, search } = endpoints;

const town = { lat: 49.35, lng: 8.14, country: 'DE', population: 50_000, timezone: 'Europe/Berlin' };

async function finderOf(t: TestContext, ...names: (string | { name: string; otherNames: string })[]) {
  const places = names.map((name, at) => ({ ...town, id: at + 1, ...(typeof name === 'string' ? { name } : name) }));
  const { store, close } = await smallWorld(places);
  t.after(close);
  return (q: string, more: object = {}) => {
    const [found] = ask(search, store, { q, limit: 1, ...more }).results as { name: string; confidence: number }[];
    return found?.name;
  };
}

test('a name of three or four words is found where they are typed as one', async (t) => {
  const find = await finderOf(t, 'Salt Lake City', 'Ho Chi Minh Zwei', 'Salzbrunn');
  assert.equal(find('saltlakecity'), 'Salt Lake City');
  assert.equal(find('hochiminhzwei'), 'Ho Chi Minh Zwei');
});

test('small words that are left out of a double name are hardly missed', async (t) => {
  const find = await finderOf(
    t,
    { name: 'Freiburg', otherNames: 'Freiburg im Breisgau' },
    'Gutach im Breisgau',
    'Neustadt an der Weinstraße',
    'Neustadt bei der Weinstraße Nord',
  );
  assert.equal(find('Freiburg Breisgau'), 'Freiburg');
  assert.equal(find('Neustadt Weinstraße'), 'Neustadt an der Weinstraße');
});

test('a kind that the sights of a city are not of does not mean one of them', async (t) => {
  const sight = { layer: 'landmark', lat: 38.7, lng: -9.1, country: 'PT', source: 'test', region: '' } as const;
  const noNames = { knownNames: [], otherNames: [], namesIn: {} };
  const names = ['Grand Lisboa', 'University of Lisboa', 'Sant Jordi Castle'];
  const features = names.map(
    (name, at): NamedFeature => ({ ...sight, ...noNames, sourceId: `${at}`, name, prominence: 40 }),
  );
  const { store, close } = await smallWorld(
    [{ ...town, id: 1, name: 'Lisboa', population: 500_000, lat: 38.7, lng: -9.1, country: 'PT' }],
    undefined,
    features,
  );
  t.after(close);
  const find = (q: string) => (ask(search, store, { q }).results as { name: string }[]).map(({ name }) => name);
  assert.ok(!find('museu Lisboa').includes('Grand Lisboa'));
  assert.ok(!find('museu Lisboa').includes('University of Lisboa'));
  assert.equal(find('universidade Lisboa')[0], 'University of Lisboa');
  assert.equal(find('Grand Lisboa')[0], 'Grand Lisboa');
});

test('the wrong letter of a name may be doubled', async (t) => {
  const find = await finderOf(t, 'Cincinnati', 'Sobotta');
  assert.equal(find('cinncinati'), 'Cincinnati');
  assert.equal(find('cinncinati, germany'), 'Cincinnati');
  assert.equal(find('sobbota'), 'Sobotta');
  // Cheaper than two other edits.
  assert.ok(editMatch('britanny', 'brittany', 2) > editMatch('britaxy', 'brittany', 2));
});

test('a text is split in all ways that leave words, and no others', async (t) => {
  const find = await finderOf(
    t,
    'Ab C Defg',
    'Ab Cd Efghi',
    'Ab Cde Fghijk',
    'Abcd Efgh',
    'Abc Defg Hij Klmnop',
    'Abcde F',
  );
  // Two or three blanks; one is an edit.
  for (const name of ['Ab C Defg', 'Ab Cd Efghi', 'Ab Cde Fghijk', 'Abc Defg Hij Klmnop'])
    assert.equal(find(name.replaceAll(' ', '').toLowerCase()), name);
});

test('a text of 7 to 24 letters without a blank is split, and no other', async (t) => {
  // Three blanks are more than two edits.
  const nameOf = (letters: number) =>
    `${'abcdefghijklmnopqrst'[letters % 20]} y z ${'mnopqrst'.repeat(4).slice(0, letters - 3)}`;
  const lengths = Array.from({ length: 22 }, (_, at) => at + 5);
  const find = await finderOf(t, ...lengths.map(nameOf), 'Uv Wx Uv Wx Uv');
  const found = lengths.filter((letters) => find(nameOf(letters).replaceAll(' ', '')) === nameOf(letters));
  assert.deepEqual(found, lengths.slice(2, -2));
  assert.equal(find('uvwxuvwxuv'), 'Uv Wx Uv Wx Uv');
  assert.equal(find('uv wxuvwxuv'), undefined);
});

test('a name typed with the keyboard of another alphabet is found', async (t) => {
  const find = await finderOf(t, 'London', { name: 'Moscow', otherNames: 'Москва' }, 'Gap');
  assert.equal(find('vjcrdf'), 'Moscow');
  assert.equal(find('дщтвщт'), 'London');
});

test('keys write the same text in another alphabet only if that has all of them', () => {
  assert.ok(otherKeyboards('gfhb;').includes('париж'));
  assert.deepEqual(otherKeyboards('αθηνα'), ['auhna']);
  for (const text of ['abc', 'gfhb 12', 'gfhb ж', '東京都市']) assert.deepEqual(otherKeyboards(text), [], text);
});

test('a point of the compass and another word of names may be shortened', async (t) => {
  const find = await finderOf(
    t,
    'Las Vegas',
    'North Las Vegas',
    'Western Springs',
    'Springs',
    'East Saint Louis',
    'Saint Louis',
    'Великий Новгород',
    'Нижний Новгород',
    'Great Yarmouth',
    'Yarmouth',
    'São Paulo',
  );
  assert.equal(find('Н. Новгород'), 'Нижний Новгород');
  assert.equal(find('Gt. Yarmouth'), 'Great Yarmouth');
  assert.equal(find('S. Paulo'), 'São Paulo');
  assert.equal(find('n las vegas'), 'North Las Vegas');
  assert.equal(find('No. Las Vegas'), 'North Las Vegas');
  assert.equal(find('w springs'), 'Western Springs');
  assert.equal(find('e st louis'), 'East Saint Louis');
  assert.equal(find('las vegas'), 'Las Vegas');
  assert.equal(find('n las vegas', { fuzzy: false }), 'Las Vegas');
});

test('a capital inside a word begins another one', async (t) => {
  const find = await finderOf(t, 'Al Ain', 'Alvin', 'McAllen');
  assert.equal(find('AlAin'), 'Al Ain');
  assert.equal(find('McAllen'), 'McAllen');
});

test('suggestions too know shortened points of the compass, but not before what begins as typed', async (t) => {
  const places = ['North Las Vegas', 'N Las Palmas'].map((name, at) => ({ ...town, id: at + 1, name }));
  const { store, close } = await smallWorld(places);
  t.after(close);
  const names = (q: string) => (ask(autocomplete, store, { q }).results as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(names('n las v'), ['North Las Vegas']);
  assert.deepEqual(names('n las'), ['N Las Palmas']);
});

test('only short words before another one are written out, letters of names with a full stop, and none where a number is', () => {
  assert.deepEqual(writtenOtherwise('d berlin'), []);
  assert.ok(writtenOtherwise('S. Paulo').includes('são Paulo'));
  assert.deepEqual(writtenOtherwise('e st louis, il'), ['east st louis, il', 'eastern st louis, il']);
  assert.deepEqual(writtenOtherwise('So. Australia'), ['south Australia', 'southern Australia']);
  assert.deepEqual(['とうきょう', 'オオサカ', 'しんじゅく'].flatMap(writtenOtherwise), ['tokyo', 'osaka', 'shinjuku']);
  for (const text of ['n', 'las vegas n', 'U.S. Virgin Islands', 'N.Y. City', "O'N York", 'x-s york', '12 n main st'])
    assert.deepEqual(writtenOtherwise(text), [], text);
});

test('an article or preposition without its vowel may stand before a name', async (t) => {
  const find = await finderOf(t, 'Elba', 'Aquila', "L'Aquila", 'Amiens');
  assert.equal(find("l'Elba"), 'Elba');
  assert.equal(find('dell’Elba'), 'Elba');
  assert.equal(find("ville d'Amiens"), 'Amiens');
  // What has it in its name is meant by it.
  assert.equal(find("l'aquila"), "L'Aquila");
  assert.deepEqual(writtenOtherwise("capitale de l'Italie"), ['capitale de Italie']);
  assert.deepEqual(writtenOtherwise("Val d'Isère, l’Isère"), ['Val Isère, Isère']);
  assert.deepEqual(["O'Hare", "King's Lynn", "l' 5"].flatMap(writtenOtherwise), []);
});

test('an article before a name is no part of it, unless something is called so', async (t) => {
  const places = [
    { ...town, id: 1, name: 'La Loire', country: 'CA', population: 900 },
    { ...town, id: 2, name: 'Die', country: 'FR' },
    { ...town, id: 3, name: 'Havre', country: 'US', population: 90_000 },
    { ...town, id: 4, name: 'Le Havre', country: 'FR' },
    { ...town, id: 5, name: 'Boot', country: 'GB', population: 900_000 },
    { ...town, id: 6, name: 'Diex', country: 'FR' },
  ];
  const river = (name: string, prominence: number): NamedFeature => ({
    ...{ layer: 'water', source: 'test', sourceId: name, name, prominence, country: 'FR', region: undefined },
    ...{ knownNames: [], otherNames: [], namesIn: {}, facts: {}, lat: 47, lng: 4 },
  });
  const rivers = [river('Loire', 90), river('Rhein', 70), river('Garonne', 60)];
  const { store, close } = await smallWorld(places, undefined, rivers);
  t.after(close);
  const find = (q: string, more: object = {}) =>
    (ask(search, store, { q, limit: 1, ...more }).results as { name: string; confidence: number }[])[0];
  for (const text of ['la Loire', 'dans la Loire', 'Loire']) assert.equal(find(text)?.name, 'Loire', text);
  for (const text of ['der Rhein', 'in den Rhein', 'die Rhein', 'die Rhien', 'o Rhein'])
    assert.equal(find(text)?.name, 'Rhein', text);
  for (const text of ['der Rhein', 'la Garonne']) assert.ok(find(text).confidence >= 90, text);
  // What is called so, and a town in a country.
  for (const text of ['Die', 'die France', 'Le Havre', 'le havre'])
    assert.equal(find(text)?.name, /die/i.test(text) ? 'Die' : 'Le Havre', text);
  // A town seldom has an article, and a number none.
  assert.ok(find('das Boot').confidence < find('la Garonne').confidence);
  const names = (q: string) => (ask(autocomplete, store, { q }).results as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(names('der rhe'), ['Rhein']);
  const others = ['Los', 'la 5', 'Lala Loire', 'LA California'];
  assert.deepEqual(others.map(withoutArticle), [undefined, undefined, undefined, undefined]);
});

test('a town may stand with the code of its province or department, or with what people make of its county', async (t) => {
  const places = [
    { country: 'IT', admin1: '16', admin2: 'LU' },
    { country: 'FR', admin1: '84', admin2: '69' },
    { country: 'GB', admin1: 'ENG', admin2: 'F8' },
    { country: 'US', admin1: 'LU', admin2: '037' },
  ].map((where, at) => ({ ...town, ...where, id: at + 1, name: 'Porcari', population: 10_000 * (at + 1) }));
  const regions = [
    { country: 'IT', code: '16', name: 'Tuscany' },
    { country: 'IT', code: 'LU', name: 'Provincia di Lucca', parent: '16' },
    { country: 'FR', code: '84', name: 'Auvergne' },
    { country: 'FR', code: '69', name: 'Rhône', parent: '84' },
    { country: 'GB', code: 'ENG', name: 'England' },
    { country: 'GB', code: 'F8', name: 'Hertfordshire', parent: 'ENG' },
    { country: 'US', code: 'XX', name: 'Somewhere' },
    { country: 'US', code: '037', name: 'Elsewhere', parent: 'XX' },
  ];
  const { store, close } = await smallWorld(places, undefined, undefined, { regions });
  t.after(close);
  const first = (q: string) => {
    const [found] = ask(search, store, { q }).results as { country: string; confidence: number }[];
    return [found.country, found.confidence >= 90];
  };
  assert.deepEqual(first('Porcari (LU)'), ['IT', true]);
  assert.deepEqual(first('Porcari (69)'), ['FR', true]);
  assert.deepEqual(first('Porcari, Herts'), ['GB', true]);
  // Elsewhere, nobody writes them.
  assert.deepEqual(first('Porcari (037)'), ['US', false]);
});

test('what stands in disputed land may be addressed with another country, and with no third one', async (t) => {
  const places = [
    { name: 'Silwan', country: 'PS' },
    { name: 'Peja', country: 'XK' },
    { name: 'Holon', country: 'IL' },
    { name: 'Zemun', country: 'RS' },
  ].map((place, at) => ({ ...town, ...place, id: at + 1 }));
  const { store, close } = await smallWorld(places);
  t.after(close);
  const isSure = (q: string) => (ask(search, store, { q }).results as { confidence: number }[])[0]?.confidence >= 90;
  const texts = ['Silwan, Israel', 'Peja, Serbia', 'Holon, Serbia', 'Peja, Israel', 'Zemun, Kosovo'];
  assert.deepEqual(texts.map(isSure), [true, true, false, false, false]);
});

test('a number is the code of a region only beside its country', async (t) => {
  const region = { country: 'DE', code: '75', name: 'Zahlenland', isoCode: 'DE-75' };
  const places = [{ ...town, id: 1, name: 'Zahlstadt', admin1: '75' }];
  const { store, close } = await smallWorld(places, undefined, undefined, { regions: [region] });
  t.after(close);
  const found = (endpoint: typeof search | typeof autocomplete, q: string) =>
    (ask(endpoint, store, { q }).results as { name: string }[])[0]?.name;
  assert.equal(found(search, '75, Germany'), 'Zahlenland');
  assert.equal(found(search, 'Zahlstadt 75'), 'Zahlstadt');
  for (const q of ['75', '75 of G']) assert.equal(found(search, q), undefined, q);
  for (const q of ['75', '75 G']) assert.equal(found(autocomplete, q), undefined, q);
});
