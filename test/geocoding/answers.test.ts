/** Complete answers of place search in a made-up world: what is found, in which order, and what matches fully. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geocode } from '../../src/geocoding/geocode.ts';
import { prefixMatch } from '../../src/geocoding/score.ts';
import { PlaceSearch, type PlaceSearchOptions } from '../../src/geocoding/search-places.ts';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import { rowKinds, type Store } from '../../src/store/store.ts';
import { everything, found, judgingWorld } from './judging-world.ts';

/** A text and its first four answers; `=` marks those without a cost, `~` others. */
const answers: readonly (readonly string[])[] = [
  // Prefixes of names, alone and with context.
  ['spring', '~Springfield US.OH', '~Springfield US.TX'],
  ['springf ohio', '~Springfield US.OH', '~Ohio region'],
  ['ohio springf', '~Springfield US.OH', '~Ohio region'],
  ['spr ohio', '~Springfield US.OH', '~Ohio region'],
  ['sp ohio', '~Ohio region'],
  ['ohio sp', '~Springfield US.OH', '~Ohio region'],
  ['hamlet', '~Hamlet 0 US.OH.90', '~Hamlet 1 US.OH.91', '~Hamlet 2 US.OH.92', '~Hamlet 3 US.OH.93'],
  ['spq'],
  ['arm'],
  ['sprx', '~Springfield US.OH', '~Springfield US.TX'],
  ['xpringf', '~Springfield US.OH', '~Springfield US.TX'],
  ['springfx', '~Springfield US.OH', '~Springfield US.TX'],
  ['a', '~Au FR', '~Andersheim DE.02', '~Aotea FR', '~Angulos DE.02'],
  // Beginnings of countries and regions, and the region that a city dominates behind it.
  ['bavar', '~Bavaria region', '~Bavaria FR'],
  ['luxembo', '~Luxembourg country', '~Luxembourg LU'],
  ['nordl', '~Nordland region', '~Nordlang FR', '~Lake Nordland US.TX water'],
  ['rothenburg', '~Rothenburg ob der Tauber DE.02', '~Rothenburg Tauber Tal DE.02', '~Rothenberga DE.02'],
  // Breaks end a name.
  ['Springfield, Ohio', '=Springfield US.OH', '~Springfield US.TX', '~Ohio region'],
  ['paris, texas', '=Paris US.TX.277', '~Texas region', '~Paris FR'],
  ['Lake, Worth', '=Lake Worth US.TX water', '~Worth US.TX water', '~Worth US.TX peak'],
  ['New, York', '=New York region', '=New York City US.NY', '~Buffalo US.NY'],
  ['Dodge, City', '=Dodge City US.TX', '~Dodge US.TX', '~Oklahoma City US.OK', '~New York City US.NY'],
  ['Jersey (Lamar County)', '~Lamar County subregion'],
  // Context behind and before a name.
  ['springfield texas usx', '=Springfield US.TX', '~Texas region', '~Springfield US.OH'],
  ['parigi france', '=Paris FR', '~France country'],
  ['lyon fr', '=Lyon FR', '~France country'],
  ['lyon frx', '=Lyon FR', '~France country'],
  ['lamar texas', '~Lamar County subregion', '~Lamarville US.TX.277', '~Paris US.TX.277', '~Texas region'],
  ['lamarville lamar', '~Lamarville US.TX.277', '~Lamar FR', '~Lamar County subregion'],
  ['hamlet 4 neyton', '~Hamlet 4 US.OH.94', '~Neyton region', '~Neyton County subregion', '~Hamlet 14 US.OH.914'],
  ['buffalo new york', '=Buffalo US.NY', '~New York region', '~New York City US.NY'],
  ['new york buffalo', '=Buffalo US.NY', '~New York region', '~New York City US.NY'],
  ['buffalo ny', '=Buffalo US.NY', '~New York region'],
  ['paris lutetia', '~Paris FR', '~Paris US.TX.277'],
  ['ab cd ohio', '~Ohio region', '~Ab Cd FR'],
  // Edits in the name, in the context, in both, in words of several.
  ['sprngfield ohio', '~Springfield US.OH', '~Ohio region', '~Springfield US.TX'],
  ['sprngfield ohoi', '~Springfield US.OH', '~Springfield US.TX', '~Ohio region'],
  ['springfeild westmarhc', '~Springfield US.OH', '~Springfield US.TX', '~Westmarch region'],
  ['munich gremany', '~Munich DE.02', '~Germany country', '~Germany FR'],
  ['germny munich', '~Munich DE.02', '~Germany country', '~Germany FR'],
  ['munich bavarai', '~Munich DE.02', '~Bavaria region', '~Bavaria FR'],
  ['barvile quartersidd ohio', '~Barville US.OH', '~Barville Quartersid US.TX'],
  ['sqringfeeld', '~Springfield US.OH', '~Springfield US.TX'],
  ['xpringfield', '~Springfield US.OH', '~Springfield US.TX'],
  ['rothnburg ob der taubr', '~Rothenburg ob der Tauber DE.02'],
  ['rothenburgg obb der tauber', '~Rothenburg ob der Tauber DE.02'],
  ['rothenbrg tauber', '~Rothenburg Tauber Tal DE.02', '~Rothenberga DE.02', '~Rothenburg ob der Tauber DE.02'],
  ['lmar county', '~Lamar County subregion', '~Lamarville US.TX.277', '~Paris US.TX.277'],
  ['nwe york buffalo', '~Buffalo US.NY', '~New York City US.NY', '~New York region'],
  // Edited areas.
  ['luxembuorg', '~Luxembourg country', '~Luxembourg LU'],
  ['luxmbourgg', '~Luxembourg country', '~Luxembourg LU'],
  ['luxenbour', '~Luxembourg country', '~Luxembourg LU'],
  ['germanny', '~Germany country', '~Germany FR', '~Munich DE.02', '~Kenningen DE.02'],
  ['bavria', '~Bavaria region', '~Bavaria FR', '~Munich DE.02', '~Kenningen DE.02'],
  ['deutchland', '~Germany country', '~Munich DE.02', '~Kenningen DE.02', '~Andersheim DE.02'],
  ['brasilia', '~Braslia BR', '~Brazil country', '~Rio BR'],
  ['untied states', '~United States country', '~Oklahoma City US.OK', '~New York City US.NY', '~Los Angulos US.WX'],
  ['united staets ohio', '~Ohio region', '~Cantonja US.OH', '~Cantonia US.OH', '~Springfield US.OH'],
  // A region is no answer beside a city that explains the other word too.
  ['zexony apple', '=Obststadt FR'],
  // Cities and their regions.
  ['new york city', '=New York City US.NY', '~New York region'],
  ['ny', '~New York region', '~New York City US.NY', '~Buffalo US.NY'],
  ['oklahoma city', '=Oklahoma City US.OK', '~Oklahoma region'],
  ['oklahoma tulsa', '=Tulsa US.OK', '~Oklahoma region', '~Oklahoma City US.OK'],
  // Areas and their largest places.
  ['lamar county', '=Lamar County subregion', '~Lamarville US.TX.277', '~Paris US.TX.277'],
  ['texas', '=Texas region', '~Lamarville US.TX.277', '~Paris US.TX.277', '~Springfield US.TX'],
  ['deutschland', '=Germany country', '~Munich DE.02', '~Kenningen DE.02', '~Andersheim DE.02'],
  ['卢森堡', '=Luxembourg country', '~Luxembourg LU'],
  ['de', '~Germany country', '~Munich DE.02', '~De Leona US.TX', '~Kenningen DE.02'],
  ['fr', '~France country', '~Cantonjo FR', '~Paris FR', '~Guangsho FR'],
  ['united states ohio', '=Ohio region', '~Cantonja US.OH', '~Cantonia US.OH', '~Springfield US.OH'],
  ['ohio united states', '=Ohio region', '~Cantonja US.OH', '~Cantonia US.OH', '~Springfield US.OH'],
  ['germany', '=Germany country', '~Munich DE.02', '~Kenningen DE.02', '~Andersheim DE.02'],
  ['oberkreis bavaria', '=Oberkreis subregion', '~Kreisling DE.02.9', '~Bavaria region', '~Bavaria FR'],
  // Words for the kind of area, and for what is wanted there.
  ['genova region', '~Genova region', '~Genove DE.10'],
  ['regione di genova', '~Genova region', '~Genove DE.10'],
  ['munich, state of bavaria', '=Munich DE.02', '~Bavaria region', '~Bavaria FR'],
  // Words between, and in another order.
  ['rothenburg der', '~Rothenburg ob der Tauber DE.02', '~Rothenburg Tauber Tal DE.02', '~Rothenberga DE.02'],
  [
    'rothenburg tauber bavaria',
    '~Rothenburg Tauber Tal DE.02',
    '~Rothenburg ob der Tauber DE.02',
    '~Rothenberga DE.02',
    '~Bavaria region',
  ],
  ['tauber rothenburg', '~Rothenburg ob der Tauber DE.02', '~Rothenburg Tauber Tal DE.02', '~Rothenberga DE.02'],
  ['ob der tauber', '~Rothenburg ob der Tauber DE.02'],
  ['der tauber', '~Rothenburg ob der Tauber DE.02'],
  // Kinds of features.
  ['worth', '=Worth US.TX water', '=Worth US.TX peak', '~Lake Worth US.TX water'],
  ['lake worth', '=Lake Worth US.TX water'],
  ['lake worth texas', '=Lake Worth US.TX water', '~Worth US.TX water', '~Worth US.TX peak', '~Texas region'],
  ['mount worth', '~Worth US.TX peak', '~Worth US.TX water', '~Lake Worth US.TX water'],
  ['worth peak texas', '~Worth US.TX peak', '~Worth US.TX water', '~Lake Worth US.TX water', '~Texas region'],
  // In another alphabet, alone and with context.
  ['карса', '~Каарса FR', '~Karsa FR'],
  ['вонар', '~Vonar FR', '~Bonar FR'],
  ['лион france', '~Lyon FR', '~France country'],
  // Nothing.
  ['x y z'],
  [''],
  ['qqqqqqqqq'],
  ['qqqq ohio', '~Ohio region'],
];

