import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSignUps } from '../../src/keys/sign-ups.ts';

const dayMs = 86_400_000;
const limits = { perNetwork: 3, perEmail: 2, linkMs: 3_600_000 };

function open(path = ':memory:') {
  const clock = { now: Date.UTC(2026, 5, 15, 12) };
  return { clock, signUps: openSignUps(path, { now: () => clock.now, limits }) };
}

test('a network has its share of a day, and gets it back a day after', (t) => {
  const { signUps, clock } = open();
  t.after(() => signUps.close());
  for (let i = 0; i < 3; i++) assert.equal(signUps.admit('203.0.113.7', undefined), 0);
  clock.now += 1000;
  assert.equal(signUps.admit('203.0.113.7', undefined), 86_399);
  assert.equal(signUps.admit('203.0.113.8', undefined), 0);
  clock.now += dayMs;
  assert.equal(signUps.admit('203.0.113.7', undefined), 0);
});

test('IPv6 is counted by /64, IPv4-mapped as IPv4', (t) => {
  const { signUps } = open();
  t.after(() => signUps.close());
  for (const host of ['1', '2', '3']) assert.equal(signUps.admit(`2001:db8:1:2::${host}`, undefined), 0);
  assert.ok(signUps.admit('2001:db8:1:2:ffff::1', undefined) > 0);
  assert.equal(signUps.admit('2001:db8:1:3::1', undefined), 0);
  for (let i = 0; i < 3; i++) assert.equal(signUps.admit('::ffff:198.51.100.1', undefined), 0);
  assert.ok(signUps.admit('198.51.100.1', undefined) > 0);
});

test('IPv6 forms that carry an IPv4 address count as that one: NAT64, 6to4, Teredo', (t) => {
  const { signUps } = open();
  t.after(() => signUps.close());
  assert.equal(signUps.admit('198.51.100.1', undefined), 0);
  assert.equal(signUps.admit('64:ff9b::198.51.100.1', undefined), 0);
  assert.equal(signUps.admit('2002:c633:6401:77::1', undefined), 0);
  assert.ok(signUps.admit('2002:c633:6401:78::1', undefined) > 0);
  assert.ok(signUps.admit('2001:0:4136:e378:8000:63bf:39cc:9bfe', undefined) > 0);
  assert.equal(signUps.admit('64:ff9b::198.51.100.2', undefined), 0);
});

test('one mailbox is counted as one, however its letters are coded', (t) => {
  const { signUps } = open();
  t.after(() => signUps.close());
  assert.equal(signUps.admit('192.0.2.1', 'j\u00fcrgen@example.org'), 0);
  assert.equal(signUps.admit('192.0.2.2', 'ju\u0308rgen@example.org'), 0);
  assert.ok(signUps.admit('192.0.2.3', '\uff4a\u00fcrgen@example.org') > 0);
});

test('an e-mail address is counted whatever its case and what follows a plus sign', (t) => {
  const { signUps } = open();
  t.after(() => signUps.close());
  assert.equal(signUps.admit('192.0.2.1', 'someone@example.org'), 0);
  assert.equal(signUps.admit('192.0.2.2', 'Someone+keys@EXAMPLE.org'), 0);
  assert.ok(signUps.admit('192.0.2.3', 'someone+more@example.org') > 0);
  assert.equal(signUps.admit('192.0.2.3', 'someone.else@example.org'), 0);
});

test('a refused try does not count', (t) => {
  const { signUps } = open();
  t.after(() => signUps.close());
  for (let i = 0; i < 2; i++) signUps.admit('192.0.2.1', 'a@example.org');
  for (let i = 0; i < 5; i++) assert.ok(signUps.admit('192.0.2.9', 'a@example.org') > 0);
  for (let i = 0; i < 3; i++) assert.equal(signUps.admit('192.0.2.9', undefined), 0);
});

test('a link works once, and not after its time', (t) => {
  const { signUps, clock } = open();
  t.after(() => signUps.close());
  const [token, late] = [signUps.makeLink(), signUps.makeLink()];
  assert.equal(signUps.useLink(`${token}x`), false);
  assert.equal(signUps.useLink(token), true);
  assert.equal(signUps.useLink(token), false);
  clock.now += limits.linkMs;
  assert.equal(signUps.useLink(late), false);
});

test('limits hold over a restart, and neither addresses nor links are in the file', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-sign-ups-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'sign-ups.db');
  const first = open(path);
  for (let i = 0; i < 3; i++) first.signUps.admit('203.0.113.7', i === 0 ? 'someone@example.org' : undefined);
  const token = first.signUps.makeLink();
  first.signUps.close();
  const bytes = readFileSync(path).toString('latin1');
  for (const text of ['someone', 'example.org', '203.0.113.7', token]) assert.ok(!bytes.includes(text), text);
  const second = open(path);
  assert.ok(second.signUps.admit('203.0.113.7', undefined) > 0);
  assert.ok(second.signUps.useLink(token));
  second.signUps.close();
});
