/** Builds the street-level layers of a data directory from an OpenStreetMap file: build-streets.ts <directory> <file>. */
import { buildDataset } from '../../src/build/pipeline.ts';

const [dataDirectory, file] = process.argv.slice(2);
let last = '';
await buildDataset({
  dataDirectory,
  given: { 'osm-pbf': [file] },
  layers: ['streets'],
  keepSources: true,
  progress(step, _share, doing) {
    const line = `${step}: ${doing}`;
    if (line !== last) console.log(line);
    last = line;
  },
});