const shown = (world: Store, text: string, options: Partial<PlaceSearchOptions> = {}, count = 4) =>
  found(world, text, options, count).map(({ name, sum }) => `${sum === 0 ? '=' : '~'}${name}`);

test('a text has its answers in order', async (t) => {
  const world = await judgingWorld(t);
  const wrong = answers.flatMap(([text, ...wanted]) => {
    const list = shown(world, text);
    return list.join() === wanted.join() ? [] : { text, list, wanted };
  });
  assert.deepEqual(wrong, []);
});

test('filters exclude answers, and a position moves nearby ones to the front', async (t) => {
  const world = await judgingWorld(t);
  const { gazetteer } = world;
  const [us, fr] = ['US', 'FR'].map((code) => gazetteer.countryNumber(code));
  const [hamlet] = found(world, 'hamlet 7').map(({ ref }) => ref);
  const lng = gazetteer.facts.lng(hamlet) / 1e6;
  const nearHamlet = { lat: gazetteer.facts.lat(hamlet) / 1e6 + 0.1, lng };
  const nearCity = { lat: 45, lng: 4 };
  const kind = (name: (typeof rowKinds)[number]) => rowKinds.indexOf(name);
  const [areas, places] = [
    new Set(['country', 'region', 'subregion']),
    new Set(['place', 'water', 'peak', 'island', 'airport']),
  ];
  for (const [text, options, ...wanted] of [
    ['springfield', { country: us }, '=Springfield US.OH', '=Springfield US.TX'],
    ['springfield', { country: fr }],
    ['paris', { country: us }, '=Paris US.TX.277'],
    ['georgia ohio', { country: fr }],
    ['texas', { country: fr }],
    ['texas', { country: us, layers: areas }, '=Texas region'],
    ['grossstadt', { bbox: [3.9, 44.9, 4.1, 45.1] }, '=Großstadt FR'],
    ['grossstadt', { bbox: [4.05, 44.9, 4.1, 45.1] }],
    ['nordland', { bbox: [-180, -90, 180, 90], layers: areas }, '=Nordland region'],
    ['nordland', { bbox: [0, 0, 0.1, 0.1], layers: areas }],
    ['paris', { layers: places }, '=Paris FR', '=Paris US.TX.277'],
    ['lamar county', { layers: places }, '~Lamarville US.TX.277', '~Paris US.TX.277'],
    ['texas', { layers: new Set(['country']) }],
    ['texas', { layers: new Set(['region']) }, '=Texas region'],
    ['lamar county', { layers: new Set(['subregion']) }, '=Lamar County subregion'],
    ['germany', { type: kind('city') }, '~Munich DE.02', '~Kenningen DE.02', '~Andersheim DE.02', '~Salzing DE.05'],
    [
      'germany',
      { type: kind('town') },
      '=Germany FR',
      '~Rothenburg ob der Tauber DE.02',
      '~Angulos DE.02',
      '~Mosukuwa DE.02',
    ],
    ['worth', { layers: areas.union(new Set(['peak'])) }, '=Worth US.TX peak'],
    ['sprngfield', { isFuzzy: false }],
    ['sprngfield', { isFuzzy: true }, '~Springfield US.OH', '~Springfield US.TX'],
    [
      'hamlet',
      { near: nearHamlet },
      '~Hamlet 7 US.OH.97',
      '~Hamlet 6 US.OH.96',
      '~Hamlet 16 US.OH.916',
      '~Hamlet 8 US.OH.98',
    ],
    ['shibu', { near: nearCity }, '=Shibu FR', '=Shibu DE.02', '=Shibu FR', '=Shibu DE.03'],
    // Three letters that are a region's whole name are no code.
    ['nor', { near: nearCity }, '=Nor FR', '=Nor region', '~Shibu DE.03', '~Salem DE.03'],
  ] as [string, Partial<PlaceSearchOptions>, ...string[]][]) {
    assert.deepEqual(shown(world, text, options), wanted, `${text} ${JSON.stringify(options)}`);
  }
});

