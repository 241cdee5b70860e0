/** The table of landmarks, parks, natural features and regions: what is read from it, and how its records are found. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { joinedFeatures, landmarks, landmarksIn, readKinds } from '../../src/build/layers/world/features.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { featureLayers } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import { poiCategories } from '../support/poi-categories.ts';
import { testService } from '../support/service.ts';
import { smallWorld } from '../support/small-world.ts';

const { autocomplete, place, reverse, search } = endpoints;
/** Identifiers as docs/places.md has them. */
const [firstLandmarkId, firstOwnLandmarkId] = [1_900_000_000, 1_950_000_000];

const table = `id,name,other_names,kind,country,lat,lng,bbox,accuracy_m,rank,checked_against
1,Eiffel Tower,fr:Tour Eiffel|fr:Dame de fer|zh-Hant:艾菲爾鐵塔|La Tour,tower,FR,48.8583,2.2945,,100,1,x
2,"Sagrada Família",Sagrada Familia,church,ES,41.4036,2.1744,,100,1,x
30000,Africa,fr:Afrique,continent,,2,20,-18 -35 52 38,4000000,1,x
25000,Baltic Sea,de:Ostsee,sea,,58,20,9 53 31 66,500000,1,x
20000,Pyrenees,fr:Pyrénées|es:Pirineos,mountain_range,FR|ES,42.6,1,-1.8 42 3.2 43.3,200000,1,x
30001,Antarctica,de:Antarktika,continent,AQ,-82,0,-180 -90 180 -60,2500000,1,x
15000,Parc du Mercantour,,national_park,FR,44.1,7.1,6.7 43.9 7.6 44.3,30000,3,x
21000,Pic Blanc,,mountain,FR,43,0.5,,100,4,x
3,Somewhere in Peru,,castle,PE,-12,-77,,100,3,x
`;
const features = landmarksIn(table, (code) => ['FR', 'ES', 'CL', 'US', 'MX', 'AQ'].includes(code), readKinds());
const own = { timezone: 'Europe/Paris', population: 30_000 };
const places = [
  { ...own, id: 11, name: 'Paris', lat: 48.85, lng: 2.35, country: 'FR', population: 2_100_000, admin1: '11' },
  { ...own, id: 12, name: 'Barcelona', lat: 41.39, lng: 2.17, country: 'ES', population: 1_600_000 },
  { ...own, id: 16, name: 'Figueres', lat: 42.27, lng: 2.96, country: 'ES' },
  { ...own, id: 13, name: 'Sagrada Familia', lat: -35, lng: -71.4, country: 'CL' },
  { ...own, id: 14, name: 'Baltic', lat: 43.8, lng: -96.7, country: 'US' },
  { ...own, id: 15, name: 'África', lat: 19.9, lng: -97.3, country: 'MX' },
];
const regions = [{ country: 'FR', code: '11', name: 'Île-de-France' }];
const { store, close } = await smallWorld(places, undefined, features, { regions });
after(close);

type Result = Record<'id' | 'lat' | 'lng' | 'distance_km', number> &
  Record<'layer' | 'kind' | 'name' | 'city' | 'country' | 'admin1' | 'label' | 'bbox_source', string | null> & {
    bbox: number[] | null;
  };
const found = (q: string, more: Record<string, unknown> = {}, profile: 'default' | 'a' = 'default') =>
  ask(search, store, { q, ...more }, { profile }).results as Result[];

test('a bare name means what most people mean, in any language of the table', () => {
  for (const [q, name] of [
    ['eiffel tower', 'Eiffel Tower'],
    ['Tour Eiffel', 'Eiffel Tower'],
    ['艾菲爾鐵塔', 'Eiffel Tower'],
    ['dame de fer', 'Eiffel Tower'],
    ['eiffel tower paris', 'Eiffel Tower'],
    ['sagrada familia', 'Sagrada Família'],
    ['africa', 'Africa'],
    ['baltic sea', 'Baltic Sea'],
    ['Ostsee', 'Baltic Sea'],
    ['Pirineos', 'Pyrenees'],
  ])
    assert.equal(found(q)[0]?.name, name, q);
});

