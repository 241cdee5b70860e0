/**
 * Reads each of the files named on the command line to its end, by its kind, and prints a JSON line for each: how it
 * ended and the most memory the process had by then. A process of its own, so that its memory is the readers'.
 */
import { detectSource } from '../../src/build/user-files.ts';
import { geonamesPostal } from '../../src/sources/geonames.ts';
import { openMmdb, walkMmdb } from '../../src/sources/mmdb/file.ts';
import { readAreas, readStreets, streetKinds } from '../../src/sources/source-kinds.ts';

async function readWhole(path: string): Promise<void> {
  const kind = await detectSource(path);
  if (kind === 'mmdb') walkMmdb(openMmdb(path), () => 0);
  else if (kind === 'geonames-postal') for await (const _ of geonamesPostal(path, () => {}));
  else if (kind === 'geoboundaries') for await (const _ of readAreas(kind, path));
  else {
    const street = streetKinds.find((each) => each === kind);
    if (!street) throw new Error(`${kind} is not read here`);
    for await (const _ of readStreets(street, path, { memoryMb: 64 }));
  }
}

for (const path of process.argv.slice(2)) {
  const start = performance.now();
  const ended = await readWhole(path).then(
    () => ({ name: 'read to its end', message: '' }),
    ({ name, message }: Error) => ({ name, message }),
  );
  const seconds = (performance.now() - start) / 1000;
  console.log(JSON.stringify({ path, ...ended, seconds, maxRssMb: process.resourceUsage().maxRSS / 1024 }));
}
