/** `lang` and `Accept-Language`: the language of names, and a weak preference for its country. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestService, testService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await testService(undefined);
});
after(() => service?.close());

const get = (path: string, language?: string) =>
  service.ask(`/v1${path}`, language === undefined ? {} : { headers: { 'accept-language': language } });

test('Accept-Language stands in for an absent lang, in every endpoint that has it', async () => {
  const german = 'de-CH;q=0.8, *, fr;q=0.5';
  const [found] = (await get('/search?q=munich', german)).body.results;
  assert.equal(found.name, 'München');
  assert.equal(found.country_name, 'Deutschland');
  const [suggested] = (await get('/autocomplete?q=munic', german)).body.results;
  assert.equal(suggested.label, 'München, Bayern, DE');
  const [at] = (await get('/reverse?lat=48.137&lng=11.575', german)).body.results;
  assert.equal(at.country_name, 'Deutschland');
  assert.equal((await get(`/place/${found.id}`, german)).body.name, 'München');
  const { body } = await service.ask('/v1/batch', {
    method: 'POST',
    headers: { 'accept-language': 'de', 'content-type': 'application/json' },
    body: JSON.stringify({ requests: [{ endpoint: '/search', params: { q: 'munich' } }] }),
  });
  assert.equal(body.results[0].data.results[0].name, 'München');
});

test('lists and facts are in lang too, lists by their names in it; the other profiles as they were', async () => {
  const namesIn = async (path: string) =>
    (await get(path)).body.results.map(({ name }: { name: string }) => name).join();
  assert.equal(
    await namesIn('/countries/all?lang=de'),
    'Deutschland,Frankreich,Japan,Vereinigte Staaten,Vereinigtes Königreich',
  );
  assert.match(await namesIn('/countries?lang=sv'), /^Frankrike,Förenta|^Frankrike,Japan/);
  const { name, capital } = (await get('/country/JP?lang=de')).body;
  assert.deepEqual([name, capital], ['Japan', 'Tokio']);
  assert.equal((await get('/country/DE?lang=fr&variant=a')).body.name, 'Germany');
  const regions = (await get('/admin?country=DE&lang=de')).body.results;
  assert.ok(regions.some((region: { name: string }) => region.name === 'Bayern'));
  const cities = (await get('/cities?country=DE&lang=de&limit=100')).body.results;
  assert.ok(
    cities.some((city: { name: string; admin1: string }) => city.name === 'München' && city.admin1 === 'Bayern'),
  );
  const [near] = (await get('/nearby?lat=48.137&lng=11.575&lang=de&min_population=500000')).body.results;
  assert.equal(near.name, 'München');
  const { normalized } = (await get('/validate?city=munich&country=DE&lang=de')).body;
  assert.deepEqual([normalized.city, normalized.admin1], ['München', 'Bayern']);
  assert.equal((await get('/distance?from_city=munich&to_lat=48.21&to_lng=16.37&lang=de')).body.from.name, 'München');
  // Tags that Intl does not take.
  for (const lang of ['de-x', 'en-u', 'zh-min-nan'])
    assert.equal((await get(`/admin?country=DE&lang=${lang}`)).status, 200, lang);
});

test('lang wins over Accept-Language, and what is no language changes nothing', async () => {
  assert.equal((await get('/search?q=munich&lang=en', 'de')).body.results[0].country_name, 'Germany');
  const { results } = (await get('/search?q=munich')).body;
  for (const header of ['*', '', 'de;q=0', '1234', 'x'])
    assert.deepEqual((await get('/search?q=munich', header)).body.results, results, header);
  for (const header of [
    'fr;q=0.2, not a tag, de;q=0.9, en;q=0.3',
    'fr;level=1, de;q=0.1',
    'de, fr',
    'fr;q=x, de;q=0.5',
  ])
    assert.equal((await get('/search?q=munich', header)).body.results[0].country_name, 'Deutschland', header);
  const variant = await get('/search?q=munich&variant=a', 'de');
  assert.equal(variant.body.results[0].country_name, 'Germany');
  assert.doesNotMatch(variant.headers.vary, /Accept-Language/);
});

/** Of 36 characters, one more than any language needs: Intl takes seconds for a hundred thousand. */
const longTag = 'de-abcde-bcdef-cdefg-defgh-efghi-abc';

