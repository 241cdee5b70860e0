/**
 * Norway's postal codes with their post towns: Posten Bring's register, from the npm package `norway-postal-codes`
 * (converted/postal-codes-simple.js), which is MIT licensed.
 */
import { readFileSync } from 'node:fs';
import type { NamedPostalRow } from '../../core/postal/row.ts';

/** A row for each code. The file is a script that exports an object; that is read as JSON, not run. */
export function norwayPostal(path: string): NamedPostalRow[] {
  const script = readFileSync(path, 'utf8');
  const from = script.indexOf('{');
  const to = script.lastIndexOf('}');
  if (from < 0 || to < 0)
    throw new Error(`${path} has no object of codes; expected the format of norway-postal-codes 3`);
  const towns: Record<string, string> = JSON.parse(script.slice(from, to + 1));
  return Object.entries(towns).map(([code, town]) => ({
    country: 'NO',
    // Keys were numbers once: Oslo's 0001 is written 1 there.
    code: code.padStart(4, '0'),
    place: titleCase(town),
    // `SANDVIKA`, `BØ I TELEMARK`, `OSLO (ALNA)`
    names: [town, town.replace(/ \(.*\)$| I .*$/, '')],
    weight: 1,
  }));
}

/** Post towns are written in capitals; small words stay small. */
function titleCase(capitals: string): string {
  return capitals
    .toLowerCase()
    .replace(/(^|[\s\-(/])(\p{L})/gu, (start) => start.toUpperCase())
    .replace(/ (I|På|Og) /g, (word) => word.toLowerCase());
}
