/** Section 4 of the specification: every endpoint answers with exactly its fields, in every profile. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { cases } from './expected-fields.ts';
import { profiles, type Served, serve, skip } from './served.ts';
import { checkShape } from './shape.ts';

suite('fields', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  for (const { path, queries, shapes } of cases) {
    for (const profile of profiles) {
      test(`${path} has exactly its fields and types in profile ${profile}`, async () => {
        let records = 0;
        for (const { code, ...parameters } of queries) {
          const isInPath = path.includes('{');
          const url = `/v1${path.replace('{code}', String(code))}`;
          const query = isInPath || code === undefined ? parameters : { code, ...parameters };
          const { status, body } = await served.ask(url, query, { profile });
          const where = `${url} ${JSON.stringify(query)}`;
          assert.equal(status, 200, `${where}: ${JSON.stringify(body)}`);
          checkShape(body, shapes[profile], where);
          assert.equal(body.count, body.results?.length, `count of ${where}`);
          records += body.results?.length ?? 1;
        }
        assert.ok(records > 0, 'nothing was looked at');
      });
    }
  }
});
