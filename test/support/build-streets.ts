/** Builds the street-level layers of a data directory from an OpenStreetMap file: build-streets.ts <directory> <file> [memoryMb]. */
import { buildDataset } from '../../src/build/pipeline.ts';

const [dataDirectory, file, memoryMb = '512'] = process.argv.slice(2);
let last = '';
await buildDataset({
  dataDirectory,
  tasks: [{ layer: 'streets', part: 'town', userFiles: { 'osm-pbf': [file] }, inputs: {} }],
  keptParts: [],
  keepSources: true,
  acceptLoss: true,
  memoryMb: Number(memoryMb),
  progress(step, _share, doing) {
    const line = `${step}: ${doing}`;
    if (line !== last) console.log(line);
    last = line;
  },
});
