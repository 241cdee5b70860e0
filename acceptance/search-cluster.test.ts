/**
 * The default dataset in a search cluster of three nodes: the same answers as from its files, over addresses of all its
 * countries in every form, and what is around them. `bench/street-engines.ts --together --nodes 3` asks more, and of ten countries.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionsOfDataset } from '../bench/quality/street-questions.ts';
import { openSearchEngine } from '../packages/opensearch/src/engine.ts';
import { noOpenSearch, searchCluster } from '../packages/opensearch/test/support/opensearch.ts';
import { publish } from '../packages/opensearch/test/support/search-service.ts';
import { openDataset, openStreetLevel, searchable } from '../src/api/open.ts';
import { readManifest } from '../src/store/manifest.ts';
import { whenFound } from '../src/store/store.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';
import { testService } from '../test/support/service.ts';
import { citiesOf } from '../test/support/street-engines.ts';

const dataset = defaultDataset();
const addressesOfACountry = 5;
const atOnce = 4;
const misspelt = ['Luis Saqarello 7 Monzevideo Uruguay', 'Calqe B 7 Montevidqo Uruguay'];

test('the default dataset has the same answers in a cluster of three as in its files', {
  skip: dataset === undefined ? datasetMissing : noOpenSearch,
}, async (t) => {
  const cluster = await searchCluster(3);
  t.after(cluster.close);
  const address = `${cluster.url}/default`;
  await publish(address, dataset!, { shards: 3, replicas: 1 });
  const places = citiesOf(dataset!);
  const files = openStreetLevel(dataset!, places, readManifest(dataset!).parts);
  const engine = await openSearchEngine(address, { deadlineMs: 60_000 });
  t.after(async () => {
    files.close();
    await engine.close();
  });
  const remote = searchable(engine.parts(), places);
  const questions = questionsOfDataset(dataset!, addressesOfACountry);
  const different: string[] = [];
  let objects = 0;
  const left = questions.values();
  const ask = async () => {
    for (const { text, ask } of left) {
      const [expected, found] = [ask(files), await whenFound(() => ask(remote))];
      if (JSON.stringify(expected) !== JSON.stringify(found)) different.push(text);
      for (const { object } of [expected].flat().slice(0, 1) as { object?: string | null }[]) {
        if (!object) continue;
        objects++;
        const id = ({ addresses, pois }: typeof remote) => pois?.idOfObject(object) ?? addresses?.idOfObject(object);
        if (id(files) !== (await whenFound(() => id(remote)))) different.push(object);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  // A search that waits for the cluster is repeated from its beginning, with what it may cost.
  const stored = openDataset(dataset!);
  t.after(() => stored.close());
  const [ofFiles, ofCluster] = await Promise.all(
    [files, remote].map((layers) => {
      const { addresses, streets, pois } = layers;
      const members = { addresses: { value: addresses }, streets: { value: streets }, pois: { value: pois } };
      return testService(t, { store: { current: Object.create(stored, members) } });
    }),
  );
  for (const q of misspelt) {
    for (const path of ['/nominatim/search?', '/photon/api?']) {
      const request = `${path}${new URLSearchParams({ q })}`;
      const [expected, found] = [await ofFiles.ask(request), await ofCluster.ask(request)];
      if (JSON.stringify(expected.body) !== JSON.stringify(found.body)) different.push(request);
    }
  }
  t.diagnostic(`${questions.length} questions, ${objects} objects of their answers`);
  assert.ok(objects > 100);
  assert.ok(questions.length > 200);
  assert.deepEqual(different, []);
});
