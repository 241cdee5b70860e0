/** A publisher of an extract and of its changes, as Geofabrik's server has them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { update } from '../../src/commands/update.ts';
import { loadConfig } from '../../src/config.ts';
import { currentVersion, readManifest } from '../../src/store/manifest.ts';
import { dataDirectory } from './data-directory.ts';
import { changeFile, edited, madeUpMap } from './osm-edits.ts';
import { pbfFile } from './osm-writer.ts';
import { startPublisher } from './publisher.ts';
import { randomNumbers } from './random-numbers.ts';
import { readSources, writeSources } from './source-list.ts';
import { dumpPart } from './street-level-dump.ts';

export const keep = { keepSources: true, acceptLoss: true };

export const countries = ['DE', 'GB'];

/** Where a publisher has the change of a number. */
export const changePath = (number: number): string =>
  `town-updates/${String(number)
    .padStart(9, '0')
    .replace(/^(...)(...)/, '$1/$2/')}.osc.gz`;

/**
 * A publisher of an extract and its changes, a day each, and a dataset that was made of the extract, whose own change has the
 * number `first`, at a host.
 */
export async function followed(t: TestContext, first = 0, host = '127.0.0.1') {
  const publisher = await startPublisher(t);
  const baseUrl = `${publisher.base.replace('127.0.0.1', host)}town-updates/`;
  const days = [madeUpMap()];
  const random = randomNumbers(42);
  const publish = (path: string, content: string | Uint8Array) =>
    publisher.files.set(path, { content: Buffer.from(content) });
  const publishDay = () => {
    const day = days.length;
    days.push(edited(days[day - 1], random, 10));
    const change = changeFile(days[day - 1], days[day]);
    publish(changePath(first + day), change);
    publish(`${changePath(first + day)}.md5`, createHash('md5').update(change).digest('hex'));
    publish('town-updates/state.txt', `sequenceNumber=${first + day}\ntimestamp=2026-11-0${day}T20\\:21\\:00Z\n`);
  };
  const publishExtract = (name: string, withChanges: boolean) => {
    const replication = { baseUrl, sequence: first + days.length - 1, timestamp: 1_700_000_000 };
    publish(name, pbfFile(days.at(-1)!, withChanges ? { replication } : {}));
  };
  publishExtract('town.osm.pbf', true);
  publish('town-updates/state.txt', `sequenceNumber=${first}\ntimestamp=2026-11-01T20\\:21\\:00Z\n`);
  const directory = await dataDirectory(t);
  const config = loadConfig({ environment: {}, overrides: { dataDirectory: directory, keepVersions: 30 } });
  writeSources(directory, [{ name: 'town', from: `${publisher.base}town.osm.pbf` }]);
  await update(config, keep);
  const version = () => join(directory, currentVersion(directory)!);
  const partOf = (name: string) => readManifest(version()).parts!.find((part) => part.name === name)!;
  /** The part must equal an import of the current map. */
  const assertNewest = async () => {
    publishExtract('fresh.osm.pbf', false);
    const got = dumpPart(version(), 'town', countries);
    const { addresses } = partOf('town').layers;
    const list = readSources(directory);
    writeSources(directory, [...list, { name: 'fresh', from: `${publisher.base}fresh.osm.pbf` }]);
    await update(config, keep);
    assert.deepEqual(got, dumpPart(version(), 'fresh', countries));
    assert.deepEqual(addresses.records, partOf('fresh').layers.addresses.records);
    writeSources(directory, list);
    await update(config, keep);
  };
  return { publisher, publish, publishDay, publishExtract, directory, config, partOf, assertNewest };
}
