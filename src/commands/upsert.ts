import type { Command } from 'commander';
import { loadStreetExtension } from '../api/street-level.ts';
import { SourceError } from '../core/street-records.ts';
import { UsageError } from '../errors.ts';
import { linesOf, openBytes } from '../sources/open-bytes.ts';
import type { Line } from '../store/street-engine.ts';
import { configFor } from './settings.ts';

const help = `
The file has one JSON object a line, - is standard input:
  {"source":"register","title":"City register","licence":"CC-BY-4.0","attribution":"© City of Berlin"}
  {"id":"r:1","street":"Hauptstraße","house_number":"7","city":"Berlin","country":"DE","postal_code":"10827","lat":52.48,"lng":13.35}
  {"id":"r:2","name":"Café Roma","category":"restaurant","cuisine":"italian","lat":52.48,"lng":13.35}
  {"id":"r:3","deleted":true}
The first line names the source of those after it. An address replaces the one with the same id, and a house with the same
number in the same street. See docs/scale-out.md.`;

export function addUpsertCommand(program: Command): void {
  program
    .command('upsert <file>')
    .description('add, change or delete addresses and points of interest in the search cluster')
    .option('--streets <address>', 'the OpenSearch cluster (default: the setting `streets`)')
    .addHelpText('after', help)
    .action(async (file: string, _options: unknown, command: Command) => {
      const { streets } = configFor(command);
      if (streets === '')
        throw new UsageError('no search cluster is configured; pass --streets, or set WHEREABOUTS_STREETS');
      const { openCluster } = await loadStreetExtension();
      const cluster = await openCluster(streets);
      try {
        const count = await cluster.upsertLines(linesIn(file));
        console.log(`${count} records applied; nodes return them within a few seconds`);
      } finally {
        await cluster.close();
      }
    });
}

async function* linesIn(file: string): AsyncGenerator<Line> {
  const files = file === '-' ? [{ name: 'standard input', chunks: process.stdin }] : openBytes(file);
  try {
    for await (const one of files) {
      let number = 0;
      for await (const lines of linesOf(one)) {
        for (const line of lines) {
          number++;
          if (line.trim() !== '') yield { text: line, number };
        }
      }
    }
  } catch (error) {
    throw error instanceof SourceError ? new UsageError(error.message) : error;
  }
}
