/** Quotas and usage in several processes, wherever keys are kept: in total exactly the quota is granted and counted. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { KeyStore } from '../../src/keys/key-store.ts';
import { dayMs, dayOf, type KeyEngineCase, reserve } from '../support/key-engines.ts';

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Defines the tests for each of some engines. */
export function quotaCases(engines: readonly KeyEngineCase[]): void {
  for (const { name, skip, nodes } of engines) {
    suite(`quotas in ${name}`, { skip }, () => {
      test('what is used is asked for on a new day, however recently it was the day before', async (t) => {
        const { one, two, clock } = await nodes(t);
        const { key } = await one.create({ plan: 'hundred' }, 'test');
        clock.now = (dayOf(clock.now) + 1) * dayMs - 50;
        await reserve(one, key, 0, clock.now);
        clock.now += 100;
        await reserve(two, key, 3, clock.now);
        await two.flush();
        const { account } = await reserve(one, key, 0, clock.now);
        assert.equal(one.meter.used(account, clock.now), 3);
      });

      test('however calls are spread over processes, exactly the quota is granted', async (t) => {
        const { one, two, clock, settle, open } = await nodes(t);
        const all = [one, two, await open()];
        const turns = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 60 }), fc.boolean()), { maxLength: 40 });
        await fc.assert(
          fc.asyncProperty(turns, async (steps) => {
            const { key } = await one.create({ plan: 'thousand' }, 'test');
            const take = async (keys: KeyStore, calls: number) => (await reserve(keys, key, calls, clock.now)).granted;
            let got = 0;
            for (const [which, calls, isFlushed] of steps) {
              got += await take(all[which], calls);
              if (isFlushed) await all[which].flush();
            }
            assert.ok(got <= 1000);
            // What the others reserved is idle, and is returned with their next reports.
            await settle();
            await all[2].flush();
            await all[2].flush();
            clock.now += 1000;
            for (let granted = 1; granted > 0; got += granted) granted = await take(all[2], 1);
            assert.equal(got, 1000);
          }),
          { numRuns: 8 },
        );
      });

      test('many requests at once get the last calls exactly once, however they come', async (t) => {
        const { one, two, clock, settle } = await nodes(t);
        const { key } = await one.create({ plan: 'hundred' }, 'test');
        const pending = Array.from({ length: 300 }, (_, index) =>
          reserve(index % 10 === 0 ? one : two, key, 1, clock.now).then(({ granted }) => granted),
        );
        assert.equal(sum(await Promise.all(pending)), 100);
        await settle();
        for (const keys of [one, two]) {
          const { account, granted } = await reserve(keys, key, 5, clock.now);
          assert.equal(granted, 0);
          assert.equal(keys.meter.used(account, clock.now), 100);
        }
      });

      test('a batch gets what is left and no more; a returned call can be spent again, also by another process', async (t) => {
        const { one, two, clock, settle } = await nodes(t);
        const { key } = await one.create({ plan: 'hundred' }, 'test');
        assert.equal((await reserve(one, key, 90, clock.now)).granted, 90);
        const { account, granted } = await reserve(two, key, 50, clock.now);
        assert.equal(granted, 10);
        two.meter.refund(account, 3, clock.now);
        await settle();
        assert.equal((await reserve(one, key, 10, clock.now)).granted, 3);
        assert.equal((await reserve(two, key, 1, clock.now)).granted, 0);
      });

      test('a busy process reserves what it needs for about a second, and the others can have the rest', async (t) => {
        const { one, two, clock } = await nodes(t);
        const { key } = await one.create({ plan: 'thousand' }, 'test');
        assert.equal((await reserve(one, key, 1, clock.now)).granted, 1);
        // It was used since the report before, so that it keeps some of its lease of 100.
        await one.flush();
        assert.equal((await reserve(two, key, 1000, clock.now)).granted, 1000 - 1 - 20);
        assert.equal((await reserve(one, key, 20, clock.now)).granted, 20);
      });

      test('what a killed process had reserved is lost to the key, and never granted twice', async (t) => {
        const { one, two, clock } = await nodes(t);
        const { key } = await one.create({ plan: 'thousand' }, 'test');
        assert.equal((await reserve(one, key, 1, clock.now)).granted, 1);
        // From here on the first process does nothing: it was killed.
        let got = 0;
        for (const later of [0, 60_000]) {
          clock.now += later;
          for (let granted = 1; granted > 0; got += granted) granted = (await reserve(two, key, 1, clock.now)).granted;
        }
        assert.equal(got, 900, 'an eighth of what is left above 200');
      });

      test('each process learns what the others admitted, and counts it', async (t) => {
        const { one, two, clock } = await nodes(t);
        const { key } = await one.create({ plan: 'slow' }, 'test');
        const admit = async (keys: KeyStore) =>
          keys.meter.admit((await reserve(keys, key, 0, clock.now)).account, clock.now) === 0;
        assert.ok((await admit(one)) && (await admit(two)));
        for (const keys of [one, two]) await keys.flush();
        for (let i = 0; i < 8; i++) assert.ok(await admit(one));
        await one.flush();
        assert.ok(await admit(two));
        await two.flush();
        assert.equal(await admit(two), false);
      });

      test('a new day begins with a full quota in every process, and yesterday is counted whole', async (t) => {
        const { one, two, clock, settle } = await nodes(t);
        const { key } = await one.create({ plan: 'hundred' }, 'test');
        for (const [keys, calls] of [[one, 60] as const, [two, 40] as const]) {
          assert.equal((await reserve(keys, key, calls, clock.now)).granted, calls);
        }
        const yesterday = dayOf(clock.now);
        clock.now += dayMs / 2;
        for (const keys of [one, two]) assert.equal((await reserve(keys, key, 5, clock.now)).granted, 5);
        await settle();
        for (const keys of [one, two]) {
          const { account } = await reserve(keys, key, 0, clock.now);
          assert.deepEqual(
            [...keys.usageSince(account, yesterday, clock.now)],
            [
              [yesterday, 100],
              [yesterday + 1, 10],
            ],
          );
        }
      });

      test('a clock that steps a day forward and back grants no call twice', async (t) => {
        const { one, two, clock, settle } = await nodes(t);
        const { key } = await one.create({ plan: 'thousand' }, 'test');
        let got = 0;
        for (let step = 0; step < 3; step++) {
          for (const keys of [one, two]) got += (await reserve(keys, key, 100, clock.now)).granted;
          clock.now += dayMs;
          await reserve(step % 2 === 0 ? one : two, key, 1, clock.now);
          if (step === 1) await settle();
          clock.now -= dayMs;
        }
        for (const keys of [one, two, one, two]) got += (await reserve(keys, key, 1000, clock.now)).granted;
        await settle();
        for (const keys of [one, two]) got += (await reserve(keys, key, 1000, clock.now)).granted;
        assert.equal(got, 1000);
      });

      test('calls are counted by day and endpoint, and survive the end of a process', async (t) => {
        const { one, two, clock, settle, open } = await nodes(t);
        const { key, record } = await one.create({ plan: 'thousand' }, 'test');
        const day = dayOf(clock.now);
        const call = async (keys: typeof one, endpoint: string) => {
          const { account } = await reserve(keys, key, 1, clock.now);
          keys.meter.count(account, endpoint);
        };
        for (let i = 0; i < 30; i++) await call(one, i % 3 === 0 ? 'search' : 'ip');
        for (let i = 0; i < 5; i++) await call(two, 'ip');
        await settle();
        clock.now += dayMs;
        await call(one, 'search');
        await settle();
        const expected = [
          { day, endpoint: 'ip', calls: 25 },
          { day, endpoint: 'search', calls: 10 },
          { day: day + 1, endpoint: 'search', calls: 1 },
        ];
        const plain = (rows: object[]) => rows.map((row) => ({ ...row }));
        assert.deepEqual(plain(await two.endpointUse(record.id, day, day + 1)), expected);
        assert.deepEqual(plain(await two.endpointUse(record.id, day + 1, day + 1)), expected.slice(2));
        const { account } = await reserve(one, key, 1, clock.now);
        assert.equal(one.meter.used(account, clock.now), 2);
        await one.close();
        const late = await open();
        const days = late.usageSince((await reserve(late, key, 0, clock.now)).account, day, clock.now);
        assert.deepEqual(
          [...days],
          [
            [day, 35],
            [day + 1, 2],
          ],
        );
      });

      test('80 and 100% of a quota are each reported once, whichever process spent the calls', async (t) => {
        const notices: string[] = [];
        const onReached = ({ id }: { id: number }, limit: number, level: number) =>
          notices.push(`${id} ${limit} ${level}`);
        const { one, two, clock, settle } = await nodes(t, { onReached });
        const { key, record } = await one.create({ plan: 'hundred' }, 'test');
        const spend = async (calls: number) => {
          for (const keys of [one, two]) assert.equal((await reserve(keys, key, calls, clock.now)).granted, calls);
          await settle();
          return notices.splice(0);
        };
        assert.deepEqual(await spend(39), []);
        assert.deepEqual(await spend(1), [`${record.id} 100 80`]);
        assert.deepEqual(await spend(9), []);
        assert.deepEqual(await spend(1), [`${record.id} 100 100`]);
        clock.now += dayMs;
        assert.deepEqual(await spend(40), [`${record.id} 100 80`], 'and the next day again');
      });
    });
  }
}
