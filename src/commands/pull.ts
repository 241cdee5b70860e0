import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { configFor } from './settings.ts';

const help = `
Addresses: s3://bucket/prefix, https://… or a directory, with @version for a particular version; by default the setting
"dataset". Use it to prepare a data directory before serving, for instance in an init container:

  whereabouts pull s3://maps/world
See docs/operations.md.`;

export function addPullCommand(program: Command): void {
  program
    .command('pull [address]')
    .description('fetch a published dataset, verify it and make it current')
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
