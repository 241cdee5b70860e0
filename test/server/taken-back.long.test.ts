/** Streams of HTTP/2 that a client takes back while they wait, through Caddy: none is answered. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Stream, connect, constants } from 'node:http2';
import { test } from 'node:test';
import { listening } from '../support/listening.ts';
import { noProxy, startProxy } from '../support/proxies.ts';
import { until } from '../support/served.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('caddy: streams that are taken back before their turn cost no answer', { skip: noProxy.caddy }, async (t) => {
  let answered = 0;
  const service = await listening(t, {
    trustedProxies: ['127.0.0.1'],
    record: () => answered++,
    limits: { sliceMs: 0 },
  });
  const { child, url } = await startProxy('caddy', temporaryDirectory(t), [service.port]);
  t.after(async () => {
    child.kill();
    await once(child, 'exit');
  });
  const { lanes } = service.app.whereabouts;
  let isHeld = true;
  const hold = () => isHeld && lanes.wait(['another'], hold, assert.fail);
  // Of this caller's.
  lanes.count([`key ${service.key}`], 1e6);
  hold();
  answered = 0;
  const session = connect(url);
  t.after(() => session.destroy());
  const headers = { ':path': '/v1/country/DE', 'x-api-key': service.key };
  const streams: ClientHttp2Stream[] = Array.from({ length: 50 }, () => session.request(headers).on('error', () => {}));
  await until('they wait', () => lanes.waiting > streams.length);
  for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
  // But for those that Caddy keeps for others.
  await until('their connections are closed', () => service.app.whereabouts.connections < 5);
  isHeld = false;
  const last = session.request(headers);
  const [{ ':status': status }] = await once(last, 'response');
  assert.equal(status, 200);
  assert.equal(answered, 1);
});
