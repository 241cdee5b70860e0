/** Section 5 of the contract about /search and /autocomplete. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Parameters } from './questions.ts';
import { type Served, serve, skip } from './served.ts';

type Row = Record<string, string | number | null>;
const placeTypes = ['city', 'town', 'village', 'suburb', 'hamlet'];

suite('search', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  const rows = async (path: string, parameters: Parameters = {}): Promise<Row[]> =>
    (await served.get(path, parameters)).results;
  const first = async (q: string, more: Parameters = {}) => {
    const [place] = await rows('/search', { q, limit: 1, ...more });
    return place ? [place.name, place.admin1, place.country].join('/') : undefined;
  };

  test('/search understands context: region, country or postal code next to the name', async () => {
    const expected: Record<string, string> = {
      'Paris, Texas': 'Paris/Texas/US',
      'Springfield IL': 'Springfield/Illinois/US',
      'München Bayern': 'Munich/Bavaria/DE',
      '10115 Berlin': 'Berlin/State of Berlin/DE',
      'Moskva RU': 'Moscow/Moscow/RU',
      'London, Ontario, Canada': 'London/Ontario/CA',
      'Portland ME': 'Portland/Maine/US',
      'Roma Italia': 'Rome/Lazio/IT',
      '1010 Wien': 'Vienna/Vienna/AT',
    };
    for (const [q, place] of Object.entries(expected)) assert.equal(await first(q), place, q);
  });

  test('names match in any language and script, whatever their case, diacritics, punctuation, width and apostrophes', async () => {
    const expected: Record<string, string[]> = {
      'Munich/Bavaria/DE': ['Munich', 'München', 'MUNCHEN', 'muenchen', 'ＭＵＮＣＨＥＮ', 'мюнхен', 'ミュンヘン'],
      "L'Aquila/Abruzzo/IT": ["L'Aquila", 'L’Aquila', 'LʼAquila', 'laquila', 'L Aquila', "L'AQUILA"],
      'São Paulo/São Paulo/BR': ['São Paulo', 'sao paulo', 'SAO-PAULO', 'Sa\u0303o Paulo'],
      'Łódź/Łódź Voivodeship/PL': ['Łódź', 'lodz', 'LODZ'],
      'St. Louis/Missouri/US': ['St. Louis', 'st louis', 'Saint Louis'],
      'Tokyo/Tokyo/JP': ['東京', '东京', 'Tōkyō'],
      'Moscow/Moscow/RU': ['Москва', 'МОСКВА', 'Moskau', 'Moscou'],
      'Cairo/Cairo/EG': ['القاهرة', 'Le Caire'],
      'Delhi/Delhi/IN': ['दिल्ली'],
      'Athens/Attica/GR': ['Αθήνα', 'ΑΘΗΝΑ', 'αθηνα'],
      'Seoul/Seoul/KR': ['서울'],
      'Jerusalem/Jerusalem/IL': ['ירושלים'],
      'Bangkok/Bangkok/TH': ['กรุงเทพ'],
      'Tbilisi/Tbilisi/GE': ['თბილისი'],
      'Yerevan/Yerevan/AM': ['Երևան'],
      'Istanbul/Istanbul/TR': ['İstanbul', 'ISTANBUL', 'istanbul', 'ıstanbul'],
    };
    for (const [place, spellings] of Object.entries(expected)) {
      for (const q of spellings) assert.equal(await first(q), place, q);
    }
  });

  test('/search ranks by match, then prominence, then bias; typing mistakes only when nothing fits', async () => {
    assert.equal(await first('Paris'), 'Paris/Île-de-France/FR');
    assert.equal(await first('Berlni'), 'Berlin/State of Berlin/DE');
    assert.deepEqual(await rows('/search', { q: 'Berlni', fuzzy: 'false' }), []);
    const strict = await rows('/search', { q: 'Leipzig' });
    assert.deepEqual(await rows('/search', { q: 'Leipzig', fuzzy: 'false' }), strict);
    assert.equal(await first('Paris', { lat: 33.66, lng: -95.55 }), 'Paris/Texas/US');
    assert.equal(await first('Springfield', { lat: 37.2, lng: -93.3 }), 'Springfield/Missouri/US');
    assert.equal((await served.problem('/search', { q: 'Paris', lat: 1 })).said, '400 missing_parameter lng');
    const confidences = (await rows('/search', { q: 'Berlin', limit: 100 })).map(({ confidence }) =>
      Number(confidence),
    );
    // Berlin is a town in other countries too.
    assert.ok(confidences[0] >= 90 && confidences[0] > confidences[1]);
    assert.ok(confidences.every((value) => value >= 0 && value <= 100));
    const [fuzzy] = await rows('/search', { q: 'Berlni' });
    const [partial] = await rows('/search', { q: 'Berlin Nowhereville' });
    assert.ok(Number(fuzzy.confidence) < 100 && Number(partial.confidence) < Number(fuzzy.confidence));
  });

  test('/search filters by country and type, and answers in the requested language', async () => {
    const american = await rows('/search', { q: 'Berlin', country: 'us', limit: 100 });
    assert.ok(american.length > 1 && american.every(({ country }) => country === 'US'));
    for (const type of placeTypes) {
      const found = await rows('/search', { q: 'San', type, limit: 100 });
      // The default dataset has no hamlets.
      assert.equal(found.length > 0, type !== 'hamlet', type);
      for (const row of found) assert.equal(row.type, type);
    }
    assert.equal((await served.problem('/search', { q: 'x', type: 'castle' })).said, '400 invalid_parameter type');
    const [german] = await rows('/search', { q: 'Munich', lang: 'de' });
    assert.deepEqual([german.admin1, german.country_name], ['Bayern', 'Deutschland']);
  });

  test('sources are resolvable in /status, a type is one of five, a postal code is of the place or null', async () => {
    const { body } = await served.ask('/status', {}, { key: null });
    const known = body.dataset.sources.map(({ id }: Row) => id);
    for (const row of await rows('/search', { q: 'Spring', limit: 100 })) {
      const sources = row.sources as unknown as string[];
      assert.ok(sources.length > 0 && sources.every((id) => known.includes(id)));
      if (row.layer === 'place') assert.ok(placeTypes.includes(String(row.type)));
      else assert.equal(row.type, null);
      if (row.postal_code === null) continue;
      const places = await rows('/postal', { code: row.postal_code, country: String(row.country) });
      assert.ok(places.length > 0, `${row.name} ${row.postal_code}`);
      const query = { city: String(row.name), country: String(row.country), postal_code: row.postal_code };
      if (row.layer === 'place') assert.ok((await served.get('/validate', query)).valid, JSON.stringify(query));
    }
    assert.equal((await rows('/search', { q: '10115 Berlin' }))[0].postal_code, '10115');
  });

  test('/autocomplete takes the last word as a prefix, the earlier ones as complete', async () => {
    const labels = async (q: string, more: Parameters = {}) =>
      (await rows('/autocomplete', { q, limit: 20, ...more })).map(({ label }) => label);
    assert.equal((await labels('ber'))[0], 'Berlin, State of Berlin, DE');
    assert.ok((await labels('new yo')).includes('New York City, New York, US'));
    assert.deepEqual(await labels('paris tex'), ['Paris, Texas, US']);
    // One letter of the region, which is the code of another one in many countries.
    assert.equal((await labels('springfield, i'))[0], 'Springfield, Illinois, US');
    for (const typed of ['t', 'te', 'tex']) {
      assert.ok((await labels(`paris, ${typed}`, { limit: 3 })).includes('Paris, Texas, US'), typed);
    }
    assert.equal((await labels('lodnon'))[0], 'London, England, GB');
    assert.ok(!(await labels('bnr', { country: 'CH' })).includes('Bern, Bern, CH'), 'no mistakes in 3 characters');
    assert.deepEqual((await labels('springfield')).slice(0, 2), [
      'Springfield, Illinois, US',
      'Springfield, Massachusetts, US',
    ]);
    for (const label of await labels('be', { country: 'ch' })) assert.match(String(label), /, (CH|Switzerland)$/);
  });

  test('/autocomplete labels are name, region and country; equal labels are different places', async () => {
    for (const q of ['san', 'spring', 'st', 'gibr', 'singap', 'ne', 'ко', '東京']) {
      const suggestions = await rows('/autocomplete', { q, limit: 20 });
      for (const { layer, name, admin1, country, country_name, label } of suggestions) {
        if (layer === 'country') assert.equal(label, name);
        else if (layer === 'region') assert.equal(label, `${name}, ${country_name}`);
        else if (layer === 'place')
          assert.equal(label, [name, admin1, country].filter((part) => part !== null).join(', '));
      }
      assert.equal(new Set(suggestions.map(({ id }) => id)).size, suggestions.length, q);
      for (const profile of ['a', 'b'] as const) {
        const { results } = await served.get('/autocomplete', { q, limit: 20 }, { profile });
        for (const { name, admin1, country, label } of results)
          assert.equal(label, [name, admin1, country].filter((part) => part !== null).join(', '));
      }
    }
    for (const q of ['campinas', 'curi', 'belém', 'paris', 'spring', 'san jose', 'nadi']) {
      const suggestions = await rows('/autocomplete', { q, limit: 20 });
      for (const [at, { label, lat, lng }] of suggestions.entries()) {
        const isSame = (other: Row) =>
          other.label === label && Math.hypot(Number(other.lat) - Number(lat), Number(other.lng) - Number(lng)) < 0.01;
        assert.equal(suggestions.findIndex(isSame), at, `${q}: ${label} twice in one place`);
      }
    }
    const [region] = await rows('/autocomplete', { q: 'campinas', layers: 'subregion' });
    assert.equal(region.label, 'Campinas, São Paulo, BR');
  });
});
