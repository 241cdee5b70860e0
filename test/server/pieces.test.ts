import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { parseNetwork } from '../../src/core/ip/address.ts';
import { createClientAddress, parseQuery } from '../../src/server/call.ts';

suite('the address of a caller', () => {
  const trusting = createClientAddress(['10.0.0.0/8', '2001:db8::/32', '::ffff:192.168.0.0/112']);

  test('is the peer when nobody is trusted or the peer is not', () => {
    assert.equal(createClientAddress([])('9.9.9.9', '1.1.1.1'), '9.9.9.9');
    assert.equal(trusting('9.9.9.9', '1.1.1.1'), '9.9.9.9');
    assert.equal(trusting(undefined, '1.1.1.1'), undefined);
  });

  test('IPv4-mapped is IPv4', () => {
    assert.equal(trusting('::ffff:9.9.9.9', undefined), '9.9.9.9');
    assert.equal(trusting('::ffff:10.0.0.1', '1.1.1.1'), '1.1.1.1');
    assert.equal(trusting('192.168.3.4', '1.1.1.1'), '1.1.1.1');
  });

  test('is found from the right, past trusted hops, and never past one that is not an address', () => {
    const cases = [
      ['1.1.1.1, 2.2.2.2', '2.2.2.2'],
      ['1.1.1.1, 10.9.9.9', '1.1.1.1'],
      ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
      ['1.1.1.1, nonsense, 10.2.2.2', '10.2.2.2'],
      ['1.1.1.1,,10.2.2.2', '10.2.2.2'],
      ['', '10.0.0.1'],
      ['127.1', '10.0.0.1'],
    ];
    for (const [forwarded, expected] of cases) assert.equal(trusting('10.0.0.1', forwarded), expected, forwarded);
  });

  test('ports, brackets, quotes and zones are dropped', () => {
    for (const [written, expected] of [
      ['1.1.1.1:443', '1.1.1.1'],
      ['[2606:4700::1111]:443', '2606:4700::1111'],
      ['[2606:4700::1111]', '2606:4700::1111'],
      ['"[2606:4700::1111]:443"', '2606:4700::1111'],
      ['fe80::1%eth0', 'fe80::1'],
    ] as const) {
      assert.equal(trusting('10.0.0.1', written), expected);
    }
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

  test('no header makes it fail', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (forwarded) => assert.ok(trusting('10.0.0.1', forwarded))));
  });
});

suite('query strings', () => {
  test('are read as URLSearchParams reads them, when they are valid', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))), (pairs) => {
        const parameters = new URLSearchParams(pairs);
        const { query, errors } = parseQuery(parameters.toString());
        assert.equal(errors, undefined);
        // An empty name without a value is written "=" and is a name like any other.
        const expected = new Map<string, string[]>();
        for (const [name, value] of parameters) expected.set(name, [...(expected.get(name) ?? []), value]);
        assert.deepEqual(new Map(Object.entries(query).map(([name, value]) => [name, [value].flat()])), expected);
      }),
    );
  });

  test('what cannot be decoded is named', () => {
    const { query, errors } = parseQuery('a=1&b=%zz&%ff=2&c=3');
    assert.deepEqual(Object.entries(query), [
      ['a', '1'],
      ['c', '3'],
    ]);
    assert.deepEqual(
      errors?.map(({ parameter }) => parameter),
      ['b', '%ff'],
    );
  });
});
