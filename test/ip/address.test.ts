import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatIp, type IpAddress, ipv4BehindTransition, parseIp, specialKind } from '../../src/core/ip/address.ts';

const parsed = (text: string) => parseIp(text) as IpAddress;

test('IPv6 addresses are written as RFC 5952 says', () => {
  const pairs: [string, string][] = [
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['0:0:0:0:0:0:13.1.68.3', '::d01:4403'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['::ffff:8.8.8.8', '8.8.8.8'],
    ['::FFFF:0808:0808', '8.8.8.8'],
    ['0:0:0:0:0:ffff:8.8.8.8', '8.8.8.8'],
  ];
  for (const [text, canonical] of pairs) assert.equal(formatIp(parsed(text)), canonical, text);
});

test('what is not a strictly written address is none', () => {
  const none = [
    ...['127.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.04', '0x7f.0.0.1', '0177.0.0.1', '2130706433', '256.1.1.1'],
    ...['1.2.3.-4', '1.2.3.4 ', ' 1.2.3.4', '1.2.3.4/24', '1.2.3.4:80', '1..2.3', '１.2.3.4', '1.2.3.4\0', '1e0.2.3.4'],
    ...[':', ':::', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1::2::3', '::1%eth0', 'fe80::1%1', '[::1]', '::1/64'],
    ...[
      '12345::',
      'g::',
      '::1.2.3',
      '::1.2.3.256',
      '1.2.3.4::',
      '1:2:3:4:5:6:7::8:9',
      '1:2:3:4:5:6:7:8::',
      ':1::',
      '::1:',
    ],
    ...[
      '',
      'localhost',
      'null',
      '::ffff:01.2.3.4',
      '1:2:3:4:5:6:7:1.2.3.4',
      '1::2:3:4:5:6:7:1.2.3.4',
      '::1.2.3.4:5',
      '0:'.repeat(40),
    ],
  ];
  for (const text of none) assert.equal(parseIp(text), undefined, JSON.stringify(text));
});

test('a text is an address exactly when the runtime says so', () => {
  const character = fc.constantFrom(...'0123456789abcdefABCDEF::::....%/ x'.split(''));
  const fragments = fc.constantFrom('::', ':', '.', '0', '1', 'ffff', '255', '256', '01', 'fe80', '1.2.3.4', '10000');
  const texts = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.string({ unit: character, maxLength: 46 }),
    fc.array(fragments, { maxLength: 18 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const version = text.includes('%') ? 0 : isIP(text);
      const address = parseIp(text);
      assert.equal(address !== undefined, version !== 0);
      if (!address) return;
      // The runtime's URL parser writes hosts in the canonical form too.
      if (version === 6 && address.length === 16)
        assert.equal(`[${formatIp(address)}]`, new URL(`http://[${text}]`).hostname);
      if (version === 4) assert.equal(formatIp(address), text);
      assert.deepEqual(parseIp(formatIp(address)), address);
    }),
    { numRuns: 3000 },
  );
});

test('transition addresses stand for their IPv4 address', () => {
  const behind = (text: string) => {
    const ipv4 = ipv4BehindTransition(parsed(text));
    return ipv4 && formatIp(ipv4);
  };
  assert.equal(behind('2002:808:808::1'), '8.8.8.8');
  assert.equal(behind('64:ff9b::8.8.8.8'), '8.8.8.8');
  // The example of RFC 4380: client 192.0.2.45, stored inverted.
  assert.equal(behind('2001:0:4136:e378:8000:63bf:3fff:fdd2'), '192.0.2.45');
  for (const text of ['2001:4860:4860::8888', '64:ff9b:1::808:808', '2003::1', '8.8.8.8', '2001:1::1']) {
    assert.equal(behind(text), undefined, text);
  }
});

test('special addresses are named by kind, to their first and last address', () => {
  const kinds: [RegExp, ...string[]][] = [
    [/unspecified/, '0.0.0.0', '::'],
    [/this network/, '0.0.0.1', '0.255.255.255'],
    [/private/, '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
    [/private/, 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fec0::1', '64:ff9b:1::1', '64:ff9b:1:2::1'],
    [/CGNAT/, '100.64.0.0', '100.127.255.255'],
    [/loopback/, '127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1'],
    [/link-local/, '169.254.0.0', '169.254.255.255', 'fe80::', 'febf:ffff::1'],
    [/documentation/, '192.0.2.0', '198.51.100.255', '203.0.113.7', '2001:db8::', '2001:db8:ffff::1', '3fff:fff::1'],
    [/benchmarking/, '198.18.0.0', '198.19.255.255', '2001:2::1'],
    [/multicast/, '224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1'],
    [
      /reserved/,
      '240.0.0.0',
      '255.255.255.254',
      '192.88.99.1',
      '4000::',
      'e000::1',
      '64:ff9b:0:1::',
      '::2',
      '::8.8.8.8',
      '2001:10::1',
    ],
    [/broadcast/, '255.255.255.255'],
    [/discard/, '100::', '100::ffff:ffff:ffff:ffff'],
  ];
  for (const [kind, ...texts] of kinds)
    for (const text of texts) assert.match(specialKind(parsed(text)) ?? 'public', kind, text);
  const open = [
    ...['1.0.0.0', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['128.0.0.0', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.0.0.9', '192.0.1.0', '192.167.255.255'],
    ...[
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '203.0.114.0',
      '223.255.255.255',
      '192.31.196.1',
      '192.175.48.1',
    ],
    ...[
      '2000::',
      '2001:4860:4860::8888',
      '2001:1::1',
      '2001:200::',
      '2002:808:808::',
      '2620:4f:8000::1',
      '2a02:8108::1',
    ],
    ...['3ffe::1', '2001::1', '64:ff9b::808:808', '2001:db7:ffff::', '2001:db9::'],
  ];
  for (const text of open) assert.equal(specialKind(parsed(text)), undefined, text);
});
