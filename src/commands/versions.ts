import { join } from 'node:path';
import type { Command } from 'commander';
import { datasetVersions, rollBack, type Version } from '../build/versions.ts';
import { filesOf, readManifest } from '../store/manifest.ts';
import { configFor } from './settings.ts';

export function addVersionsCommands(program: Command): void {
  program
    .command('versions')
    .description('list the datasets on this machine, the current one and earlier ones')
    .option('--json', 'print them as JSON')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const { dataDirectory } = configFor(command);
      const versions = await datasetVersions(dataDirectory);
      if (json) console.log(JSON.stringify(versions, null, 2));
      else for (const version of versions.reverse()) console.log(lineOf(dataDirectory, version));
    });

  program
    .command('rollback [version]')
    .description('return to the previous dataset, or to any other on this machine')
    .action(async (version: string | undefined, _options: unknown, command: Command) => {
      const { from, to } = await rollBack(configFor(command).dataDirectory, version);
      console.log(`${to} is current again (was ${from})`);
    });
}

function lineOf(dataDirectory: string, { version, isCurrent, currentAt, distrusted }: Version): string {
  const when = currentAt ?? 'never';
  const state = isCurrent ? `current since ${when}` : (distrusted ?? `was current from ${when}`);
  return `${isCurrent ? '*' : ' '} ${version}  ${sizeOf(join(dataDirectory, version)).padStart(9)}  ${state}`;
}

function sizeOf(directory: string): string {
  try {
    const bytes = filesOf(readManifest(directory)).reduce((sum, file) => sum + file.bytes, 0);
    return `${(bytes / 1e6).toFixed(1)} MB`;
  } catch {
    return 'unread';
  }
}
