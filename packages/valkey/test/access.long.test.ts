/** Access to a Valkey or Redis server: by TLS, with a password, as a user with the required rights. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { keptNotes } from '../../../src/keys/engine.ts';
import { isOwner } from '../../../src/keys/key-record.ts';
import { dayOf } from '../../../src/keys/meter.ts';
import { clockFromNoon as now, reserve } from '../../../test/support/key-engines.ts';
import { makeKey, serve, servedPlans, smallData, until } from '../../../test/support/served.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { connect } from '../src/connection.ts';
import { noRedisServer, redisServer } from './support/redis-server.ts';
import { openValkeyKeys } from './support/server-engines.ts';

/** The rights that docs/operations.md has an operator grant. */
const rights = [
  ...['on', '~whereabouts:*', '-@all', '+@connection', '+eval', '+evalsha', '+wait', '+cluster|slots'],
  ...['+get', '+set', '+incr', '+hget', '+hset', '+hmget', '+hgetall', '+hdel', '+hincrby'],
  ...['+expire', '+pexpire', '+pexpireat', '+lpush', '+lrem', '+ltrim', '+lrange'],
  ...['+zadd', '+zcount', '+zrangebyscore', '+zremrangebyrank'],
];
const denying = { plans: servedPlans, whenUnavailable: 'deny', now, timeoutMs: 20_000 } as const;
const path = '/v1/distance?from_lat=0&from_lng=0&to_lat=1&to_lng=1';

const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'needs openssl, to make a certificate';

