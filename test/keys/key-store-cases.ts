/** The contract of every key store, with two processes or machines at work. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { UsageError } from '../../src/errors.ts';
import {
  defaultPlans,
  formerTexts,
  generateKey,
  isOwner,
  isWellFormedKey,
  type KeyRecord,
  keyFacts,
  maxFormer,
  maxRotations,
} from '../../src/keys/key-record.ts';
import { type KeyEngineCase, reserve } from '../support/key-engines.ts';

const hourMs = 3_600_000;

const dayMs = 24 * hourMs;

/** Defines the tests for each of some engines. */
export function keyStoreCases(engines: readonly KeyEngineCase[]): void {
  for (const { name, skip, nodes } of engines) {
    suite(`keys in ${name}`, { skip }, () => {
      test('a key created on one works on the other, with its restrictions, and is listed and found there', async (t) => {
        const { one, two, clock } = await nodes(t);
        const options = {
          name: 'shop',
          plan: 'pro',
          profile: 'a' as const,
          origins: ['https://example.org'],
          networks: ['10.0.0.0/8'],
          endpoints: ['search', 'ip'],
        };
        const { key, record } = await one.create(options, 'test');
        assert.equal(record.display, key.slice(0, 12));
        const { account } = await reserve(two, key, 0, clock.now);
        assert.deepEqual(account.key, record);
        assert.deepEqual({ ...record, ...options }, record);
        assert.equal(record.revision, 0);
        assert.deepEqual(keyFacts(record), {
          ...options,
          created: new Date(record.createdAt).toISOString(),
          expires: null,
          revoked: null,
        });
        const others = [await two.create({}, 'test'), await one.create({}, 'test')];
        const ids = [record.id, ...others.map((other) => other.record.id)];
        assert.deepEqual(
          (await two.list()).map(({ id }) => id),
          ids,
        );
        assert.deepEqual(
          (await two.list(ids[0], 1)).map(({ id }) => id),
          [ids[1]],
        );
        for (const reference of [String(record.id), key.slice(0, 8), key.slice(0, 12), key]) {
          assert.equal((await two.find(reference)).id, record.id);
        }
        for (const reference of ['999', 'wab_', 'wab_0000', '%', generateKey()]) {
          await assert.rejects(two.find(reference), UsageError);
        }
      });

      test('malformed, unknown, revoked and expired keys are distinguished', async (t) => {
        const { one, two, clock, settle } = await nodes(t);
        const expiring = await one.create({ expiresAt: clock.now + 1000 }, 'test');
        const { key, record } = await one.create({}, 'test');
        for (const text of [key, expiring.key]) assert.equal((await reserve(two, text, 1, clock.now)).granted, 1);
        await one.revoke(record.id, 'test');
        assert.equal(await one.reserve(key, 1, clock.now), 'revoked');
        await settle();
        assert.equal(await two.reserve(key, 1, clock.now), 'revoked');
        assert.equal(await two.reserve(expiring.key, 1, clock.now), 'expired');
        assert.equal(await two.reserve('wab_nonsense', 1, clock.now), 'malformed');
        assert.equal(await two.reserve(generateKey(), 1, clock.now), 'unknown');
      });

      test('a plan changed by one applies there at once, and on the other when it refreshes', async (t) => {
        const { one, two, clock } = await nodes(t);
        const { key, record } = await one.create({}, 'test');
        const planOf = async (keys: typeof one) => (await reserve(keys, key, 0, clock.now)).account.plan;
        assert.equal(await planOf(two), defaultPlans.free);
        await one.change(record.id, { plan: 'pro' }, 'test');
        assert.equal(await planOf(one), defaultPlans.pro);
        await two.flush();
        assert.equal(await planOf(two), defaultPlans.pro);
        await assert.rejects(one.change(999, { plan: 'pro' }, 'test'), UsageError);
      });

      test('concurrent changes of one key are all applied', async (t) => {
        const { one, two, clock } = await nodes(t);
        const { key, record } = await one.create({}, 'test');
        await Promise.all([
          one.change(record.id, { name: 'shop' }, 'test'),
          two.change(record.id, { plan: 'pro' }, 'test'),
          one.change(record.id, { origins: ['https://example.org'] }, 'test'),
          two.rotate(record.id, hourMs, 'test'),
        ]);
        const { key: found } = (await reserve(one, key, 0, clock.now)).account;
        assert.deepEqual([found.name, found.plan, found.origins], ['shop', 'pro', ['https://example.org']]);
        assert.equal(found.former.length, 1);
      });

      test('of concurrent restrictions to origins one is applied, and returns the code', async (t) => {
        const { one, two } = await nodes(t);
        const { record } = await one.create({}, 'test');
        const withoutCode = ({ ownerHash }: KeyRecord) => assert.equal(ownerHash, null);
        const tries = Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? one : two).changeAsOwner(
            record.id,
            { origins: [`https://${index}.example`] },
            withoutCode,
          ),
        );
        const made = (await Promise.allSettled(tries)).filter((outcome) => outcome.status === 'fulfilled');
        assert.equal(made.length, 1);
        const { key, code = '' } = made[0].value;
        const stored = await two.find(String(record.id));
        assert.deepEqual(stored.origins, key.origins);
        assert.ok(isOwner(stored, code));
      });

      test('of concurrent changes the log has those that were applied', async (t) => {
        const { one, two } = await nodes(t);
        const { record } = await one.create({}, 'test');
        const onlyFirst = ({ name }: KeyRecord) => assert.equal(name, null);
        const tries = Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? one : two).change(record.id, { name: `name ${index}` }, 'test', onlyFirst),
        );
        const made = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
        assert.equal(made.length, 1);
        const lines = (await two.audit(0, 20)).filter(({ action }) => action === 'change');
        assert.deepEqual(
          lines.map(({ detail }) => detail),
          [{ name: (await two.find(String(record.id))).name }],
        );
      });

      test('a key can be changed and revoked whatever text is stored with it', async (t) => {
        const { one, two } = await nodes(t);
        const { record } = await one.create({ endpoints: ['\ud800'] }, 'test');
        assert.equal((await one.change(record.id, { name: 'shop' }, 'test')).name, 'shop');
        assert.notEqual((await two.revoke(record.id, 'test')).revokedAt, null);
      });

      test('an unknown plan, a broken network or origin and a name with control characters are refused', async (t) => {
        const { one } = await nodes(t);
        const wrong = [
          { plan: 'gold' },
          { networks: ['10.0.0.0/99'] },
          { networks: ['10.0.0.0/08'] },
          { origins: ['https://*.example.org'] },
          { name: 'a\u001b[2J' },
          { name: '\ud800' },
          ...['\u202e', '\u2067', '\u2028'].map((character) => ({ name: `shop${character}gro.elpmaxe` })),
          { name: 'x'.repeat(81) },
        ];
        const { record } = await one.create({}, 'test');
        for (const options of wrong) {
          await assert.rejects(one.create(options, 'test'), UsageError);
          await assert.rejects(one.change(record.id, options, 'test'), UsageError);
        }
        assert.equal((await one.change(record.id, { name: 'חנות\u200e 1 👩‍💻' }, 'test')).name, 'חנות\u200e 1 👩‍💻');
        assert.equal((await one.list()).length, 1);
      });

      test('a key whose plan is no longer configured has the limits of the free plan', async (t) => {
        const { one, open, clock } = await nodes(t);
        const { key } = await one.create({ plan: 'hundred' }, 'test');
        const without = await open({ plans: defaultPlans });
        assert.equal((await reserve(without, key, 0, clock.now)).account.plan, defaultPlans.free);
      });

      test('a rotated key has a new text; the former one is known as such, and lives as long as its grace', async (t) => {
        const { one, two, clock, settle } = await nodes(t);
        const { key: before, record } = await one.create({ plan: 'hundred' }, 'test');
        assert.equal((await reserve(two, before, 60, clock.now)).isFormer, false);
        const { text: after } = await one.rotate(record.id, hourMs, 'test');
        assert.ok(isWellFormedKey(after) && after !== before);
        await settle();
        for (const keys of [one, two]) {
          const [former, present] = [
            await reserve(keys, before, 0, clock.now),
            await reserve(keys, after, 0, clock.now),
          ];
          assert.deepEqual([former.isFormer, present.isFormer], [true, false]);
          assert.equal(former.account, present.account, 'both draw on one quota');
        }
        assert.equal((await reserve(two, after, 60, clock.now)).granted, 40);
        const { key } = (await reserve(two, after, 0, clock.now)).account;
        assert.deepEqual(
          formerTexts(key, clock.now).map(({ display }) => display),
          [before.slice(0, 12)],
        );
        clock.now += hourMs;
        for (const keys of [one, two]) {
          assert.equal(await keys.reserve(before, 1, clock.now), 'expired');
          assert.equal(formerTexts((await reserve(keys, after, 0, clock.now)).account.key, clock.now).length, 0);
        }
      });

      test('no change of another key while the clock is ahead ends the former text of a key', async (t) => {
        const { one, two, clock, settle } = await nodes(t);
        const { key, record } = await one.create({}, 'test');
        const other = await two.create({}, 'test');
        await one.rotate(record.id, 7 * dayMs, 'owner');
        clock.now += 30 * dayMs;
        await two.rotate(other.record.id, 0, 'owner');
        clock.now -= 30 * dayMs;
        await settle();
        assert.equal((await reserve(two, key, 1, clock.now)).isFormer, true);
      });

      test('without a grace period the former text ends at once; revoking ends all texts', async (t) => {
        const { one, two, clock, settle } = await nodes(t);
        const { key, record } = await one.create({}, 'test');
        await reserve(one, key, 1, clock.now);
        const { text: second } = await one.rotate(record.id, 0, 'test');
        assert.equal(await one.reserve(key, 1, clock.now), 'expired');
        const { text: third } = await one.rotate(record.id, hourMs, 'test');
        await one.revoke(record.id, 'test');
        await settle();
        for (const text of [second, third]) assert.equal(await two.reserve(text, 1, clock.now), 'revoked');
      });

      test('a key has a handful of former texts at most, and is rotated a limited number of times a day', async (t) => {
        const { one, clock } = await nodes(t);
        const { key, record } = await one.create({}, 'test');
        const texts = [key];
        for (let i = 0; i < maxRotations; i++) {
          texts.push((await one.rotate(record.id, 7 * dayMs - i, 'test')).text);
          const { account } = await reserve(one, texts.at(-1)!, 0, clock.now);
          assert.ok(account.key.former.length <= maxFormer, `${account.key.former.length} former texts`);
        }
        const states = await Promise.all(texts.map(async (text) => typeof (await one.reserve(text, 0, clock.now))));
        assert.equal(states.filter((state) => state === 'object').length, maxFormer + 1);
        await assert.rejects(one.rotate(record.id, 0, 'test'), (error: Error & { retryAfterSeconds?: number }) => {
          assert.match(error.message, /10 times within 24 hours/);
          return error.retryAfterSeconds! > 86_000;
        });
        clock.now += dayMs;
        assert.ok(isWellFormedKey((await one.rotate(record.id, 0, 'test')).text));
      });

      test("an owner's code belongs to one key, and ends with its protection", async (t) => {
        const { one, two } = await nodes(t);
        const [{ record: mine }, { record: other }] = [await one.create({}, 'test'), await one.create({}, 'test')];
        assert.equal(mine.ownerHash, null);
        const { code = '', key } = await one.changeAsOwner(mine.id, { origins: ['https://example.org'] }, () => {});
        assert.match(code, /^own_\w{36}$/);
        assert.ok(isOwner(key, code));
        assert.ok(isOwner(await two.find(String(mine.id)), code));
        assert.ok(!isOwner(key, `${code.slice(0, -1)}_`));
        assert.ok(!isOwner(other, code));
        const renamed = await two.changeAsOwner(mine.id, { name: 'shop', origins: ['https://example.net'] }, () => {});
        assert.deepEqual([renamed.code, isOwner(renamed.key, code)], [undefined, true]);
        const lifted = await two.changeAsOwner(mine.id, { origins: null }, () => {});
        assert.ok(!isOwner(lifted.key, code));
      });

      test('the log says who did what when, newest first, and holds no secret', async (t) => {
        const { one, two, clock } = await nodes(t);
        const { key, record } = await one.create({ name: 'shop', isAdmin: true }, 'operator anna');
        clock.now += 1000;
        await two.change(record.id, { plan: 'pro' }, 'admin wab_12345678');
        const { text } = await one.rotate(record.id, hourMs, 'owner');
        const { code } = await one.changeAsOwner(record.id, { origins: ['https://example.org'] }, () => {});
        await two.revoke(record.id, 'operator anna');
        const lines = await one.audit(0, 10);
        assert.deepEqual(
          lines.map(({ by, action }) => `${by}: ${action}`),
          [
            'operator anna: revoke',
            'owner: change',
            'owner: rotate',
            'admin wab_12345678: change',
            'operator anna: create',
          ],
        );
        assert.ok(lines.every(({ keyId }) => keyId === record.id));
        assert.deepEqual(lines[3].detail, { plan: 'pro' });
        assert.deepEqual([lines[4].at, lines[3].at], [clock.now - 1000, clock.now]);
        for (const secret of [key, text, code]) assert.ok(!JSON.stringify(lines).includes(secret!));
        assert.deepEqual(await two.audit(3, 1), [lines[3]]);
      });
    });
  }
}
