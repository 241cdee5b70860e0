/** What callers send in heads and addresses, read by the service. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { parseNetwork } from '../../src/core/ip/address.ts';
import { type TestService, testService } from '../support/service.ts';

suite('the address of a caller', () => {
  let trusting: TestService;
  let trustless: TestService;
  before(async () => {
    const trustedProxies = ['10.0.0.0/8', '2001:db8::/32', '::ffff:192.168.0.0/112'];
    trusting = await testService(undefined, { trustedProxies });
    trustless = await testService(undefined);
  });
  after(() => Promise.all([trusting.close(), trustless.close()]));

  /** The address that a service looks up for a caller who names none. */
  async function callerOf(remoteAddress: string, forwarded?: string, service = trusting): Promise<string> {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const { body } = await service.ask('/v1/ip', { remoteAddress, headers });
    return body.ip ?? body.detail.split(' ')[0];
  }

  test('is the peer when nobody is trusted or the peer is not', async () => {
    assert.equal(await callerOf('2.16.0.9', '8.8.8.1', trustless), '2.16.0.9');
    assert.equal(await callerOf('2.16.0.9', '8.8.8.1'), '2.16.0.9');
  });

  test('IPv4-mapped is IPv4', async () => {
    assert.equal(await callerOf('::ffff:2.16.0.9'), '2.16.0.9');
    assert.equal(await callerOf('::ffff:10.0.0.1', '8.8.8.1'), '8.8.8.1');
    assert.equal(await callerOf('192.168.3.4', '8.8.8.1'), '8.8.8.1');
  });

  test('is found from the right, past trusted hops, and never past one that is not an address', async () => {
    for (const [forwarded, expected] of [
      ['8.8.8.1, 2.16.0.2', '2.16.0.2'],
      ['8.8.8.1, 10.9.9.9', '8.8.8.1'],
      ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
      ['8.8.8.1, nonsense, 10.2.2.2', '10.2.2.2'],
      ['8.8.8.1,,10.2.2.2', '10.2.2.2'],
      ['', '10.0.0.1'],
      ['127.1', '10.0.0.1'],
    ])
      assert.equal(await callerOf('10.0.0.1', forwarded), expected, forwarded);
  });

  test('ports, brackets, quotes and zones are dropped', async () => {
    for (const [written, expected] of [
      ['8.8.8.1:443', '8.8.8.1'],
      ['[2606:4700::1111]:443', '2606:4700::1111'],
      ['[2606:4700::1111]', '2606:4700::1111'],
      ['"[2606:4700::1111]:443"', '2606:4700::1111'],
      ['fe80::1%eth0', 'fe80::1'],
    ] as const)
      assert.equal(await callerOf('10.0.0.1', written), expected);
  });

  test('a trusted proxy that is not a network is refused, naming it', () => {
    for (const text of [
      '10.0.0.0/33',
      'example.org',
      '',
      '10.0.0.0/8/9',
      '::/129',
      '10.0.0.0/x',
      '::ffff:10.0.0.0/8',
    ]) {
      assert.throws(
        () => parseNetwork(text),
        (error: Error) => error.message.includes(JSON.stringify(text)),
      );
    }
  });

  test('no header makes it fail', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'1.:,;[]" %af/-\xff') }), async (forwarded) => {
        const { status } = await trusting.ask('/v1/ip', {
          remoteAddress: '10.0.0.1',
          headers: { 'x-forwarded-for': forwarded },
        });
        assert.ok(status < 500);
      }),
    );
  });
});

suite('query strings', () => {
  let service: TestService;
  before(async () => {
    service = await testService(undefined);
  });
  after(() => service.close());

  /** What is sent as the search, by Nominatim's answer in XML, which repeats it. */
  async function readOf(query: string): Promise<string | undefined> {
    const { text } = await service.ask(`/nominatim/search?format=xml&${query}`);
    const shown = / querystring="([^"]*)"/.exec(text)?.[1];
    const signs: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>' };
    return shown?.replace(/&(\w+);/g, (_, name) => signs[name] ?? '?');
  }

  test('are read as URLSearchParams reads them, when they are valid', async () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aß東😀+ %&=#;?"<>/[]'), minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(letters, fc.dictionary(letters, letters, { maxKeys: 3 }), async (text, others) => {
        const q = `x${text}x`;
        const rest = Object.entries(others).map(([name, value]): [string, string] => [`_${name}`, value]);
        const parameters = new URLSearchParams([...rest, ['q', q], ...rest]);
        assert.equal(await readOf(parameters.toString()), q);
      }),
      { numRuns: 50 },
    );
  });

  test('what cannot be decoded is named, beside what else is wrong', async () => {
    const { status, body } = await service.ask('/v1/search?q=berlin&b=%zz&%ff=2&limit=x');
    assert.equal(status, 400);
    assert.deepEqual(
      body.errors.map(({ parameter }: { parameter: string }) => parameter),
      ['b', '%ff', 'limit'],
    );
  });
});
