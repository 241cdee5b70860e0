/** Writes the table of docs/sources.md of how old the data in data/ are: `node scripts/node26.js scripts/record-data-ages.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentVersion, readManifest } from '../src/store/manifest.ts';
import { agesTable } from './data-ages.ts';

const page = 'docs/sources.md';
const table = agesTable(readManifest(join('data', currentVersion('data')!)));
const text = readFileSync(page, 'utf8');
writeFileSync(
  page,
  text.replace(/^\| layer \| date of the data \|.*(?:\n\|.*)*/m, () => table),
);
