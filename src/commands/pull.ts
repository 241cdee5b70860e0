import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { configFor } from './settings.ts';

const help = `
Addresses: s3://bucket/prefix, https://… or a directory, with @version for a certain version; by default the setting
"dataset". For a machine that prepares a data directory before it serves, such as an init container:

  whereabouts pull s3://maps/world
See docs/operations.md.`;

export function addPullCommand(program: Command): void {
  program
    .command('pull [address]')
    .description('fetch a published dataset, verify it and make it the current one')
    .addHelpText('after', help)
    .action(async (address: string | undefined, _options: object, command: Command) => {
      const config = configFor(command);
      const dataset = address ?? config.dataset;
      if (dataset === '')
        throw new UsageError('pull needs an address such as s3://bucket/prefix, or the setting "dataset"');
      const { pullOnce } = await import('../publish/follow.ts');
      console.log(`${await pullOnce({ ...config, dataset })} is the current dataset of ${config.dataDirectory}`);
    });
}
