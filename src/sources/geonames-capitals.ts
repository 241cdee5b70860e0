import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** A national capital as GeoNames has it: its name, and the IANA zone of its place. */
export type Capital = { name: string; timezone: string };

/** Reads the rows with feature code PPLC of a GeoNames main table (`cities500.txt`): capitals by alpha-2 code. */
export async function readCapitals(path: string): Promise<Map<string, Capital>> {
  const capitals = new Map<string, Capital>();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (!line.includes('\tPPLC\t')) continue;
    const columns = line.split('\t');
    if (columns[7] === 'PPLC') capitals.set(columns[8], { name: columns[1], timezone: columns[17] });
  }
  return capitals;
}
