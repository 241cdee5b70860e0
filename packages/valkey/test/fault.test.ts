import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOf } from '../src/fault.ts';

test('a key server that does not answer is reported by its address without a password, the reason and the remedy', () => {
  const url = 'rediss://me:secret@one.example:6379, rediss://me:secret@two.example:6380';
  const refused = (address: string) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' });
  // What a name with two addresses fails with has no text of its own.
  const both = Object.assign(new AggregateError([refused('::1:6379'), refused('127.0.0.1:6379')], ''), {
    code: 'ECONNREFUSED',
  });
  assert.deepEqual(faultOf(url, both), {
    endpoint: 'rediss://one.example:6379,rediss://two.example:6380',
    reason: 'connect ECONNREFUSED ::1:6379; connect ECONNREFUSED 127.0.0.1:6379',
    remedy: 'start the server, or correct its address in the setting "keys"',
  });
  for (const [message, remedy] of [
    ['WRONGPASS invalid username-password pair or user is disabled.', /user and password/],
    ["NOPERM this user has no permissions to run the 'evalsha' command", /ACL SETUSER/],
    ['DENIED Redis is running in protected mode', /password/],
    ['self-signed certificate', /NODE_EXTRA_CA_CERTS/],
    ['OOM command not allowed when used memory > maxmemory', /room/],
    ['only 0 of 1 replicas confirmed the change', /keyReplicas/],
    ['no answer within 1000 ms', /start the server/],
  ] as const) {
    const fault = faultOf(url, new Error(message));
    assert.equal(fault?.reason, message);
    assert.match(fault.remedy, remedy, message);
  }
  assert.equal(faultOf(url, new TypeError('a bug')), undefined);
});
