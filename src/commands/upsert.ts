import type { Command } from 'commander';
import type { Static } from 'typebox';
import { poiCategories } from '../core/poi-category.ts';
import { SourceError } from '../core/street-records.ts';
import { UsageError } from '../errors.ts';
import { schemaFaults, Type } from '../schema.ts';
import { linesOf, openBytes } from '../sources/open-bytes.ts';
import type { LivePoi, LiveRecord } from '../store/opensearch/live-record.ts';
import { openCluster } from '../store/publish-streets.ts';
import { configFor } from './settings.ts';

const help = `
The file has one JSON object a line, - is standard input:
  {"source":"register","title":"City register","licence":"CC-BY-4.0","attribution":"© City of Berlin"}
  {"id":"r:1","street":"Hauptstraße","house_number":"7","city":"Berlin","country":"DE","postal_code":"10827","lat":52.48,"lng":13.35}
  {"id":"r:2","name":"Café Roma","category":"restaurant","cuisine":"italian","lat":52.48,"lng":13.35}
  {"id":"r:3","deleted":true}
The first line names the source of those after it. An address replaces the one with the same id, and a house with the same
number in the same street. See docs/scale-out.md.`;

const id = Type.String({ minLength: 1, maxLength: 200 });
const text = Type.String({ minLength: 1, maxLength: 200 });
const position = { lat: Type.Number({ minimum: -90, maximum: 90 }), lng: Type.Number({ minimum: -180, maximum: 180 }) };
const address = Type.Object({
  id,
  street: text,
  house_number: text,
  city: text,
  country: Type.String(),
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
const source = Type.Object({ source: text }, { additionalProperties: false });
const describedSource = Type.Object(
  {
    source: text,
    title: text,
    licence: text,
    attribution: text,
    url: Type.Optional(text),
    vintage: Type.Optional(text),
  },
  { additionalProperties: false },
);
const deletion = Type.Object({ id, deleted: Type.Unsafe<true>({ type: 'boolean', enum: [true] }) });

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

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
  const files = file === '-' ? [{ name: 'standard input', chunks: process.stdin }] : openBytes(file);
  try {
    for await (const one of files) {
      let number = 0;
      for await (const lines of linesOf(one)) {
        for (const line of lines) {
          number++;
          if (line.trim() !== '') yield recordOf(line, number);
        }
      }
    }
  } catch (error) {
    throw error instanceof SourceError ? new UsageError(error.message) : error;
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
  const schema = schemaOf(parsed);
  const [fault] = schemaFaults(schema, parsed);
  if (fault) throw new UsageError(`line ${number}: ${fault.instancePath.slice(1) || 'the record'} ${fault.message}`);
  for (const [name, value] of Object.entries(parsed)) {
    const reason = name in schema.properties && name !== 'id' && typeof value === 'string' && faultOf(name, value);
    if (reason) throw new UsageError(`line ${number}: ${name} ${reason}`);
  }
  if (schema === source) return { source: parsed.source as string };
  if (schema === describedSource) {
    const { source, title, licence, attribution, url = '', vintage = null } = parsed as Static<typeof describedSource>;
    return { source, facts: { title, version: 'live data', vintage, licence, attribution, url } };
  }
  if (schema === deletion) return { id: parsed.id as string, isDeleted: true };
  const { id, lat, lng, name, category, cuisine } = parsed as LivePoi;
  if (schema === poi) return { id, name, category, ...(cuisine !== undefined && { cuisine }), lat, lng };
  const {
    street,
    house_number: houseNumber,
    city,
    country,
    postal_code: postalCode,
  } = parsed as Static<typeof address>;
  return { id, street, houseNumber, city, country, ...(postalCode !== undefined && { postalCode }), lat, lng };
}

function schemaOf(parsed: Record<string, unknown> | null) {
  if (parsed?.source !== undefined) return parsed.title === undefined ? source : describedSource;
  if (parsed?.deleted !== undefined) return deletion;
  return parsed?.category !== undefined ? poi : address;
}

/** Why a text of a record is none; lists of names and codes are kept with line ends between them. */
function faultOf(name: string, text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters';
  if (name === 'country') {
    const isKnown = /^[A-Z]{2}$/.test(text) && countryNames.of(text) !== undefined;
    return isKnown ? undefined : 'must be an alpha-2 country code in capital letters, such as DE';
  }
  if (name === 'url') return /^https?:\/\/./.test(text) ? undefined : 'must be an address of the form https://…';
  return /[\p{L}\p{N}]/u.test(text) ? undefined : 'must contain a letter or digit';
}