test('of very many with one name the most prominent are examined, all of them where something distinguishes them', async (t) => {
  const world = await judgingWorld(t);
  const count = (text: string, options: Partial<PlaceSearchOptions> = {}) => found(world, text, options, 500).length;
  const near = { lat: 0, lng: 0 };
  for (const [text, options, expected] of [
    ['sanmigel', {}, 120],
    ['sanmigel', { near }, 405],
    ['sanmigel', { bbox: [-180, -90, 180, 90] }, 405],
    ['sanmigel', { type: rowKinds.indexOf('hamlet') }, 405],
    ['sanmigel, cuba', {}, 405 + 1],
    ['cuba, sanmigel', {}, 405 + 1],
    ['sanmig', { isFuzzy: false }, 30],
    ['sanmig', {}, 60],
    ['sanmigle', {}, 60],
    ['sanmigle cuba', {}, 405 + 1],
    ['sanmig cuba', {}, 400 + 1],
    // Longer names only where fewer than twenty have exactly this one.
    ['twentyby', {}, 20],
    ['nineby', {}, 19 + 1],
  ] as [string, Partial<PlaceSearchOptions>, number][]) {
    assert.equal(count(text, options), expected, `${text} ${JSON.stringify(options)}`);
  }
});

test('of regions with one name four show their largest places', async (t) => {
  const world = await judgingWorld(t);
  const names = found(world, 'fivefold', {}, 20).map(({ name }) => name);
  assert.deepEqual(
    names.map((name) => name.slice(0, 9)),
    [...Array(5).fill('Fivefold '), ...Array(4).fill('Fifthtown')],
  );
  const mistyped = found(world, 'fivefodl', {}, 20).filter(({ name }) => name === 'Fivefold region');
  assert.equal(mistyped.length, 5);
});

