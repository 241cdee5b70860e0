/** Section 1 of the contract: how a request's profile is chosen. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { profiles, type Reply, type Served, serve, skip } from './served.ts';

/** The profile that an answer of /country/DE has, by its fields. */
function profileOf({ status, body }: Reply): string {
  assert.equal(status, 200, JSON.stringify(body));
  const [hasA, hasB] = ['continent' in body, 'is_eu' in body];
  return hasA && hasB ? 'default' : hasA ? 'a' : 'b';
}
const spellings = {
  default: ['default', 'DEFAULT', 'Default'],
  a: ['a', 'A'],
  b: ['b', 'B'],
};

suite('profiles', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  test('the header X-API-Variant and the parameter variant choose the profile, in any case', async () => {
    for (const profile of profiles) {
      for (const written of spellings[profile]) {
        const header = await served.ask('/v1/country/DE', {}, { headers: { 'x-api-variant': written } });
        assert.equal(profileOf(header), profile, `header ${written}`);
        const query = await served.ask('/v1/country/DE', { variant: written });
        assert.equal(profileOf(query), profile, `variant=${written}`);
        assert.equal(query.headers['x-ignored-parameters'], undefined);
      }
    }
  });

  test('any other variant is 400, in the header and in the query, whatever else is wrong is listed too', async () => {
    for (const written of ['', 'c', 'ab', 'variant a', '1', '__proto__', 'constructor']) {
      const replies = [
        await served.ask('/v1/country/DE', {}, { headers: { 'x-api-variant': written } }),
        await served.ask('/v1/country/DE', { variant: written }),
        await served.batch([], { headers: { 'x-api-variant': written } }),
      ];
      for (const { status, body } of replies) {
        assert.equal(status, 400, written);
        assert.deepEqual(
          body.errors.map(({ parameter }: { parameter: string }) => parameter),
          ['variant'],
        );
      }
    }
    assert.equal((await served.ask('/v1/country/DE?variant=a&variant=a')).status, 400);
    const { body } = await served.ask('/v1/countries?variant=c&limit=0');
    assert.deepEqual(body.errors.map(({ parameter }: { parameter: string }) => parameter).sort(), ['limit', 'variant']);
  });

  test("without either it is the key's own setting, which a request overrules, else default", async () => {
    assert.equal(profileOf(await served.ask('/v1/country/DE')), 'default');
    for (const own of profiles) {
      const key = served.makeKey({ profile: own });
      assert.equal(profileOf(await served.ask('/v1/country/DE', {}, { key })), own);
      for (const profile of profiles) {
        assert.equal(profileOf(await served.ask('/v1/country/DE', {}, { key, profile })), profile);
        assert.equal(profileOf(await served.ask('/v1/country/DE', { variant: profile }, { key })), profile);
      }
    }
  });

  test("a batch's profile holds for its entries, which may not name one", async () => {
    const requests = [{ endpoint: 'country/DE', params: {} }];
    const { body: refused } = await served.batch([{ endpoint: 'country/DE', params: { variant: 'b' } }]);
    assert.equal(refused.results[0].status, 400);
    for (const profile of profiles) {
      const field = profile === 'b' ? 'body' : 'data';
      const replies = [
        await served.batch(requests, { profile }),
        await served.batch(requests, { key: served.makeKey({ profile }) }),
      ];
      for (const { body } of replies) {
        for (const result of body.results) {
          assert.equal(profileOf({ status: result.status, body: result[field] } as Reply), profile);
        }
      }
    }
  });
});