suite('a server that requires authentication', { skip: noRedisServer }, () => {
  test('a user with a password and the required rights suffices, also with special characters in the password', async (t) => {
    const password = 'p@ss/wörd:?';
    const aclArgs = ['--user', 'default', 'off', '--user', 'whereabouts', `>${password}`, ...rights];
    const server = await redisServer(t, { args: aclArgs, login: `whereabouts:${encodeURIComponent(password)}` });
    const keys = await openValkeyKeys(server.url, denying);
    t.after(() => keys.close());
    const { signUps } = keys;
    for (let i = 0; i < 10; i++) assert.equal(await signUps.admit('192.0.2.1', undefined), 0);
    assert.ok((await signUps.admit('192.0.2.1', undefined)) > 0);
    assert.equal(await signUps.useLink(await signUps.makeLink()), true);
    const { key, record } = await keys.create({ plan: 'hundred' }, 'test');
    const { account, granted } = await reserve(keys, key, 1, now());
    assert.equal(granted, 1);
    keys.meter.count(account, 'search');
    await keys.flush();
    await keys.change(record.id, { name: 'shop' }, 'test');
    const { text, key: rotated } = await keys.rotate(record.id, 1000, 'test');
    assert.equal(rotated.former.length, 1);
    const { code = '', key: guarded } = await keys.changeAsOwner(
      record.id,
      { origins: ['https://a.example'] },
      () => {},
    );
    assert.equal(isOwner(guarded, code), true);
    await keys.changeAsOwner(record.id, { origins: null }, () => {});
    assert.equal((await keys.find(text)).name, 'shop');
    const today = dayOf(now());
    assert.equal((await keys.endpointUse(record.id, today, today)).length, 1);
    await keys.revoke(record.id, 'test');
    assert.notEqual((await keys.list())[0].revokedAt, null);
    assert.equal((await keys.audit(0, 10)).length, 6);
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(names.map((name) => keys.change(record.id, { name }, 'test')));
    assert.equal((await keys.audit(0, 20)).length, 6 + names.length);
  });

  test("the keys of a server that was emptied are nobody's, whoever has their numbers now", async (t) => {
    const server = await redisServer(t);
    const options = { plans: servedPlans, whenUnavailable: 'deny', now, timeoutMs: 20_000 } as const;
    const [here, there] = [await openValkeyKeys(server.url, options), await openValkeyKeys(server.url, options)];
    t.after(() => Promise.all([here.close(), there.close()]));
    const operator = await connect(server.url, { onUp() {}, onDown() {} }, { timeoutMs: 20_000 });
    t.after(() => operator.close());
    const former = await here.create({ plan: 'hundred' }, 'test');
    assert.equal((await reserve(there, former.key, 60, now())).granted, 60);
    await there.flush();
    await operator.write('FLUSHALL', 'SYNC');
    const next = await here.create({ plan: 'hundred', isAdmin: true }, 'test');
    assert.equal(next.record.id, former.record.id);
    assert.equal((await reserve(there, next.key, 70, now())).granted, 70);
    await there.flush();
    await assert.rejects(reserve(there, former.key, 0, now()), /unknown/);
    assert.equal((await reserve(there, next.key, 0, now())).account.key.isAdmin, true);
  });

  test('a number that is given again, as after a failover, is that of its first key', async (t) => {
    const server = await redisServer(t);
    const keys = await openValkeyKeys(server.url, denying);
    t.after(() => keys.close());
    const operator = await connect(server.url, { onUp() {}, onDown() {} }, { timeoutMs: 20_000 });
    t.after(() => operator.close());
    const first = await keys.create({ plan: 'hundred' }, 'test');
    await operator.write('SET', 'whereabouts:last-id', first.record.id - 1);
    const second = await keys.create({ plan: 'hundred' }, 'test');
    assert.equal(second.record.id, first.record.id + 1);
    for (const { key, record } of [first, second])
      assert.equal((await reserve(keys, key, 0, now())).account.key.id, record.id);
    assert.deepEqual(
      (await keys.audit(0, 10)).map(({ keyId }) => keyId),
      [second.record.id, first.record.id],
    );
  });

  test('the log of changes does not grow with each new key', async (t) => {
    const server = await redisServer(t);
    const keys = await openValkeyKeys(server.url, denying);
    t.after(() => keys.close());
    const operator = await connect(server.url, { onUp() {}, onDown() {} }, { timeoutMs: 20_000 });
    t.after(() => operator.close());
    const { record } = await keys.create({ plan: 'hundred' }, 'test');
    const fill = "for i = 1, tonumber(ARGV[1]) do redis.call('LPUSH', KEYS[1], redis.call('LINDEX', KEYS[1], 0)) end";
    await operator.write('EVAL', fill, 1, 'whereabouts:audit', keptNotes - 1);
    const next = await keys.create({ plan: 'hundred' }, 'test');
    assert.equal(await operator.read('LLEN', 'whereabouts:audit'), keptNotes);
    assert.deepEqual(
      (await keys.audit(0, 2)).map(({ keyId }) => keyId),
      [next.record.id, record.id],
    );
  });

  test('a revocation is noticed where a failover lost the change before it', async (t) => {
    const server = await redisServer(t);
    const [here, there] = [await openValkeyKeys(server.url, denying), await openValkeyKeys(server.url, denying)];
    t.after(() => Promise.all([here.close(), there.close()]));
    const operator = await connect(server.url, { onUp() {}, onDown() {} }, { timeoutMs: 20_000 });
    t.after(() => operator.close());
    const { key, record } = await there.create({ plan: 'hundred' }, 'test');
    const other = await there.create({ plan: 'hundred' }, 'test');
    const before = (await operator.read('GET', 'whereabouts:generation')) as string;
    await there.change(other.record.id, { name: 'other' }, 'test');
    await here.flush();
    await operator.write('SET', 'whereabouts:generation', before);
    assert.equal((await reserve(here, key, 1, now())).granted, 1);
    await there.revoke(record.id, 'test');
    await here.flush();
    await assert.rejects(reserve(here, key, 1, now()), /revoked/);
  });

  test('a change of which a command fails is in force as it is listed: nodes do not go on with a key that was revoked', async (t) => {
    const server = await redisServer(t);
    const options = { plans: servedPlans, whenUnavailable: 'deny', now, timeoutMs: 20_000 } as const;
    const [here, there] = [await openValkeyKeys(server.url, options), await openValkeyKeys(server.url, options)];
    t.after(() => Promise.all([here.close(), there.close()]));
    const { key, record } = await here.create({ plan: 'hundred' }, 'test');
    const admin = await connect(server.url, { onUp() {}, onDown() {} }, { timeoutMs: 20_000 });
    t.after(() => admin.close());
    for (const node of [here, there]) assert.equal((await reserve(node, key, 1, now())).granted, 1);
    const listed = async (is: boolean) => {
      assert.equal((await there.list())[0].revokedAt !== null, is);
      for (const node of [here, there]) {
        await node.flush();
        const answered = reserve(node, key, 1, now());
        await (is ? assert.rejects(answered, /revoked/) : answered);
      }
    };
    for (const command of ['set', 'lpush']) {
      await admin.write('ACL', 'SETUSER', 'default', `-${command}`);
      await assert.rejects(here.revoke(record.id, 'test'));
      await admin.write('ACL', 'SETUSER', 'default', `+${command}`);
      await listed(false);
    }
    await here.revoke(record.id, 'test');
    await listed(true);
  });

  test('a wrong password is reported as such, and requests are refused until the server accepts it', async (t) => {
    const server = await redisServer(t, { args: ['--requirepass', 'right'], login: ':wrong' });
    const changes: unknown[] = [];
    const onChange = (change: unknown) => changes.push(change);
    const keys = await openValkeyKeys(server.url, { plans: servedPlans, whenUnavailable: 'deny', onChange });
    t.after(() => keys.close());
    await until('it is reported', () => changes.length > 0);
    assert.match((changes[0] as { error: Error }).error.message, /WRONGPASS/);
    await assert.rejects(keys.create({}, 'test'), (error: Error) => /WRONGPASS/.test((error.cause as Error).message));
    assert.equal(keys.isHealthy(), false);
    const operator = await connect(server.url.replace('wrong', 'right'), { onUp: () => {}, onDown: () => {} });
    t.after(() => operator.close());
    await operator.write('CONFIG', 'SET', 'requirepass', 'wrong');
    const made = async () => (await keys.create({}, 'test')).key;
    await until('it is let in', () =>
      made().then(
        () => true,
        () => false,
      ),
    );
  });

  test('rediss: a certificate of a CA of its own is trusted by NODE_EXTRA_CA_CERTS, and not without it', async (t) => {
    if (noOpenssl) return t.skip(noOpenssl);
    const directory = temporaryDirectory(t);
    const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')];
    const subject = ['-subj', '/CN=keys', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    const files = ['-nodes', '-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...files, ...subject], { stdio: 'ignore' });
    const server = await redisServer(t, {
      tls: { certificate, key },
      args: ['--requirepass', 'secret'],
      login: ':secret',
    });
    assert.match(server.url, /^rediss:/);
    const data = await smallData(t);
    const settings = { keys: server.url };
    const trusting = { NODE_EXTRA_CA_CERTS: certificate };
    const apiKey = await makeKey(data, 'hundred', settings, trusting);
    for (const workers of [1, 2]) {
      const node = await serve(t, data, { ...settings, workers }, trusting);
      const status = async () => (await fetch(node.url + path, { headers: { 'x-api-key': apiKey } })).status;
      // On a busy machine an answer of the server may come too late once.
      await until('it serves', async () => (await status()) === 200);
      await node.stop();
    }
    const wary = await serve(t, data, settings);
    assert.equal((await fetch(wary.url + path, { headers: { 'x-api-key': apiKey } })).status, 503);
    const { reason } = await wary.logged(({ msg }) => msg.startsWith('the key server'));
    assert.match(reason as string, /self.signed certificate/);
  });
});
