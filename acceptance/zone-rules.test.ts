/** The clocks of the default dataset against Python's tzdata: each zone and link, 1970 to 2050; records against positions. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import type { PackedRules } from '../src/core/zone-clock.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const directory = defaultDataset();
const python = join(tmpdir(), 'whereabouts-python/bin/python');
const skip = directory === undefined && datasetMissing;
const hasTzdata = spawnSync(python, ['-c', 'import tzdata']).status === 0;

test('every zone has the offset and abbreviation of Python’s tzdata from 1970 to 2050', {
  skip: skip || (!hasTzdata && 'needs tzdata: packages/python/requirements.txt'),
}, () => {
  const { zones } = openDataset(directory!, { layers: ['zones'] });
  const rules = JSON.parse(readFileSync(join(directory!, 'zone-rules.json'), 'utf8')) as PackedRules;
  // A link has the clock of its zone: between the changes of that a month is near enough.
  const names = [
    ...rules.zones.map((zone) => [zone.split('|')[0], 3 * 86_400 + 3_601] as const),
    ...rules.links.map((link) => [link.split('|')[1], 30 * 86_400 + 3_601] as const),
  ];
  assert.ok(names.length > 590);
  const end = Date.UTC(2051, 0, 1) / 1000;
  const lines = names.map(([name, stepSeconds]) => {
    const clock = zones!.clock(name)!;
    const moments: number[] = [];
    for (let at = 0; at < end; at += stepSeconds) moments.push(at);
    for (const [start] of clock.periods()) moments.push(start / 1000 - 1, start / 1000, start / 1000 + 1);
    const readings = moments
      .filter((at) => at >= 0 && at < end)
      .map((at) => [at, clock.offsetSecondsAt(at * 1000), clock.abbreviationAt(at * 1000)]);
    return JSON.stringify([name, readings]);
  });
  const script = join(import.meta.dirname, 'zone-rules.py');
  const { stdout, status } = spawnSync(python, [script], { input: lines.join('\n'), encoding: 'utf8' });
  assert.equal(status, 0);
  assert.equal(stdout, '');
});

test('the zone of every record is that of its position', { skip }, () => {
  const { zones, places } = openDataset(directory!, { layers: ['world', 'zones'] });
  const wrong: string[] = [];
  for (let at = 0; at < places.size; at++) {
    const { name, lat, lng, timezone } = places.get(at);
    if (timezone !== zones!.at({ lat, lng })) wrong.push(`${name}: ${timezone}, expected ${zones!.at({ lat, lng })}`);
  }
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${places.size}`);
});