test('a lang that is no language tag is refused', async () => {
  for (const path of ['/search?q=munich', '/autocomplete?q=munic', '/reverse?lat=48.1&lng=11.6', '/place/2867714'])
    for (const lang of ['deutsch!', 'd', 'de,en', 'de en', '', longTag])
      assert.equal(
        (await get(`${path}${path.includes('?') ? '&' : '?'}lang=${encodeURIComponent(lang)}`)).status,
        400,
        lang,
      );
  for (const lang of ['de', 'pt-BR', 'zh_Hant', 'xx', '%20fr%20', longTag.slice(0, -4)])
    assert.equal((await get(`/search?q=munich&lang=${lang}`)).status, 200, lang);
});

test('a header with a tag that is too long is as none', async () => {
  const [long, most] = [longTag, longTag.slice(0, -4)].map((tag) => get('/country/DE', tag));
  assert.deepEqual([(await long).body.name, (await most).body.name], ['Germany', 'Deutschland']);
});

test('an answer in the language of the caller varies by it, in its tag too', async () => {
  const german = await get('/search?q=munich', 'de');
  const french = await get('/search?q=munich', 'fr');
  assert.match(german.headers.vary, /\bAccept-Language\b/);
  assert.match((await get('/search?q=munich')).headers.vary, /\bAccept-Language\b/);
  assert.notEqual(german.headers.etag, french.headers.etag);
  const known = { 'accept-language': 'fr', 'if-none-match': german.headers.etag };
  assert.equal((await service.ask('/v1/search?q=munich', { headers: known })).status, 200);
  assert.doesNotMatch((await get('/search?q=munich&lang=de', 'fr')).headers.vary, /Accept-Language/);
  assert.doesNotMatch((await get('/timezone?lat=1&lng=1', 'fr')).headers.vary, /Accept-Language/);
});

test('the country of the language is preferred a little, as explain says, unless a position or country is given', async () => {
  for (const path of ['/search?q=springfield', '/autocomplete?q=springf']) {
    const { explain, results } = (await get(`${path}&explain=true`, 'en-US')).body;
    assert.equal(explain.language, 'en-US');
    assert.equal(explain.preferred_country, 'US');
    assert.equal(results[0].country, 'US');
    const preferred = explain.answers.filter(({ contributions }: { contributions: { nearness: number } }) => {
      return contributions.nearness > 0;
    });
    assert.ok(preferred.length > 0);
    const near = (await get(`${path}&explain=true&lat=1&lng=1`, 'en-US')).body;
    assert.equal(near.explain.preferred_country, null);
    assert.equal((await get(`${path}&explain=true&country=US`, 'en-US')).body.explain.preferred_country, null);
    const plain = (await get(`${path}&explain=true`)).body.explain;
    assert.deepEqual([plain.language, plain.preferred_country], [null, null]);
  }
});

test('explain lists the interpretations and the candidates that lost, of suggestions too', async () => {
  for (const path of ['/search?q=paris', '/autocomplete?q=par']) {
    const { explain, results } = (await get(`${path}&limit=1&explain=true`)).body;
    assert.equal(results.length, 1);
    assert.equal(explain.interpretations[0].context, '');
    assert.ok(explain.answers.length > 1 && explain.candidates >= explain.answers.length);
    const [best, ...others] = explain.answers;
    assert.deepEqual([best.id, best.is_result], [results[0].id, true]);
    assert.ok(others.every((other: { is_result: boolean }) => !other.is_result));
    for (const { contributions, score } of explain.answers) {
      const sum = Object.values(contributions as Record<string, number>).reduce((all, points) => all + points, 100);
      assert.ok(Math.abs(sum - score) < 0.5, `${sum} ${score}`);
    }
    assert.ok((await get(`/place/${others[0].id}`)).status === 200);
  }
  const { explain } = (await get('/search?q=paris+france&explain=true')).body;
  const [{ name, context }] = explain.interpretations;
  assert.deepEqual([name, context], ['paris', 'france']);
});

test('explain of a house has the search for its address', async () => {
  const { results, explain } = (await get('/search?q=Hauptstr+3+Berlin&explain=true')).body;
  assert.equal(results[0].layer, 'address');
  assert.equal(explain.addresses.step, 'as_written');
  assert.ok(explain.addresses.answers[0].contributions.houseMatch > 0);
  assert.equal((await get('/search?q=48.1,11.5&explain=true')).body.explain.addresses, null);
});

test('a head full of blanks is read in its length', async () => {
  await get('/search?q=munich', 'de');
  const before = process.threadCpuUsage();
  assert.equal((await get('/search?q=munich', `de${' '.repeat(15_000)}x`)).status, 200);
  const { user } = process.threadCpuUsage(before);
  assert.ok(user < 100_000, `${user} µs`);
});
