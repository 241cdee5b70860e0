/** Requests whose ends are told in two ways: alone they are refused, and behind nginx and Caddy nobody gets another's answer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { listening } from '../support/listening.ts';
import { noProxy, startProxy } from '../support/proxies.ts';
import { rawClient } from '../support/raw-client.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const hidden = 'GET /health/live HTTP/1.1\r\nHost: x\r\nX: ';
const size = hidden.length.toString(16);

/** What follows the first lines of a POST: two readings of it differ in whether the hidden request is one. */
const endings: Record<string, string> = {
  'a length before chunks': `Content-Length: ${hidden.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  'chunks before a length': `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${size}\r\n${hidden}\r\n0\r\n\r\n`,
  'two lengths': `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'lengths in a list': `Content-Length: 0, ${hidden.length}\r\n\r\n${hidden}`,
  'a length with a sign': `Content-Length: +0\r\n\r\n${hidden}`,
  'a blank before the colon': `Content-Length : ${hidden.length}\r\n\r\n${hidden}`,
  'a folded length': `Content-Length:\r\n ${hidden.length}\r\n\r\n${hidden}`,
  'an unknown coding': `Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n\r\n${hidden}`,
  'a coding behind chunks': `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
  'a coding behind a vertical tab': `Transfer-Encoding:\vchunked\r\nContent-Length: 0\r\n\r\n${hidden}`,
  'a chunk in hexadecimal with 0x': `Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${hidden}`,
  'a chunk larger than can be counted': `Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n${hidden}`,
  'lines that end in LF': `Content-Length: 0\n\n${hidden}`,
};

for (const [proxy, skip] of Object.entries({ alone: false, ...noProxy })) {
  test(`${proxy}: no request hides in another`, { skip }, async (t) => {
    const seen: string[] = [];
    const service = await listening(t, { record: ({ endpoint }) => void seen.push(endpoint) });
    let { port } = service;
    if (proxy !== 'alone') {
      const { child, url } = await startProxy(proxy, temporaryDirectory(t), [port]);
      t.after(async () => {
        child.kill();
        await once(child, 'exit');
      });
      port = Number(new URL(url).port);
    }
    seen.length = 0;
    for (const [kind, ending] of Object.entries(endings)) {
      const attackers = await Promise.all(Array.from({ length: 3 }, () => rawClient(port)));
      for (const { write } of attackers) write(`POST /v1/batch HTTP/1.1\r\nHost: x\r\n${ending}`);
      if (proxy === 'alone') {
        for (const attacker of attackers) {
          assert.ok((await attacker.answer())!.status >= 400, kind);
          await attacker.closed;
        }
        assert.ok(!seen.includes('live'), kind);
      }
      // Over the connections that the proxy keeps to the service.
      const answers = await Promise.all(
        ['Berlin', 'Paris', 'Springfield', 'Berlin', 'Paris', 'Springfield'].map(async (q) => {
          const headers = { 'x-api-key': service.key };
          const answer = await fetch(`http://127.0.0.1:${port}/v1/search?q=${q}`, { headers });
          return ((await answer.json()) as { results: { name: string }[] }).results?.[0]?.name === q;
        }),
      );
      assert.ok(!answers.includes(false), kind);
      for (const { socket } of attackers) socket.destroy();
    }
  });
}
