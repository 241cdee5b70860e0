import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { loadConfig } from '../../../src/config.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { makeKey, serve, smallData, until } from '../../support/served.ts';

test('80 and 100% of a quota are each posted and mailed once by two workers together; a failed post is tried again', async (t) => {
  const posts: { percent: number; [name: string]: unknown }[] = [];
  let requests = 0;
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    // The first one meets a receiver that is out of order.
    if (requests++ === 0) return response.writeHead(503).end();
    posts.push(JSON.parse(body));
    return response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.after(() => receiver.close());
  const quotaWebhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const mail = await startMailServer(t);
  const data = await smallData(t);
  const key = await makeKey(data, 'hundred');
  const served = await serve(t, data, {
    workers: 2,
    quotaWebhook,
    quotaMail: 'operators@example.org',
    smtpUrl: mail.url,
    mailFrom: 'keys@example.org',
  });
  const ask = () =>
    fetch(`${served.url}/v1/country/DE`, { headers: { 'x-api-key': key, connection: 'close' } }).then((a) => a.status);
  for (let i = 0; i < 100; i++) assert.equal(await ask(), 200);
  assert.equal(await ask(), 429);
  await until('both levels', () => posts.length >= 2 && mail.received.length >= 2);
  assert.deepEqual(posts.map(({ percent }) => percent).sort(), [100, 80]);
  assert.deepEqual(
    posts.map(({ key: start, plan, limit, key_id }) => [start, plan, limit, key_id]),
    [1, 2].map(() => [key.slice(0, 12), 'hundred', 100, 1]),
  );
  const mails = mail.received.toSorted((one, other) => one.text.length - other.text.length);
  assert.deepEqual(
    mails.map(({ from, to }) => [from, to]),
    [1, 2].map(() => ['keys@example.org', ['operators@example.org']]),
  );
  assert.deepEqual(mails.map(({ text }) => /Subject: (.*)\r/.exec(text)?.[1]).sort(), [
    'Key 1 has used 100% of its quota',
    'Key 1 has used 80% of its quota',
  ]);
  for (const { text } of mails)
    assert.match(text.replace(/=\r\n/g, ''), /of plan hundred has used (80|100)% of today's 100 calls/);
});

test('a mail about quotas without a mail server is refused at the start', () => {
  assert.throws(
    () => loadConfig({ overrides: { quotaMail: 'operators@example.org' }, environment: {} }),
    /smtpUrl .*quotaMail needs it.*mailFrom .*quotaMail needs it/,
  );
});
