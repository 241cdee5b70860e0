/** A job through the death of the process that works on it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { makeKey, type Served, serve, smallData, until } from '../../support/served.ts';

const rows = 60_000;
const table = ['lat,lng', ...Array.from({ length: rows }, (_, at) => `52.5,${13 + (at % 1000) / 1000}`)].join('\n');

test('a process is killed in the middle of a job: the next one goes on, and the result has each row once', async (t) => {
  const data = await smallData(t);
  const key = await makeKey(data, 'million');
  const ask = async (served: Served, path: string, body?: string) => {
    const headers = { 'x-api-key': key, connection: 'close', ...(body && { 'content-type': 'text/csv' }) };
    return fetch(served.url + path, { headers, ...(body && { method: 'POST', body }) });
  };
  const first = await serve(t, data);
  const sent = await ask(first, '/v1/jobs?endpoint=reverse', table);
  assert.equal(sent.status, 202);
  const { id } = (await sent.json()) as { id: string };
  const job = async (served: Served) =>
    (await (await ask(served, `/v1/jobs/${id}`)).json()) as { state: string; answered: number; found: number };
  await until('some rows are answered', async () => (await job(first)).answered > 0);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');

  const second = await serve(t, data);
  const { answered } = await job(second);
  assert.ok(answered > 0 && answered < rows, `${answered} of ${rows} were written down`);
  await until('the job is done', async () => (await job(second)).state === 'done');
  assert.deepEqual(await job(second).then(({ answered: all, found }) => [all, found]), [rows, rows]);
  const lines = (await (await ask(second, `/v1/jobs/${id}/result`)).text()).trimEnd().split('\n');
  assert.equal(lines.length, rows + 1);
  const sentRows = table.split('\n').slice(1);
  assert.ok(
    lines.slice(1).every((line, at) => line.startsWith(`${sentRows[at]},`)),
    'the rows are in their order',
  );
  const { used } = (await (await ask(second, '/v1/usage')).json()) as { used: number };
  // What the killed process had not written down is charged again, or not at all.
  assert.ok(used > 0.9 * rows && used < 2 * rows, `${used} calls were charged`);
});
