import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { runProgram } from '../test/support/data-directory.ts';
import { defaultDataset } from '../test/support/dataset.ts';
import { serve, skip } from './contract/served.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const home = readFileSync(join(root, 'src/web/pages/home.html'), 'utf8').replaceAll('&amp;', '&');

test('the answers that the README and the home page show are the answers of the service', { skip }, async (t) => {
  const served = await serve();
  t.after(() => served.close());
  const examples = [
    ...readme.matchAll(/```http\nGET (\S+)\?(.*)\n```\n```json\n([\s\S]*?)\n```/g),
    ...home.matchAll(/<code>GET (\S+)\?(.*)\n\n([\s\S]*?)<\/code>/g),
  ];
  assert.equal(examples.length, 2, 'the examples are found');
  const requests = [...readme.matchAll(/^GET (\S+)\?(.*)$/gm)];
  assert.ok(requests.length >= 6, 'the requests are found');
  for (const [request, path, query] of requests) {
    const { status, body } = await served.ask(
      path,
      Object.fromEntries(query.split('&').map((pair) => pair.split('='))),
    );
    assert.equal(status, 200, request);
    assert.notEqual(body.count, 0, request);
  }
  for (const [, path, query, shown] of examples) {
    const parameters = Object.fromEntries(query.split('&').map((pair) => pair.split('=')));
    const { body } = await served.ask(path, parameters);
    const { query_ms: shownMs, ...expected } = JSON.parse(shown);
    const { query_ms: gotMs, ...got } = body;
    assert.deepEqual([typeof shownMs, typeof gotMs], ['number', 'number']);
    assert.deepEqual(got, expected, `${path}?${query}`);
  }
});

test('ATTRIBUTION.md credits every source of the default dataset as its manifest does', { skip }, () => {
  const written = readFileSync(join(root, 'ATTRIBUTION.md'), 'utf8');
  const { stdout: credits } = runProgram(dirname(defaultDataset()!), 'status', '--attribution');
  assert.equal(written.slice(written.indexOf('\n## ') + 1).trim(), credits.trim());
});
