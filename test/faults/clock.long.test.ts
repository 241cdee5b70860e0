/** The system's clock is set over midnight UTC under a running service, forward and back: no call is granted twice. */
import assert from 'node:assert/strict';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeKey, serve, smallData } from '../support/served.ts';

const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
const skip = library === undefined && 'needs libfaketime (Debian: faketime)';

for (const workers of [1, 2]) {
  test(`a clock that is set over midnight and back, ${workers} processes: a day has its quota once`, {
    skip,
  }, async (t) => {
    const data = await smallData(t);
    const clock = join(data, 'clock');
    const set = (time: string) => writeFileSync(clock, `@2026-06-${time}\n`);
    set('15 12:00:00');
    const environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      // Timers continue as usual.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      TZ: 'UTC',
    };
    const key = await makeKey(data, 'hundred', {}, environment);
    const { url, stop } = await serve(t, data, { workers }, environment);
    /** Sends calls until several in a row are refused, so that each process has been reached. */
    const spend = async () => {
      let granted = 0;
      for (let refused = 0; refused < 20; ) {
        const headers = { 'x-api-key': key, connection: 'close' };
        const { status } = await fetch(`${url}/v1/country/DE`, { headers });
        assert.ok(status === 200 || status === 429, String(status));
        if (status === 200) granted++;
        else refused++;
      }
      return granted;
    };
    assert.equal(await spend(), 100);
    set('16 00:00:20');
    assert.equal(await spend(), 100, 'the next day');
    set('15 23:59:40');
    assert.equal(await spend(), 0, 'back on the day before');
    set('16 00:00:30');
    assert.equal(await spend(), 0, 'and forward again');
    assert.equal(await stop(), 0);
  });
}