test('what has an extent has a box, an estimate where the table has none; a building has none', async (t) => {
  const [peak] = found('Pic Blanc');
  const [west, south, east, north] = peak.bbox!;
  assert.ok(west < peak.lng && peak.lng < east && south < peak.lat && peak.lat < north);
  assert.deepEqual([peak.bbox_source, found('Eiffel Tower')[0].bbox], ['estimate', null]);
  const service = await testService(t, { store: { current: store } });
  const at = async (query: string) => (await service.ask(`/nominatim/reverse?format=jsonv2&${query}`)).body;
  for (const [query, name] of [
    ['lat=48.8584&lon=2.2945&layer=poi', 'Eiffel Tower'],
    ['lat=48.8584&lon=2.2945&layer=poi,address', 'Eiffel Tower'],
    ['lat=43&lon=0.501&layer=natural', 'Pic Blanc'],
    ['lat=42.3&lon=0.501&layer=natural', 'Pyrenees'],
  ])
    assert.equal((await at(query)).name, name, query);
  assert.ok((await at('lat=42.3&lon=0.501&layer=poi')).error);
});

test('what is in several countries is found in each of them', () => {
  assert.deepEqual(
    ['FR', 'ES', 'CL'].map((country) => found('Pyrenees', { country }).map(({ name }) => name)),
    [['Pyrenees'], ['Pyrenees'], []],
  );
});

test('a town is found where a landmark has its name, and alone in the profiles of the specification', () => {
  assert.deepEqual(
    found('Sagrada Familia').map(({ layer, country }) => `${layer} ${country}`),
    ['landmark ES', 'place CL'],
  );
  assert.equal(found('Sagrada Familia, CL')[0].layer, 'place');
  assert.equal(found('Sagrada Familia', { country: 'CL' })[0].layer, 'place');
  assert.deepEqual(
    found('Baltic').map(({ name }) => name),
    ['Baltic Sea', 'Baltic'],
  );
  assert.deepEqual(
    found('Sagrada Familia', {}, 'a').map(({ country }) => country),
    ['CL'],
  );
});

test('a continent that is a country is the country, unless continents are asked for', () => {
  assert.equal(found('Antarctica')[0].layer, 'country');
  assert.equal(found('Antarktika', { layers: 'continent' })[0].layer, 'continent');
});

test('a landmark is at its own position, in its city; its identifier is that of the table', () => {
  const [{ id, layer, kind, lat, lng, city, admin1, bbox }] = found('eiffel tower');
  assert.deepEqual(
    { id, layer, kind, lat, lng, city, admin1, bbox },
    {
      id: firstLandmarkId + 1,
      layer: 'landmark',
      kind: 'tower',
      lat: 48.8583,
      lng: 2.2945,
      city: 'Paris',
      admin1: 'Île-de-France',
      bbox: null,
    },
  );
  const record = ask(place, store, { id });
  assert.deepEqual(record.names, { fr: 'Tour Eiffel', 'zh-hant': '艾菲爾鐵塔' });
  assert.equal(ask(place, store, { id, lang: 'fr' }).name, 'Tour Eiffel');
  assert.deepEqual(record.sources, ['whereabouts-landmarks']);
});