test('the word for its kind belongs to the name of an area, and costs little', async (t) => {
  const world = await judgingWorld(t);
  for (const text of ['genova region', 'regione di genova']) {
    const [{ parts }] = found(world, text);
    assert.equal(parts.textMatch + parts.contextMatch, -weights.areaWord, text);
  }
});

test('the nearest of very many names that begin so are examined, too', async (t) => {
  const world = await judgingWorld(t);
  const [south] = found(world, 'sanmigel', { bbox: [-81, 19, -79, 20.00001] });
  const [north] = found(world, 'sanmigel', { bbox: [-81, 20.04035, -79, 21] });
  const near = { lat: 20.0404, lng: -80 };
  const prefixed = found(world, 'sanmig', { near, isFuzzy: false }, 500);
  assert.equal(prefixed[0].ref, north.ref);
  assert.equal(prefixed[0].parts.textMatch, prefixMatch(6, 8, false));
  assert.ok(prefixed.some(({ ref }) => ref === south.ref));
  assert.equal(prefixed.length, 30 + 64);
  const germany = world.gazetteer.countryNumber('DE');
  assert.deepEqual(found(world, 'sanmig', { near, country: germany, isFuzzy: false }), []);
});

test('no edits are searched for after a good match, and a hopeless interpretation is not searched at all', async (t) => {
  const world = await judgingWorld(t);
  const judged = (text: string, isFuzzy = true) =>
    new PlaceSearch(world.gazetteer, text, { ...everything, isFuzzy }).found.scored;
  // The score of a farm is 100, which is just enough.
  for (const text of ['farm', 'springfield', 'springfield ohio', 'texas', 'new york buffalo', 'shibu grossstadt']) {
    assert.equal(judged(text), judged(text, false), text);
  }
  for (const text of ['sprngfield', 'springfield zzzzzzzz', 'munich germny']) {
    assert.ok(judged(text) > judged(text, false), text);
  }
});

