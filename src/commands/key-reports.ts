import { userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import { UsageError } from '../errors.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { dayOf } from '../keys/meter.ts';
import { dayNumber, exportedPeriod, exportUsage, usageCsvHead, usageCsvLine } from '../keys/usage-export.ts';
import { openKeysOf } from '../server/processes/open-keys.ts';
import { configFor, wholeNumber } from './settings.ts';

/** Adds `keys usage` and `keys log`: what keys used, and who changed them. */
export function addKeyReports(keys: Command): void {
  keys
    .command('usage [key]')
    .description('show the calls of all keys, or of one, by UTC day and endpoint')
    .option('--from <date>', 'first day, such as 2026-06-01 (default: 30 days ago)')
    .option('--to <date>', 'last day (default: today)')
    .addOption(new Option('--format <format>', 'output format').choices(['csv', 'json']).default('csv'))
    .action(
      (reference: string | undefined, options: { from?: string; to?: string; format: string }, command: Command) =>
        withKeys(command, async (store) => {
          const today = dayOf(Date.now());
          const period = exportedPeriod(
            { from: dayFrom('--from', options.from, today - 30), to: dayFrom('--to', options.to, today) },
            today,
            (fault) => new UsageError(`--from ${fault}`),
          );
          const only = reference === undefined ? undefined : await store.find(reference);
          const isCsv = options.format === 'csv';
          process.stdout.write(isCsv ? usageCsvHead : '[');
          let separator = '\n';
          for await (const row of exportUsage(store, period, only)) {
            process.stdout.write(isCsv ? usageCsvLine(row) : `${separator}${JSON.stringify(row)}`);
            separator = ',\n';
          }
          if (!isCsv) process.stdout.write('\n]\n');
        }),
    );
  keys
    .command('log')
    .description('show the log of changes: who did what to which key, newest first')
    .option('--count <lines>', 'number of lines', wholeNumber('--count'), 50)
    .option('--json', 'print an array of objects')
    .action((options: { count: number; json?: boolean }, command: Command) =>
      withKeys(command, async (store) => {
        const lines = (await store.audit(0, options.count)).map(({ at, ...line }) => ({
          at: new Date(at).toISOString(),
          ...line,
        }));
        if (options.json) console.log(JSON.stringify(lines));
        else if (lines.length === 0) console.log('Nothing has been changed yet.');
        for (const { at, by, action, keyId, detail } of options.json ? [] : lines) {
          console.log(`${at}  ${by}: ${action} key ${keyId}${detail ? ` ${JSON.stringify(detail)}` : ''}`);
        }
      }),
    );
}

function dayFrom(option: string, written: string | undefined, otherwise: number): number {
  const day = written === undefined ? otherwise : dayNumber(written);
  if (day !== undefined) return day;
  throw new UsageError(`${option} is "${written}", expected a date such as 2026-06-15`);
}

/** Rows as a table of plain text, for people who read a terminal: columns under their names, two blanks between them. */
export function textTable(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => [...line[column]].length)));
  const padded = (text: string, width: number) => text + ' '.repeat(width - [...text].length);
  return lines
    .map((line) =>
      line
        .map((text, column) => padded(text, widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Who is at the command line, for the log of changes. */
export const operator = () => `operator ${userInfo().username}`;

/** Opens the keys of a command's configuration for a piece of work, and closes them after it. */
export async function withKeys(command: Command, work: (keys: KeyStore) => Promise<void>): Promise<void> {
  const keys = await openKeysOf(configFor(command));
  try {
    await work(keys);
  } finally {
    await keys.close();
  }
}