test('what is in no country has none; what is in several regions has no region; both have a box', () => {
  const [sea] = found('baltic sea');
  assert.deepEqual([sea.layer, sea.country, sea.admin1, sea.bbox], ['water', null, null, [9, 53, 31, 66]]);
  assert.equal(sea.bbox_source, 'area');
  assert.deepEqual(ask(place, store, { id: sea.id }).hierarchy, []);
  const [range] = found('Pyrenees');
  assert.deepEqual([range.layer, range.country, range.admin1], ['natural', 'FR', null]);
  assert.equal(found('Somewhere in Peru').length, 0);
  const labels = (q: string) => (ask(autocomplete, store, { q }).results as Result[]).map(({ label }) => label);
  assert.deepEqual(labels('baltic s'), ['Baltic Sea']);
  assert.deepEqual(labels('eiff'), ['Eiffel Tower, Paris, Île-de-France, FR']);
});

test('/reverse answers each layer: the nearest landmark, and the park, sea and continent that cover the point', () => {
  const at = (lat: number, lng: number, layers: string) =>
    (ask(reverse, store, { lat, lng, layers }).results as Result[]).map(
      ({ layer, name, distance_km }) => `${layer} ${name} ${distance_km < 10 ? distance_km : 'far'}`,
    );
  assert.deepEqual(at(48.8583, 2.2945, 'landmark'), ['landmark Eiffel Tower 0']);
  assert.deepEqual(at(44, 7, 'park,landmark'), ['park Parc du Mercantour 0']);
  // 72 km from it, although 100 km are looked at: it is not that large.
  assert.deepEqual(at(44.75, 7, 'park'), []);
  assert.deepEqual(at(57, 19, 'water'), ['water Baltic Sea 0']);
  assert.deepEqual(at(5, 20, 'continent,natural'), ['continent Africa 0']);
});

test('one thing in two lists is one record: of the table, with the names of both and the measured position', () => {
  const [tower] = features;
  const measured = { ...tower, id: undefined, source: 'geonames', sourceId: '6254976', lat: 48.85837, lng: 2.29448 };
  const [joined, ...others] = joinedFeatures(
    [{ ...measured, name: 'Tour Eiffel', otherNames: ['Eiffelova věž'], namesIn: {} }],
    [tower],
  );
  assert.deepEqual(others, []);
  assert.deepEqual([joined.id, joined.name, joined.lat], [tower.id, 'Eiffel Tower', 48.85837]);
  assert.ok(joined.knownNames.includes('Tour Eiffel') && joined.otherNames.includes('Eiffelova věž'));
  const elsewhere = { ...measured, lat: 36.1, lng: -115.2 };
  assert.equal(joinedFeatures([elsewhere], [tower]).length, 2);
});

test('every row of the table has an identifier of its own, a kind of the list, a position and a box that holds it', () => {
  const kinds = readKinds();
  for (const { layer, category } of Object.values(kinds)) {
    assert.ok(featureLayers.includes(layer));
    assert.ok(category === null || poiCategories.includes(category));
  }
  const all = landmarks(() => true);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  for (const { id = 0, sourceId, name, lat, lng, prominence, bbox } of all) {
    assert.ok(id > firstLandmarkId && id < firstOwnLandmarkId, sourceId);
    assert.ok(name !== '' && Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && prominence > 0, sourceId);
    assert.ok(!bbox || (bbox.length === 4 && bbox.every(Number.isFinite) && bbox[1] < bbox[3]), sourceId);
  }
  const wrong = table.replace('tower', 'towr');
  assert.throws(
    () => landmarksIn(wrong, () => true, kinds),
    /1 Eiffel Tower has the kind "towr", expected one of castle/,
  );
});

test('what lies in East Jerusalem or on the Golan has the country of the rule for disputed land', () => {
  const all = landmarks(() => true);
  const isEast = ({ lat, lng }: { lat: number; lng: number }) =>
    lat > 31.77 && lat < 31.8 && lng > 35.2275 && lng < 35.25;
  const east = all.filter((each) => isEast(each));
  assert.ok(east.length > 10);
  assert.deepEqual(
    east.filter(({ country }) => country !== 'PS').map(({ name }) => name),
    [],
  );
  assert.equal(all.find(({ name }) => name === 'Golan Heights')?.country, 'IL');
});