/** How many interpretations of candidates are scored for a text: more is wasted work, fewer may miss what is meant. */
const work: readonly (readonly [text: string, scored: number])[] = [
  ['springfield', 4],
  ['springfield ohio', 3],
  ['springfield, ohio', 3],
  ['new york city', 3],
  ['New, York City', 1],
  ['springfield city', 8],
  ['springf ohio', 3],
  ['spr ohio', 3],
  ['sp ohio', 1],
  ['sprngfield', 4],
  ['sprngfield ohio', 3],
  ['sprngfield ohoi', 3],
  ['munich germny', 4],
  ['springfield zzzzzzzz', 6],
  ['zzzzzzzz springfield', 4],
  ['hamlet', 50],
  ['hamlet ohio', 26],
  ['sanmigel', 120],
  ['rothenburg tauber', 6],
  ['rothenburgg obb der tauber', 1],
  ['texas', 9],
  ['de', 28],
  ['germany', 29],
  ['lamar texas', 8],
  ['texas lamar paris', 5],
  ['united states', 31],
  ['a', 7],
  ['paris lutetia lyon', 10],
  ['springfield paris texas', 11],
  ['kenning bavaria', 4],
  ['sanmigel hamlet', 1235],
  ['ohio texas bavaria nordland nor', 13],
  ['sanmig springf', 402],
  ['xanmigel cuba', 406],
];

test('no more interpretations are scored than a text needs', async (t) => {
  const { gazetteer } = await judgingWorld(t);
  const wrong = work.flatMap(([text, expected]) => {
    const { scored } = new PlaceSearch(gazetteer, text, everything).found;
    return scored === expected ? [] : `${text}: ${scored}, not ${expected}`;
  });
  assert.deepEqual(wrong, []);
});

test('the searches of a text, for all of it and for the towns at its end, score together no more than one may', async (t) => {
  const world = await judgingWorld(t);
  const { gazetteer } = world;
  let visited = 0;
  const visitPlaces: Store['gazetteer']['visitPlaces'] = (range, country, visit) =>
    gazetteer.visitPlaces(range, country, (...posting) => ++visited > 0 && visit(...posting));
  const counting: Store = Object.create(world, { gazetteer: { value: { ...gazetteer, visitPlaces } } });
  const text = 'sanmigel hamlet hamlet 1, sanmigel hamlet, sanmigel hamlet';
  geocode(counting, text, { layers: new Set(['place']), fuzzy: true, limit: 3 });
  // Eight words may score 1,500 places, and each town 75; what is visited besides is their context. Each search by itself: 3,000.
  assert.ok(visited > 1_700 && visited < 2_100, `${visited} places were visited`);
});
