/** Section 5 of the contract about /countries, /country and /admin. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { profiles, type Served, serve, skip } from './served.ts';

/** Names in the order of their letters: case, diacritics and punctuation do not count. */
function sortedByLetters(names: readonly string[]): string[] {
  const letters = (name: string) =>
    name
      .normalize('NFD')
      .replace(/[^A-Za-z ]/g, '')
      .toLowerCase();
  return [...names].sort((left, right) => (letters(left) < letters(right) ? -1 : 1));
}

suite('countries', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  test('/countries come by name, /countries/all are the 249, /country takes any case', async () => {
    for (const profile of profiles) {
      const { results, count } = await served.get('/countries/all', {}, { profile });
      assert.equal(count, 249);
      assert.equal(new Set(results.map(({ iso2 }: { iso2: string }) => iso2)).size, 249);
      const named = (await served.get('/countries', { limit: 249 }, { profile })).results;
      const names = named.map(({ name }: { name: string }) => name);
      assert.deepEqual(names, sortedByLetters(names));
      assert.deepEqual(
        named,
        results.map(({ iso2, iso3, name }: Record<string, string>) => ({ iso2, iso3, name })),
      );
      assert.equal(results.filter(({ is_eu }: { is_eu: boolean }) => is_eu).length, 27);
    }
    const lower = await served.get('/country/de');
    assert.deepEqual({ ...lower, query_ms: 0 }, { ...(await served.get('/country/DE')), query_ms: 0 });
    const { capital, currency, currency_symbol, phone_code, flag, continent } = lower;
    assert.deepEqual(
      [capital, currency, currency_symbol, phone_code, flag, continent],
      ['Berlin', 'EUR', '€', '+49', '🇩🇪', 'Europe'],
    );
    assert.equal((await served.problem('/country/XX', {})).said, '404 country_not_found');
    assert.equal((await served.problem('/country/DEU', {})).said, '400 invalid_parameter code');
  });

  test('/admin lists regions by name with the codes of each profile, level 2 by parent', async () => {
    type Region = { name: string; code: string; iso_code: string | null; country?: string; parent: string | null };
    const { results, country } = await served.get('/admin', { country: 'us' });
    assert.equal(country, 'US');
    assert.equal(results.length, 51);
    const california = results.find(({ name }: Region) => name === 'California');
    assert.deepEqual(
      [california.code, california.iso_code, california.level, california.parent],
      ['CA', 'US-CA', 1, null],
    );
    const inA = (await served.get('/admin', { country: 'US' }, { profile: 'a' })).results;
    assert.ok(inA.some(({ code }: Region) => code === 'CA'));
    const inB = (await served.get('/admin', { country: 'US' }, { profile: 'b' })).results;
    assert.ok(inB.some(({ code, country: of }: Region) => code === 'US-CA' && of === 'US'));
    for (const iso2 of ['US', 'DE', 'FR', 'JP', 'GB']) {
      const names: string[] = (await served.get('/admin', { country: iso2 })).results.map(({ name }: Region) => name);
      assert.deepEqual(
        names,
        [...names].sort((left, right) => left.localeCompare(right, 'en')),
        iso2,
      );
    }
    const counties = (await served.get('/admin', { country: 'US', level: 2, parent: 'CA' })).results;
    assert.equal(counties.length, 58);
    assert.ok(counties.every(({ parent, level }: Region & { level: number }) => parent === 'CA' && level === 2));
    for (const parent of ['US-CA', 'us-ca', 'california']) {
      assert.deepEqual((await served.get('/admin', { country: 'US', level: 2, parent })).results, counties);
    }
    assert.equal(
      (await served.problem('/admin', { country: 'US', level: 2, parent: 'Nowhere' })).said,
      '400 invalid_parameter parent',
    );
    assert.equal(
      (await served.problem('/admin', { country: 'US', parent: 'CA' })).said,
      '400 invalid_parameter parent',
    );
  });

  test('the largest cities lie in the regions that their countries assign them to', async () => {
    const expected: Record<string, string> = {
      'Ho Chi Minh City': 'VN-SG',
      Hanoi: 'VN-HN',
      'Da Nang': 'VN-DN',
      Drammen: 'NO-33',
      Tromsø: 'NO-55',
      Mumbai: 'IN-MH',
      Sydney: 'AU-NSW',
      'São Paulo': 'BR-SP',
      Shanghai: 'CN-SH',
      Lagos: 'NG-LA',
    };
    for (const [city, isoCode] of Object.entries(expected)) {
      const [{ admin1, country }] = (await served.get('/search', { q: city, limit: 1 })).results;
      const regions = (await served.get('/admin', { country })).results;
      const region = regions.find(({ iso_code }: { iso_code: string }) => iso_code === isoCode);
      assert.equal(admin1, region?.name, city);
    }
  });
});
