import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { DatasetError, type Manifest, readManifest, verifyFiles } from '../store/manifest.ts';
import { describeDataset, summarise } from './build-summary.ts';
import { configFor, currentDataset, streetEngineOf } from './settings.ts';

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
      const config = configFor(command);
      const directory = currentDataset(config);
      const own = readManifest(directory);
      const manifest = options.json ? own : await served(own, config, options);
      if (options.json) console.log(JSON.stringify(manifest, null, 2));
      else if (options.attribution) console.log(attributionOf(manifest));
      else {
        console.log(describeDataset(manifest));
        if (options.details) console.log(`\n${summarise(manifest)}`);
        console.log('\nSources');
        const width = Math.max(0, ...manifest.sources.map(({ id }) => id.length));
        for (const { id, title, version, vintage, licence } of manifest.sources) {
          console.log(`  ${id.padEnd(width)}  ${title}, ${version}, data of ${vintage ?? 'unknown date'}, ${licence}`);
        }
      }
      if (!options.verify) return;
      await verifyFiles(directory, own, { isFresh: true });
      console.error('all files match their SHA-256');
    });
}

/**
 * The manifest as a service with these settings has it: street-level layers and their sources, those of live data
 * included, are those of the search cluster where there is one. Throws DatasetError if credits would be incomplete.
 */
async function served(own: Manifest, config: Config, { attribution }: StatusOptions): Promise<Manifest> {
  const engine = await streetEngineOf(config);
  if (!engine) return own;
  try {
    const { facts } = engine;
    if (facts === undefined && attribution) {
      throw new DatasetError(
        'the search cluster in the setting "streets" does not answer or has no dataset, so that its sources cannot be ' +
          'credited; try again when it does, or publish a dataset there',
      );
    }
    const { servedManifest } = await import('../api/street-level.ts');
    return servedManifest(own, facts);
  } finally {
    await engine.close();
  }
}

/** The credits required of a dataset's operator, as Markdown: a section per licence, a line per source. */
export function attributionOf({ sources }: Pick<Manifest, 'sources'>): string {
  const byLicence = Map.groupBy(
    [...sources].sort((a, b) => (a.title < b.title ? -1 : 1)),
    ({ licence }) => licence,
  );
  const sections = [...byLicence].sort().map(([licence, credited]) => {
    const lines = credited.map(({ title, url, attribution, version, vintage }) => {
      const data = vintage === null ? 'data of unknown date' : `data of ${vintage}`;
      return `- ${url === '' ? title : `[${title}](${url})`}: ${attribution} (${version}, ${data})`;
    });
    return `## ${licence}\n\n${lines.join('\n')}`;
  });
  return sections.join('\n\n');
}
