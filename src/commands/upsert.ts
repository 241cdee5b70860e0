import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { poiCategories } from '../core/poi-category.ts';
import { UsageError } from '../errors.ts';
import { Type } from '../schema.ts';
import { schemaFaults } from '../schema-faults.ts';
import type { LiveRecord } from '../store/opensearch/live-record.ts';
import { openCluster } from '../store/publish-streets.ts';
import { configFor } from './settings.ts';

const help = `
The file has one JSON object a line, - is standard input:
  {"id":"r:1","street":"Hauptstraße","house_number":"7","city":"Berlin","country":"DE","postal_code":"10827","lat":52.48,"lng":13.35}
  {"id":"r:2","name":"Café Roma","category":"restaurant","cuisine":"italian","lat":52.48,"lng":13.35}
  {"id":"r:3","deleted":true}
An address replaces the one with the same id, and a house with the same number in the same street. See docs/scale-out.md.`;

const id = Type.String({ minLength: 1, maxLength: 200 });
const text = Type.String({ minLength: 1, maxLength: 200 });
const position = { lat: Type.Number({ minimum: -90, maximum: 90 }), lng: Type.Number({ minimum: -180, maximum: 180 }) };
const country = Type.String({ pattern: '^[A-Z]{2}$' });
const address = Type.Object({
  id,
  street: text,
  house_number: text,
  city: text,
  country,
  postal_code: Type.Optional(text),
  ...position,
});
const poi = Type.Object({
  id,
  name: text,
  category: Type.Unsafe<string>({ type: 'string', enum: [...poiCategories] }),
  cuisine: Type.Optional(text),
  ...position,
});
const deletion = Type.Object({ id, deleted: Type.Unsafe<true>({ type: 'boolean', enum: [true] }) });

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
      const cluster = await openCluster(streets);
      try {
        const count = await cluster.upsert(recordsOf(file));
        console.log(`${count} records applied; nodes return them within a few seconds`);
      } finally {
        await cluster.close();
      }
    });
}

async function* recordsOf(file: string): AsyncGenerator<LiveRecord> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  let number = 0;
  for await (const line of createInterface({ input })) {
    number++;
    if (line.trim() !== '') yield recordOf(line, number);
  }
}

/** The record of a line. Throws UsageError that names the line. */
export function recordOf(line: string, number: number): LiveRecord {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(line);
  } catch (error) {
    throw new UsageError(`line ${number} is not JSON: ${(error as Error).message}`);
  }
  const schema = parsed?.deleted !== undefined ? deletion : parsed?.category !== undefined ? poi : address;
  const [fault] = schemaFaults(schema, parsed);
  if (fault) throw new UsageError(`line ${number}: ${fault.instancePath.slice(1) || 'the record'} ${fault.message}`);
  const { house_number: houseNumber, postal_code: postalCode, deleted, ...others } = parsed;
  if (deleted) return { id: parsed.id as string, isDeleted: true };
  return {
    ...others,
    ...(houseNumber !== undefined && { houseNumber }),
    ...(postalCode !== undefined && { postalCode }),
  } as unknown as LiveRecord;
}
