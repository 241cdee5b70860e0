/** Sea ports of the world (package sea-ports, lib/ports.json), keyed by UN/LOCODE. */
import { readFileSync } from 'node:fs';
import { emptyBatch, type ReadOptions, SourceError, type StreetBatch } from '../core/street-records.ts';

type Row = { name: string; city?: string; coordinates?: [number, number] };

/**
 * One batch with all ports. The source names a port like its town; here it is `Port of …`, so that an answer says what
 * it is. Provinces are left out: their letters are damaged in the source.
 */
export async function* readSeaPorts(
  path: string,
  { dropped = () => {} }: ReadOptions = {},
): AsyncGenerator<StreetBatch> {
  let ports: Record<string, Row>;
  try {
    ports = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SourceError(`${path}: expected a JSON object of ports (${(error as Error).message})`);
  }
  const batch = emptyBatch();
  for (const [code, { name, city, coordinates }] of Object.entries(ports)) {
    if (!coordinates) {
      dropped('port without a position', 1);
      continue;
    }
    const [lng, lat] = coordinates;
    if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) {
      dropped('port outside the world', 1);
      continue;
    }
    const isNamedPort = /\b(port|harbou?r|terminal)\b/i.test(name);
    batch.pois.push({
      name: isNamedPort ? name : `Port of ${name}`,
      otherNames: isNamedPort ? [code] : [name, code],
      category: 'transport',
      city: city || undefined,
      country: code.slice(0, 2),
      lat,
      lng,
      sourceId: code,
    });
  }
  yield batch;
}
