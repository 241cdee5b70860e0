/** Limits of sign-ups and links sent by mail, wherever they are counted, with two processes or machines at work. */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { KeyEngineCase } from '../support/key-engines.ts';

const dayMs = 86_400_000;

const limits = { perNetwork: 3, perEmail: 2, linkMs: 3_600_000 };

/** Defines the tests for each of some engines. */
export function signUpCases(engines: readonly KeyEngineCase[]): void {
  for (const { name, skip, nodes } of engines) {
    const signUps = async (t: TestContext) => {
      const { one, two, clock } = await nodes(t, { signUpLimits: limits });
      return { one: one.signUps, two: two.signUps, clock };
    };
    suite(`sign-ups in ${name}`, { skip }, () => {
      test('a network has its share of a day in all processes together, and gets it back a day after', async (t) => {
        const { one, two, clock } = await signUps(t);
        for (const node of [one, two, one]) assert.equal(await node.admit('203.0.113.7', undefined), 0);
        clock.now += 1000;
        assert.equal(await two.admit('203.0.113.7', undefined), 86_399);
        assert.equal(await two.admit('203.0.113.8', undefined), 0);
        clock.now += dayMs;
        assert.equal(await two.admit('203.0.113.7', undefined), 0);
      });

      test('concurrent attempts in both are admitted up to the limit', async (t) => {
        const { one, two } = await signUps(t);
        const tries = Array.from({ length: 40 }, (_, index) => (index % 2 ? one : two).admit('2001:db8::1', undefined));
        assert.equal((await Promise.all(tries)).filter((wait) => wait === 0).length, 3);
      });

      test('IPv6 is counted by /64; forms that carry an IPv4 address count as that one', async (t) => {
        const { one } = await signUps(t);
        for (const host of ['1', '2', '3']) assert.equal(await one.admit(`2001:db8:1:2::${host}`, undefined), 0);
        assert.ok((await one.admit('2001:db8:1:2:ffff::1', undefined)) > 0);
        assert.equal(await one.admit('2001:db8:1:3::1', undefined), 0);
        const mapped = ['::ffff:198.51.100.1', '64:ff9b::198.51.100.1', '2002:c633:6401:77::1'];
        for (const address of mapped) assert.equal(await one.admit(address, undefined), 0);
        for (const address of ['198.51.100.1', '2002:c633:6401:78::1', '2001:0:4136:e378:8000:63bf:39cc:9bfe']) {
          assert.ok((await one.admit(address, undefined)) > 0, address);
        }
        assert.equal(await one.admit('64:ff9b::198.51.100.2', undefined), 0);
      });

      test('the /56 and the /48 of IPv6 have twice and four times the share of a /64', async (t) => {
        const { one } = await signUps(t);
        const admitted = async (count: number, addressOf: (index: number) => string) => {
          let sum = 0;
          for (let index = 1; index <= count; index++)
            sum += (await one.admit(addressOf(index), undefined)) === 0 ? 1 : 0;
          return sum;
        };
        assert.equal(await admitted(20, (index) => `2001:db8:7:${index.toString(16)}::1`), 6);
        assert.equal(await admitted(20, (index) => `2001:db8:7:${index.toString(16)}00::1`), 6);
        assert.equal(await admitted(1, () => '2001:db8:8::1'), 1);
      });

      test('one mailbox is counted as one, whatever its case, its letters are coded, its dots and follows a plus sign', async (t) => {
        const { one, two } = await signUps(t);
        assert.equal(await one.admit('192.0.2.1', 'j\u00fcrgen@example.org'), 0);
        assert.equal(await two.admit('192.0.2.2', 'Ju\u0308rgen+keys@EXAMPLE.org'), 0);
        assert.ok((await one.admit('192.0.2.3', '\uff4a\u00fcrgen+more@example.org')) > 0);
        assert.ok((await one.admit('192.0.2.3', 'j\u00fcr.gen@example.org')) > 0);
        assert.equal(await one.admit('192.0.2.3', 'j\u00fcrgen.else@example.org'), 0);
        for (const address of ['a.b@gmail.com', 'ab@googlemail.com']) await one.admit(undefined, address);
        assert.ok((await one.admit(undefined, 'a.b@googlemail.com')) > 0);
      });

      test('a refused try does not count', async (t) => {
        const { one, two } = await signUps(t);
        for (let i = 0; i < 2; i++) await one.admit('192.0.2.1', 'a@example.org');
        for (let i = 0; i < 5; i++) assert.ok((await two.admit('192.0.2.9', 'a@example.org')) > 0);
        for (let i = 0; i < 3; i++) assert.equal(await one.admit('192.0.2.9', undefined), 0);
      });

      test('tries of a clock that was ahead for a moment refuse nobody after it, and make none forgotten', async (t) => {
        for (const days of [2, 30]) {
          const { one, two, clock } = await signUps(t);
          const admitted = async () => (await one.admit('203.0.113.7', undefined)) === 0;
          assert.ok(await admitted());
          clock.now += days * dayMs;
          // More than the share, also of others.
          for (let i = 0; i < 5; i++) {
            await two.admit('203.0.113.7', undefined);
            await two.admit('198.51.100.1', `someone${i}@example.org`);
          }
          clock.now -= days * dayMs;
          assert.deepEqual([await admitted(), await admitted(), await admitted()], [true, true, false]);
          assert.equal(await one.admit('198.51.100.1', undefined), 0);
          clock.now += 1.5 * dayMs;
          assert.equal(await admitted(), days > 2);
        }
      });

      test('no link works twice after a moment in which the clock was ahead', async (t) => {
        const { one, two, clock } = await signUps(t);
        const token = await one.makeLink();
        assert.equal(await one.useLink(token), true);
        clock.now += 30 * dayMs;
        for (let i = 0; i < 3; i++) await two.admit(`192.0.2.${i}`, undefined);
        const ahead = await two.makeLink();
        assert.equal(await two.useLink(ahead), true);
        clock.now -= 30 * dayMs;
        for (const used of [token, ahead]) assert.equal(await one.useLink(used), false);
      });

      test('a link of one works once in the other', async (t) => {
        const { one, two } = await signUps(t);
        const token = await one.makeLink();
        assert.equal(await two.useLink(`${token}x`), false);
        const used = await Promise.all([one.useLink(token), two.useLink(token), two.useLink(token)]);
        assert.equal(used.filter(Boolean).length, 1);
      });
    });
  }
}
