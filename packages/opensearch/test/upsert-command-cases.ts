/** `whereabouts upsert` at a real cluster, as a hostile or clumsy operator runs it. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openDataset } from '../../../src/api/open.ts';
import type { Address } from '../../../src/store/address-contract.ts';
import { whenFound } from '../../../src/store/store.ts';
import { until } from '../../../test/support/served.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { openSearchEngine } from '../src/engine.ts';
import { noOpenSearch, type SearchCluster } from './support/opensearch.ts';
import { askerOf, datasetOf, publish } from './support/search-service.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');
const place = { city: 'Berlin', country: 'DE', lat: 52.48, lng: 13.35 };
const house = (id: string, street: string, number: number) => ({ id, street, house_number: String(number), ...place });
/** New houses in as many streets of the small dataset's Berlin, which has none of them. */
const houses = (count: number, streets: number) =>
  Array.from({ length: count }, (_, at) => house(`h:${at}`, `Lindenweg ${'abcdefgh'[at % streets]}`, at + 1));

export const upsertCommandCases = (oneNode: () => Promise<SearchCluster>) =>
  describe('whereabouts upsert', { skip: noOpenSearch }, () => {
    let cluster: SearchCluster;
    before(async () => {
      cluster = await oneNode();
    });

    /** A published version of the small dataset, and what its nodes find. */
    async function published(t: TestContext, name: string) {
      const address = `${cluster.url}/${name}`;
      const directory = await datasetOf(t, `${name}-1`);
      await publish(address, directory);
      const engine = await openSearchEngine(address, { deadlineMs: 60_000 });
      const store = openDataset(directory, { engine });
      t.after(async () => {
        store.close();
        await engine.close();
      });
      return {
        address,
        directory,
        ask: askerOf(t, directory, engine),
        refresh: engine.refresh,
        tag: () => store.manifest.version,
        find: async (text: string): Promise<Address[]> => whenFound(() => store.addresses!.search({ text, limit: 5 })),
        points: async (name: string) => whenFound(() => store.pois!.nearest(place, { radiusKm: 1, name, limit: 5 })),
        /** The documents that stand for an identifier of the source. */
        async documents(id: string): Promise<string[]> {
          const found = await cluster.ask('POST', `/${name}/_search`, { query: { term: { sid: id } } });
          return (found.hits as { hits: { _id: string }[] }).hits.map(({ _id }) => _id);
        },
      };
    }

    function start(address: string, file: string) {
      return run(['upsert', file, '--streets', address]);
    }

    function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
      const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...environment } });
      const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      return { child, ended: ended.then(([out, error, [code]]) => ({ out, error, code })) };
    }

    const writerTo = (child: ChildProcessWithoutNullStreams) => (records: readonly object[]) =>
      child.stdin.write(records.map((record) => `${JSON.stringify(record)}\n`).join(''));

    /** What `status --attribution` prints for a dataset that is served with this cluster. */
    function attribution(t: TestContext, dataset: string, streets: string) {
      const dataDirectory = temporaryDirectory(t);
      symlinkSync(dataset, join(dataDirectory, 'one'));
      writeFileSync(join(dataDirectory, 'current'), 'one');
      const args = ['status', '--attribution', '--data-directory', dataDirectory];
      return run(args, { WHEREABOUTS_STREETS: streets }).ended;
    }

    function fileOf(t: TestContext, content: readonly (object | string)[] | Buffer): string {
      const file = join(temporaryDirectory(t), 'changes.jsonl');
      const lines = (all: readonly (object | string)[]) =>
        all.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
      writeFileSync(file, Buffer.isBuffer(content) ? content : lines(content));
      return file;
    }

    test('the examples of its help; a byte order mark, blank lines and gzip', async (t) => {
      const { address, find, points, refresh } = await published(t, 'examples');
      const help = spawn(process.execPath, [main, 'upsert', '--help']);
      const examples = (await text(help.stdout)).split('\n').filter((line) => line.trim().startsWith('{'));
      assert.equal(examples.length, 4);
      const packed = gzipSync(`\uFEFF${examples.join('\r\n\r\n')}\r\n`);
      const { out, error, code } = await start(address, fileOf(t, packed)).ended;
      assert.deepEqual([error, code], ['', 0]);
      assert.match(out, /^3 records applied/);
      await refresh();
      assert.equal((await find('Hauptstraße 7, Berlin'))[0].lat, 52.48);
      assert.equal((await points('roma'))[0].name, 'Café Roma');
    });

    test('a line that is no record ends it with its number, and what was applied before is served', async (t) => {
      const { address, find, refresh, tag } = await published(t, 'broken');
      const before = tag();
      const { error, code } = await start(address, fileOf(t, [house('b:1', 'Lindenweg', 1), '{"id":'])).ended;
      assert.match(error, /^whereabouts: line 2 is not JSON[^\n]*\(records applied: 1\)\n$/);
      assert.equal(code, 2);
      await refresh();
      assert.notEqual(tag(), before);
      assert.equal((await find('Lindenweg 1, Berlin'))[0].matchType, 'exact');
      const endless = await start(address, fileOf(t, ['x'.repeat(5_000_000)])).ended;
      assert.match(endless.error, /^whereabouts: [^\n]+ has a line of more than [^\n]+\n$/);
      const missing = await start(address, join(temporaryDirectory(t), 'nowhere.jsonl')).ended;
      assert.match(missing.error, /^whereabouts: [^\n]+nowhere.jsonl[^\n]*\n$/);
    });

    test('odd identifiers and names; the same identifier twice; an address that becomes a point, and back', async (t) => {
      const { address, documents, find, points, refresh } = await published(t, 'odd');
      const ids = ['a b/c?d#e%2F', '"\\', '😀'.repeat(200), '*', '../x', 'é\u0301'];
      const records = ids.map((id, at) => house(id, 'Lindenweg', at + 1));
      const long = { ...house('long', '漢'.repeat(200), 1), city: '字'.repeat(200) };
      const twice = [house('twice', 'Lindenweg', 20), house('twice', 'Lindenweg', 21)];
      const first = await start(address, fileOf(t, [...records, long, ...twice, { id: 'nobody', deleted: true }]))
        .ended;
      assert.deepEqual([first.error, first.code], ['', 0]);
      await refresh();
      for (const id of [...ids, 'twice']) assert.equal((await documents(id)).length, 1, id);
      const isThere = async (number: number) => (await find(`Lindenweg ${number}, Berlin`))[0]?.matchType === 'exact';
      for (const at of ids.keys()) assert.ok(await isThere(at + 1), ids[at]);
      assert.deepEqual([await isThere(20), await isThere(21)], [false, true]);

      const point = { id: 'twice', name: 'Lindenhof', category: 'hotel', lat: place.lat, lng: place.lng };
      await start(address, fileOf(t, [point, ...ids.map((id) => ({ id, deleted: true }))])).ended;
      await refresh();
      assert.equal((await points('lindenhof')).length, 1);
      assert.equal(await isThere(21), false);
      for (const id of ids) assert.deepEqual(await documents(id), []);
      await start(address, fileOf(t, [twice[1]])).ended;
      await refresh();
      assert.deepEqual(await points('lindenhof'), []);
      assert.ok(await isThere(21));
    });

    test('every answer names the source of its record, and /status credits it', async (t) => {
      const { address, directory, ask, refresh } = await published(t, 'credited');
      const sourceOf = async (path: string) => {
        await refresh();
        const { results } = (await ask(path)).body;
        return results[0].source ?? results[0].sources;
      };
      const of = (text: string) => sourceOf(`/v1/address?q=${encodeURIComponent(text)}`);
      const own = await of('Hauptstraße 3, Berlin');
      const register = {
        source: 'city-register',
        title: 'City register',
        licence: 'CC-BY-4.0',
        attribution: '© Berlin',
      };
      const cafe = { id: 'p:1', name: 'Café Roma', category: 'restaurant', lat: place.lat, lng: place.lng };
      const apply = async (...lines: object[]) => {
        const { error, code } = await start(address, fileOf(t, lines)).ended;
        assert.deepEqual([error, code], ['', 0]);
      };
      await apply(house('r:1', 'Lindenweg', 1), register, house('r:2', 'Lindenweg', 2), cafe, { source: own });
      await apply(
        { source: own },
        house('r:3', 'Hauptstraße', 9),
        { source: 'city-register' },
        house('r:4', 'Am Ende', 1),
      );
      assert.equal(await of('Lindenweg 1, Berlin'), 'live');
      assert.equal(await of('Lindenweg 2, Berlin'), 'city-register');
      assert.equal(await of('Lindenweg, Berlin'), 'live');
      assert.equal(await of('Am Ende, Berlin'), 'city-register');
      assert.equal(await of('Hauptstraße 9, Berlin'), own);
      assert.equal(await of('Hauptstraße 3, Berlin'), own);
      assert.deepEqual(await sourceOf('/v1/search?q=52.48,13.35&layers=poi'), ['city-register']);

      const { dataset } = (await ask('/status')).body;
      const credit = ({ id }: { id: string }) => id === 'live' || id === 'city-register';
      const [live, city] = dataset.sources
        .filter(credit)
        .sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? 1 : -1));
      assert.equal(live.title, 'Live data');
      assert.deepEqual([city.title, city.licence, city.attribution], ['City register', 'CC-BY-4.0', '© Berlin']);
      const ofLayer = (name: string) => dataset.layers[name].sources.map(({ id }: { id: string }) => id);
      assert.deepEqual(ofLayer('addresses'), [own, 'live', 'city-register']);
      assert.deepEqual(ofLayer('pois'), [own, 'city-register']);

      await apply({ ...register, licence: 'CC0-1.0' }, house('r:1', 'Lindenweg', 1));
      assert.equal(await of('Lindenweg 1, Berlin'), 'city-register');
      const { sources } = (await ask('/status')).body.dataset;
      assert.equal(sources.find(({ id }: { id: string }) => id === 'city-register').licence, 'CC0-1.0');
      const credits = await attribution(t, directory, address);
      assert.deepEqual([credits.error, credits.code], ['', 0]);
      for (const line of [
        '- City register: © Berlin (',
        '- Live data: ',
        '- [Rows of the tests](https://example.org/)',
      ])
        assert.equal(credits.out.split(line).length, 2, line);
      const away = await attribution(t, directory, 'http://127.0.0.1:1/streets');
      assert.deepEqual([away.out, away.code], ['', 1]);
      assert.match(away.error, /^whereabouts: the search cluster .* cannot be credited; try again/m);

      // An identifier is unique among all sources.
      const lines = (...some: object[]) => start(address, fileOf(t, some)).ended;
      const taken =
        /: the id r:2 is one of the source city-register; (.*), or delete that one first \(records applied: 0\)/;
      const again = house('r:2', 'Lindenweg', 7);
      for (const some of [[{ source: own }, again], [{ source: own }, { id: 'r:2', deleted: true }], [again]]) {
        const [, remedy] = taken.exec((await lines(...some)).error) ?? [];
        assert.equal(
          remedy,
          some.length > 1 ? `give this one another, such as ${own}:r:2` : 'name that source before it',
        );
      }
      await apply({ id: 'r:2', deleted: true }, { source: own }, again);
      assert.equal(await of('Lindenweg 7, Berlin'), own);

      for (const [line, reason] of [
        [{ source: 'nobody' }, /: the source nobody is not known; state its title, licence and attribution/],
        [{ ...register, source: own }, /: the dataset has a source .*; name it alone/],
      ] as const)
        assert.match((await start(address, fileOf(t, [line])).ended).error, reason);
    });

    test('killed in the middle and repeated: nodes see what was applied, and in the end everything once', async (t) => {
      const { address, documents, refresh, tag } = await published(t, 'killed');
      const records = houses(60, 4);
      const file = fileOf(t, records);
      const before = tag();
      const { child, ended } = start(address, '-');
      const write = writerTo(child);
      write(records.slice(0, 30));
      await until('nodes see a part of it', async () => {
        await refresh();
        return tag() !== before && (await documents(records[29].id)).length > 0;
      });
      write(records.slice(30));
      child.kill('SIGKILL');
      await ended;
      const { error, code } = await start(address, file).ended;
      assert.deepEqual([error, code], ['', 0]);
      for (const { id } of records) assert.equal((await documents(id)).length, 1, id);
    });

    test('a thousand records are refreshed a few times, and a file that is applied again changes nothing', async (t) => {
      const { address, documents } = await published(t, 'many');
      const records = houses(1000, 8);
      const file = fileOf(t, records);
      const counts = async () => {
        const found = await cluster.ask('GET', '/many/_stats/refresh,indexing');
        const { refresh, indexing } = (found._all as { total: Record<string, Record<string, number>> }).total;
        return { refreshes: refresh.total, written: indexing.index_total };
      };
      const before = await counts();
      assert.match((await start(address, file).ended).out, /^1000 records applied/);
      const once = await counts();
      assert.ok(once.refreshes - before.refreshes < 10, JSON.stringify({ before, once }));
      await start(address, file).ended;
      // What counts the changes, once a batch.
      assert.ok((await counts()).written - once.written < 10);
      for (const { id } of records.slice(-8)) assert.equal((await documents(id)).length, 1, id);
    });

    test('two at once with the same records: none is lost, and none is there twice', async (t) => {
      const { address, documents, find, refresh } = await published(t, 'both');
      const point = (at: number) => ({
        id: `p:${at}`,
        name: `Kiosk ${at}`,
        category: 'shop',
        lat: 52,
        lng: 13 + at / 100,
      });
      const records = houses(24, 8).flatMap((record, at) => [record, point(at)]);
      const runs = [records, records.toReversed()].map((some) => start(address, fileOf(t, some)).ended);
      for (const { error, code } of await Promise.all(runs)) assert.deepEqual([error, code], ['', 0]);
      await refresh();
      for (const { id } of records) assert.equal((await documents(id)).length, 1, id);
      for (const { street, house_number: number } of houses(24, 8))
        assert.equal((await find(`${street} ${number}, Berlin`)).filter((one) => one.matchType === 'exact').length, 1);
    });

    test('two at once that extend the bounds of a part: both are found', async (t) => {
      const { address, find, refresh } = await published(t, 'bounds');
      const far = [
        { ...house('far:1', 'Rua Nova', 1), city: 'Lisboa', country: 'PT', lat: 38.72, lng: -9.14 },
        { ...house('far:2', 'Nygata', 1), city: 'Tromsø', country: 'NO', lat: 69.65, lng: 18.96 },
      ];
      await Promise.all(far.map((record) => start(address, fileOf(t, [record])).ended));
      await refresh();
      for (const { street, city } of far) assert.equal((await find(`${street} 1, ${city}`))[0]?.matchType, 'exact');
    });

    test('a version that is published meanwhile, with the old index removed: it says so, and no index is left behind', async (t) => {
      const { address, refresh, tag } = await published(t, 'swapped');
      const before = tag();
      const { child, ended } = start(address, '-');
      const write = writerTo(child);
      write(houses(200, 4));
      await until('it is at work', async () => {
        await refresh();
        return tag() !== before;
      });
      await publish(address, await datasetOf(t, 'swapped-2'), { keepVersions: 1 });
      write(houses(400, 4));
      child.stdin.end();
      const { error, code } = await ended;
      assert.match(error, /^whereabouts: another version replaced swapped-1 meanwhile; apply the file again[^\n]*\n$/);
      assert.equal(code, 2);
      assert.deepEqual(Object.keys(await cluster.ask('GET', '/swapped-*')), ['swapped-swapped-2']);
    });

    test('nothing published, an index that may only be read, a cluster that is not there: one line each', async (t) => {
      const { address } = await published(t, 'refused');
      const file = fileOf(t, [house('r:1', 'Lindenweg', 1)]);
      await cluster.ask('PUT', '/refused-refused-1/_settings', { index: { 'blocks.read_only_allow_delete': true } });
      const line = async (at: string) => {
        const { error, code } = await start(at, file).ended;
        assert.match(error, /^whereabouts: [^\n]+\n$/);
        assert.notEqual(code, 0);
        return error;
      };
      assert.match(await line(address), /read-only-allow-delete/);
      assert.match(await line(`${cluster.url}/nothing`), /nothing is published/);
      assert.match(await line('http://127.0.0.1:1/x'), /does not answer|no answer|ECONNREFUSED/);
    });
  });
