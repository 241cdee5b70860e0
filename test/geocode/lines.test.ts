/** Lines of JSON through the command, as a calling program uses it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { makeCurrent } from '../../src/build/versions.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const root = join(import.meta.dirname, '../..');

async function start(t: TestContext, ...args: readonly string[]) {
  const data = temporaryDirectory(t);
  mkdirSync(join(data, 'small-1'));
  await buildSmallDataset(join(data, 'small-1'));
  await makeCurrent(data, 'small-1');
  const command = [join(root, 'src/main.ts'), '--data-directory', data, 'geocode', '-', '--ndjson', ...args];
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const all = async (input: string | Buffer) => {
    child.stdin.end(input);
    const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    const lines = out.split('\n').slice(0, -1);
    return { lines: lines.map((line) => JSON.parse(line)), errors, code };
  };
  return { child, closed, all };
}

test('each line is answered before the next one is sent, and the end of the input ends it', async (t) => {
  const { child, closed } = await start(t, '--endpoint', 'search');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const name of ['Berlin', 'Paris']) {
    child.stdin.write(`${JSON.stringify({ q: name, country: null, lang: '' })}\n`);
    const { results, error } = JSON.parse(String((await answers.next()).value));
    assert.deepEqual([results.length, results[0].name, error], [1, name, null]);
  }
  child.stdin.end();
  assert.deepEqual(await closed, [0, null]);
});

test('there is one output line for each input line, whatever it is', async (t) => {
  const { all } = await start(t, '--endpoint', 'search', '--set', 'country=US');
  const tooLong = JSON.stringify({ q: 'x'.repeat(1_100_000) });
  const fed = Buffer.concat([
    Buffer.from(
      '{"q":"paris","country":"FR"}\r\n\n{"q":\n[1]\nnull\n{"q":"berlin","lat":99,"lng":0}\n{"type":"city"}\n',
    ),
    Buffer.from(`${tooLong}\n{"q":"zzzzqqq"}\n`),
    Buffer.from([0x7b, 0xff, 0x0a]),
    Buffer.from('{"q":"ber\u2028lin"}\n{"q":"paris","format":"csv","id":7}'),
  ]);
  const { lines, errors, code } = await all(fed);
  assert.equal(errors, '');
  assert.equal(code, 0);
  const expected = [
    /^null$/,
    /^invalid_row: it is not JSON/,
    /^invalid_row: it is not JSON/,
    /^invalid_row: it is not a JSON object/,
    /^invalid_row: it is not a JSON object/,
    /^invalid_parameter: lat is "99"/,
    /^(missing|invalid)_parameter: q/,
    /^invalid_row: it has more than 1048576 bytes/,
    /^no_result$/,
    /^invalid_row: it is not UTF-8/,
    /^(null|no_result)$/,
    /^null$/,
  ];
  assert.equal(lines.length, expected.length);
  for (const [at, pattern] of expected.entries()) assert.match(String(lines[at].error), pattern, `line ${at + 1}`);
  assert.equal(lines[0].results[0].country, 'US', 'what all lines have goes before what one has');
  assert.equal(lines.at(-1).results[0].country, 'US');
});

test('many lines are answered in order', async (t) => {
  const { all } = await start(t, '--endpoint', 'reverse', '--limit-per-row', '2');
  const points = Array.from({ length: 5000 }, (_, at) => ({ lat: (at % 170) - 85, lng: (at % 350) - 175 }));
  const wrong = points.map((point, at) => (at % 7 === 0 ? { ...point, lat: 91 + at } : point));
  const { lines } = await all(wrong.map((point) => `${JSON.stringify(point)}\n`).join(''));
  assert.equal(lines.length, wrong.length);
  for (const [at, { lat }] of wrong.entries()) {
    assert.ok(lines[at].results.length <= 2);
    if (lat > 90) assert.match(lines[at].error, new RegExp(`lat is "${lat}"`), `line ${at + 1}`);
    else assert.ok(lines[at].error === null || lines[at].error === 'no_result', `line ${at + 1}: ${lines[at].error}`);
  }
});

test('parameters that the endpoint lacks, and options of tables, are wrong usage', async (t) => {
  for (const [args, message] of [
    [['--endpoint', 'search', '--set', 'town=x'], /there is no parameter "town"/],
    [
      ['--endpoint', 'search', '--columns', 'q=town'],
      /--columns.*cannot be used with option '--ndjson'|--ndjson.*cannot be used/,
    ],
  ] as const) {
    const { all } = await start(t, ...args);
    const { errors, code } = await all('');
    assert.match(errors, message);
    assert.equal(code, 2);
  }
});
