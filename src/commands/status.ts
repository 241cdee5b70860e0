import type { Command } from 'commander';
import { verifyFiles } from '../store/dataset-files.ts';
import { readManifest } from '../store/manifest.ts';
import { attributionOf } from './attribution.ts';
import { describeDataset, summarise } from './build-summary.ts';
import { configFor, currentDataset } from './settings.ts';

type StatusOptions = { details?: boolean; json?: boolean; attribution?: boolean; verify?: boolean };

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('show the current dataset: layers, records, sources, licences')
    .option('--details', 'also show what each layer holds, how long it took and what was left out')
    .option('--json', 'print the manifest')
    .option('--attribution', 'print the required attribution as Markdown')
    .option('--verify', "compare every file with the manifest's SHA-256")
    .action(async (options: StatusOptions, command: Command) => {
      const directory = currentDataset(configFor(command));
      const manifest = readManifest(directory);
      if (options.json) console.log(JSON.stringify(manifest, null, 2));
      else if (options.attribution) console.log(attributionOf(manifest));
      else {
        console.log(describeDataset(manifest));
        if (options.details) console.log(`\n${summarise(manifest)}`);
        console.log('\nSources');
        for (const { id, title, version, vintage, licence } of manifest.sources) {
          console.log(`  ${id.padEnd(24)} ${title}, ${version}, data of ${vintage ?? 'unknown date'}, ${licence}`);
        }
      }
      if (!options.verify) return;
      await verifyFiles(directory, manifest, { isFresh: true });
      console.error('all files match their SHA-256');
    });
}
