import type { Command } from 'commander';
import { editSources, isIn, readSources, type Source, sampleSource, withSources } from '../build/source-list.ts';
import { findUserFiles } from '../build/user-files.ts';
import { currentManifest } from '../build/versions.ts';
import { UsageError } from '../errors.ts';
import type { Manifest } from '../store/manifest.ts';
import { isAddress } from './read-source.ts';
import { sourceOf } from './run-build.ts';
import { configFor } from './settings.ts';

export function addSourcesCommand(program: Command): void {
  const sources = program.command('sources').description('list or change the sources of the dataset');

  sources
    .command('list', { isDefault: true })
    .description('list the sources: kind, date, licence and origin')
    .option('--json', 'print the list as in sources.json')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const { dataDirectory } = configFor(command);
      const list = await readSources(dataDirectory);
      const current = currentManifest(dataDirectory);
      if (json) console.log(JSON.stringify({ sources: list }, null, 2));
      else for (const source of list) console.log(lineOf(source, current));
    });

  sources
    .command('add <source...>')
    .description('add files, folders, patterns or addresses; "whereabouts update" builds them')
    .option('--name <name>', 'name of the source (default: from its file name)')
    .action(async (written: string[], { name }: { name?: string }, command: Command) => {
      const { dataDirectory } = configFor(command);
      if (name !== undefined && written.length > 1)
        throw new UsageError('--name can be used with one source only; add several one after the other');
      const requested = written.map((text) =>
        text === sampleSource.name ? sampleSource : { ...sourceOf(text), ...(name !== undefined && { name }) },
      );
      for (const { kind, from } of requested) {
        // Addresses are read when they are built.
        if (from !== sampleSource.from && !isAddress(from)) await findUserFiles([kind ? `${kind}=${from}` : from]);
      }
      const { added, replaced } = await editSources(dataDirectory, (list) => withSources(list, requested));
      for (const source of added) {
        const verb = replaced.some((other) => other.name === source.name) ? 'replaced' : 'added';
        console.log(`${verb} ${source.name}: ${source.from}`);
      }
      console.log('Run "whereabouts update" to build it.');
    });

  sources
    .command('remove <name...>')
    .description('remove sources from the list; "whereabouts update" then removes their data from the dataset')
    .action(async (names: string[], _options: unknown, command: Command) => {
      const { dataDirectory } = configFor(command);
      await editSources(dataDirectory, (list) => {
        const unknown = names.find((name) => !list.some((source) => source.name === name));
        if (unknown !== undefined) {
          const existingNames = list.map(({ name }) => name).join(', ');
          throw new UsageError(
            `there is no source ${unknown}; the list has ${existingNames === '' ? 'no sources' : existingNames}`,
          );
        }
        return { list: list.filter(({ name }) => !names.includes(name)) };
      });
      console.log(`removed ${names.join(', ')}. Run "whereabouts update" to remove the data.`);
    });
}

function lineOf({ name, kind, date, licence, from }: Source, current: Manifest | undefined): string {
  const state = current && isIn({ name }, current) ? (date ?? '').slice(0, 10) : 'not built';
  return [name.padEnd(24), (kind ?? '').padEnd(16), state.padEnd(10), from, licence ? `(${licence})` : '']
    .join('  ')
    .trimEnd();
}
