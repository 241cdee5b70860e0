import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetworks, formatIp, isInside, parseAddress, parseNetwork } from '../../src/core/ip/address.ts';

test('a network is an address and how many of its bits count; an address alone is one of all its bits', () => {
  for (const [text, address, bits] of [
    ['10.0.0.0/8', '10.0.0.0', 8],
    [' 10.1.2.3 ', '10.1.2.3', 32],
    ['0.0.0.0/0', '0.0.0.0', 0],
    ['fd00::/8', 'fd00::', 8],
    ['::1', '::1', 128],
    ['::ffff:10.0.0.0/104', '10.0.0.0', 8],
    ['::ffff:10.1.2.3', '10.1.2.3', 32],
  ] as const) {
    const [found, length] = parseNetwork(text);
    assert.deepEqual([formatIp(found), length], [address, bits], text);
  }
  for (const text of [
    '10.0.0.0/33',
    'fd00::/129',
    '::ffff:10.0.0.0/95',
    '10.0.0.0/08',
    '10.0.0.0/',
    '127.1',
    'host',
    '',
  ])
    assert.throws(() => parseNetwork(text), /is not a network/, text);
});

test('an address is inside a network of its own kind whose bits it shares', () => {
  const networks = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::/0'].map(parseNetwork);
  for (const [text, isIn] of [
    ['10.255.255.255', true],
    ['11.0.0.0', false],
    ['9.255.255.255', false],
    ['192.0.2.7', true],
    ['192.0.2.6', false],
    ['::ffff:10.0.0.1', true],
    ['::ffff:11.0.0.1', false],
    ['2001:db8::1', true],
  ] as const) {
    assert.equal(isInside(parseAddress(text)!, networks), isIn, text);
  }
  assert.equal(isInside(parseAddress('fe00::')!, [parseNetwork('fd00::/8')]), false);
  assert.equal(isInside(parseAddress('10.0.0.1')!, []), false);
});

test('a client is limited by its address, in IPv6 by its /64 network', () => {
  for (const [address, network] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['nonsense', 'unknown'],
    [undefined, 'unknown'],
  ] as const) {
    assert.equal(clientNetworks(address)[0], network, `${address}`);
  }
});

test('addresses are read as sockets and proxies write them', () => {
  for (const [text, address] of [
    ['192.0.2.7:8080', '192.0.2.7'],
    ['"[2001:db8::1]:8080"', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['127.1', undefined],
    ['unknown', undefined],
  ] as const) {
    const found = parseAddress(text);
    assert.equal(found && formatIp(found), address, text);
  }
});
