import type { Command } from 'commander';
import { sourceKinds } from '../sources/source-kinds.ts';
import { layerNames } from '../store/manifest.ts';
import type { BuildOptions } from './run-build.ts';
import { configFor, wholeNumber } from './settings.ts';

const buildHelp = `
Kinds of sources: ${sourceKinds.join(', ')}

Examples:
  whereabouts build                                                    the default dataset
  whereabouts build --source liechtenstein-latest.osm.pbf --layer addresses
  whereabouts build --source europe.zip 'overture/*.parquet'           several, of any kind
  whereabouts build --source https://download.geonames.org/export/zip/DE.zip
  whereabouts build --source geonames-postal=codes.txt                 with the kind of the file
  whereabouts build --region LI,MC,AT                                  public extracts of countries
See docs/updating.md and docs/sources.md.`;

export function addBuildCommand(program: Command): void {
  program
    .command('build')
    .description('build a dataset and make it current; a running server switches to it')
    .option(
      '--source <file...>',
      'data to add, replacing a source of the same name: files, folders, patterns or addresses; kind=file if the kind cannot be detected',
    )
    .option(
      '--layer <layer...>',
      `build only these layers and keep the others: ${layerNames.join(', ')} (the last three are built together)`,
    )
    .option('--only', 'use only the sources named here instead of adding them to the current ones')
    .option(
      '--region <countries>',
      'public extracts of these countries, such as LI,MC,AT, or ten: small countries with all their addresses',
    )
    .option('--official', 'the official files of the whole world as they are today; see docs/updating.md')
    .option('--from <publishers>', 'publishers whose extracts --region uses: osm, postal, openaddresses', 'osm,postal')
    .option('--yes', 'download large files without asking')
    .option(
      '--build-memory-mb <MB>',
      'memory for tables, 512 by default; the rest goes to disk',
      wholeNumber('--build-memory-mb'),
    )
    .option(
      '--to <address>',
      'publish it afterwards: s3://…, a directory, or only the street-level data to an OpenSearch cluster; see publish',
    )
    .option('--accept-loss', 'make the dataset current even if it lost records or fails a check; see docs/updating.md')
    .option('--keep-sources', 'keep the unpacked default data for the next build')
    .option('--json', 'print the manifest of the dataset as JSON at the end')
    .addHelpText('after', buildHelp)
    .action(async (options: BuildOptions, command: Command) => {
      // What builds is loaded only here: a server has no use for it.
      const { build } = await import('./run-build.ts');
      const config = configFor(command);
      const manifest = await build(config, options, (reason) => {
        console.error(`whereabouts: not updated: ${reason}`);
        process.exitCode = 1;
      });
      if (options.json) console.log(JSON.stringify(manifest));
      if (options.to === undefined) return;
      const { publishTo } = await import('./publish.ts');
      await publishTo(config, options.to);
    });
}
