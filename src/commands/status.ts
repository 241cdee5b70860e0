import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { DatasetError } from '../store/dataset-error.ts';
import { readManifest } from '../store/manifest.ts';
import { filesOf } from '../store/store.ts';
import { attributionOf } from './attribution.ts';
import { summarise } from './build-summary.ts';
import { configFor, currentDataset } from './settings.ts';

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('show the current dataset: layers, records, sources, licences')
    .option('--json', 'print the manifest')
    .option('--attribution', 'print what must be credited, as Markdown')
    .option('--verify', "compare every file with the manifest's SHA-256")
    .action(async (options: { json?: boolean; attribution?: boolean; verify?: boolean }, command: Command) => {
      const directory = currentDataset(configFor(command));
      const manifest = readManifest(directory);
      if (options.json) console.log(JSON.stringify(manifest, null, 2));
      else if (options.attribution) console.log(attributionOf(manifest));
      else {
        console.log(summarise(manifest));
        console.log('\nSources');
        for (const { id, title, version, vintage, licence } of manifest.sources) {
          console.log(`  ${id.padEnd(24)} ${title}, ${version}, data of ${vintage ?? 'unknown date'}, ${licence}`);
        }
      }
      if (!options.verify) return;
      const broken: string[] = [];
      for (const { name, sha256 } of filesOf(manifest)) {
        const found = await hashOf(join(directory, name));
        if (found !== sha256) broken.push(found === undefined ? `${name} (missing)` : name);
      }
      if (broken.length > 0)
        throw new DatasetError(`damaged: ${broken.join(', ')}; build the dataset again, or "whereabouts rollback"`);
      console.error('every file is as it was built');
    });
}

/** SHA-256 of a file; undefined where there is none. */
async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return hash.digest('hex');
}
