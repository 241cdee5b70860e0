import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type TestService, testService } from '../support/service.ts';
import { openSmallStore } from '../support/small-store.ts';

suite('conditional requests', () => {
  let service: TestService;
  before(async () => {
    service = await testService(undefined);
  });
  after(() => service.close());
  const tagOf = async (url: string, headers = {}) => (await service.ask(url, { headers })).headers.etag;

  test('an answer that depends on the data only has a weak ETag and may be kept by its client', async () => {
    const { headers } = await service.ask('/v1/country/DE');
    assert.match(headers.etag, /^W\/"[\w-]+"$/);
    assert.match(headers['cache-control'], /^private, max-age=\d+$/);
    assert.equal(headers.vary, 'Accept-Encoding, Accept-Language, Origin, X-API-Key, X-API-Variant');
  });

  test('an answer that depends on the time or on the caller has no ETag and is not stored', async () => {
    for (const url of ['/v1/timezone?lat=52&lng=13', '/v1/sun?lat=52&lng=13', '/v1/usage']) {
      const { status, headers } = await service.ask(url);
      assert.equal(status, 200, url);
      assert.equal(headers.etag, undefined, url);
      assert.equal(headers['cache-control'], 'no-store', url);
    }
    const own = await service.ask('/v1/ip', { remoteAddress: '8.8.8.8' });
    assert.equal(own.body.ip, '8.8.8.8');
    assert.equal(own.headers.etag, undefined);
  });

  test('equivalent requests have equal tags', async () => {
    const tag = await tagOf('/v1/countries?limit=50');
    assert.equal(await tagOf('/v1/countries'), tag);
    assert.equal(await tagOf('/v1/countries?limit=050'), tag);
    assert.equal(await tagOf('/v1/countries?unknown=1'), tag);
  });

  test('another parameter, profile or dataset has another tag', async () => {
    const tags = [
      await tagOf('/v1/countries?limit=50'),
      await tagOf('/v1/countries?limit=49'),
      await tagOf('/v1/countries?limit=50&variant=a'),
      await tagOf('/v1/countries?limit=50', { 'x-api-variant': 'b' }),
    ];
    const before = service.holder.current;
    const other = await openSmallStore({ version: 'small-2' });
    service.holder.current = other.store;
    tags.push(await tagOf('/v1/countries?limit=50'));
    service.holder.current = before;
    other.remove();
    assert.equal(new Set(tags).size, tags.length);
  });

  test('If-None-Match with the tag, strong or weak, alone or in a list, or * answers 304 without a body', async () => {
    const url = '/v1/country/DE';
    const tag = await tagOf(url);
    for (const header of [tag, tag.slice(2), `"x", ${tag}`, `${tag}, "y"`, `"x",${tag.slice(2)},"z"`, '*']) {
      const answer = await service.ask(url, { headers: { 'if-none-match': header } });
      assert.equal(answer.status, 304, header);
      assert.equal(answer.text, '');
      assert.equal(answer.headers.etag, tag);
      assert.match(answer.headers['cache-control'], /max-age/);
      assert.ok(answer.headers.vary);
      assert.equal(answer.headers['content-type'], undefined);
    }
    for (const header of ['"x"', tag.slice(0, -2), `${tag}x`, '', 'W/']) {
      assert.equal((await service.ask(url, { headers: { 'if-none-match': header } })).status, 200, header);
    }
  });

  test('If-None-Match: * on what is not there is still 404', async () => {
    assert.equal((await service.ask('/v1/country/ZZ', { headers: { 'if-none-match': '*' } })).status, 404);
  });

  test('HEAD with If-None-Match answers 304 as GET does', async () => {
    const headers = { 'if-none-match': await tagOf('/v1/country/DE') };
    assert.equal((await service.ask('/v1/country/DE', { method: 'HEAD', headers })).status, 304);
  });

  test('a dataset is swapped between two requests without either failing', async () => {
    const before = service.holder.current;
    const tag = await tagOf('/v1/countries');
    const other = await openSmallStore({ version: 'small-3' });
    const pending = Array.from({ length: 10 }, () => service.ask('/v1/countries'));
    service.holder.current = other.store;
    pending.push(service.ask('/v1/countries'));
    const answers = [await service.ask('/v1/countries'), ...(await Promise.all(pending))];
    const after = await service.ask('/v1/countries');
    service.holder.current = before;
    other.remove();
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(after.status, 200);
    assert.notEqual(after.headers.etag, tag);
  });
});
