/**
 * How long a tile takes and how large it is, of every layer and zoom: `node bench/tiles.ts [dataset directory] [lat,lng …]`.
 * Without a dataset: of a made-up city as dense as the densest. Times are those of the thread's
 * processor, as the machine may be busy; nothing may take longer than 20 ms.
 */
import { gzipSync } from 'node:zlib';
import { openDataset } from '../src/api/open.ts';
import { tileLayers } from '../src/tiles/layers.ts';
import { denseCity, openDenseCity } from '../test/support/dense-city.ts';
import { tileAt } from '../test/support/tile-at.ts';

const rounds = 9;
const [datasetPath, ...spots] = process.argv.slice(2);
const { store, remove } =
  datasetPath === undefined
    ? await openDenseCity({ size: 200, houses: 40 })
    : { store: openDataset(datasetPath), remove: () => store.close() };
const positions =
  spots.length > 0 ? spots.map((spot) => spot.split(',').map(Number)) : [[denseCity.lat, denseCity.lng]];
console.log('layer      zoom  first ms  median ms  worst ms      KB  gzip KB');
for (const [lat, lng] of positions) {
  console.log(`at ${lat}, ${lng}`);
  for (const [name, layer] of Object.entries(tileLayers)) {
    for (let zoom = layer.minZoom; zoom <= layer.maxZoom; zoom++) {
      const tile = tileAt(zoom, lat, lng);
      let bytes: Buffer | undefined;
      const times = Array.from({ length: rounds }, () => {
        const before = process.threadCpuUsage();
        bytes = layer.draw(store, tile, undefined);
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1000;
      });
      const [first] = times;
      times.sort((a, b) => a - b);
      const kb = (buffer: Uint8Array | undefined) => ((buffer?.length ?? 0) / 1024).toFixed(1).padStart(8);
      const ms = (value: number) => value.toFixed(1).padStart(9);
      console.log(
        `${name.padEnd(10)} ${String(zoom).padStart(4)} ${ms(first)} ${ms(times[rounds >> 1])} ${ms(times.at(-1)!)} ${kb(bytes)} ${kb(bytes && gzipSync(bytes))}`,
      );
    }
  }
}
remove();
