import { type Command, Option } from 'commander';
import { UsageError } from '../errors.ts';
import { dayOf } from '../keys/meter.ts';
import { dayNumber, exportedPeriod, exportUsage, usageCsvHead, usageCsvLine } from '../keys/usage-export.ts';
import { wholeNumber } from './settings.ts';
import { withKeys } from './with-keys.ts';

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
