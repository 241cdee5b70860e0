/** The list of sources of a data directory, `sources.json`, as an operator edits it by hand. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Listed = { name: string; from: string; kind?: string; date?: string; hash?: string; etag?: string };

const fileOf = (directory: string) => join(directory, 'sources.json');

/** Default addresses and streets, which are used without a list. */
export const sampleSource: Listed = { name: 'samples', from: 'default' };

export const readSources = (directory: string): Listed[] =>
  existsSync(fileOf(directory)) ? JSON.parse(readFileSync(fileOf(directory), 'utf8')).sources : [sampleSource];

export const writeSources = (directory: string, sources: readonly Listed[]): void =>
  writeFileSync(fileOf(directory), JSON.stringify({ sources }));
