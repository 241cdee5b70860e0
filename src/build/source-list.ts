/**
 * The sources that a dataset is made of, as `sources.json` in the data directory lists them. The file may be edited by
 * hand: a name and an address are enough, everything else is detected when it is read.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import type { Static } from 'typebox';
import { Failure } from '../errors.ts';
import { schemaFaults, Type } from '../schema.ts';
import { defaultParts } from '../sources/default-data.ts';
import { type SourceKind, sourceKinds } from '../sources/source-kinds.ts';
import { replaceDurably } from '../store/durable.ts';
import type { Manifest } from '../store/manifest.ts';
import { withListLock } from './locks.ts';

const sourceSchema = Type.Object(
  {
    /** Unique, of small letters, digits and hyphens; the name of its part where it is street-level data. */
    name: Type.String({ minLength: 1, maxLength: 60 }),
    /** Needed only where it cannot be detected by name and content. */
    kind: Type.Optional(Type.Unsafe<SourceKind>({ type: 'string', enum: sourceKinds })),
    /** A file, folder, pattern or http(s) address; `default` for data that come with the program, `published` for pulled ones. */
    from: Type.String({ minLength: 1 }),
    /** As the publisher states it. */
    licence: Type.Optional(Type.String()),
    /** Of the data: when the publisher's file, or the newest of the files, was changed; ISO 8601. */
    date: Type.Optional(Type.String()),
    /** `sha256:` and the hex digits of the files that the dataset was made of. */
    hash: Type.Optional(Type.String()),
    /** The address's entity tag when it was read. */
    etag: Type.Optional(Type.String()),
    /** Name under which an address's file is read, where the address does not end in it; it may lie in folders. */
    file: Type.Optional(Type.String()),
    /** Address of a note on the licence, read with the file. */
    note: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type Source = Static<typeof sourceSchema>;

const schema = Type.Object({ sources: Type.Array(sourceSchema) }, { additionalProperties: false });

/** Default addresses and streets, used where nothing else was requested. */
export const sampleSource: Source = { name: defaultParts.samples, from: 'default' };

const fileName = 'sources.json';

/**
 * The sources of a data directory; the default ones where there is no list. Throws Failure naming what is wrong with
 * the file.
 */
export async function readSources(directory: string): Promise<Source[]> {
  const path = join(directory, fileName);
  let written: { sources: Source[] };
  try {
    written = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [sampleSource];
    throw new Failure(`${path} cannot be read: ${(error as Error).message}`);
  }
  checkSources(written, path);
  return written.sources;
}

/** Instead of a place: the files are where a dataset was built that was pulled, and the data stay as they are in it. */
const published = 'published';
export const isPublished = ({ from }: Source): boolean => from === published;

/** Makes a list of the current dataset's sources where there is none, as where it was removed or an older program pulled it. */
export async function ensureSources(dataDirectory: string, { version }: Pick<Manifest, 'version'>): Promise<void> {
  if ([dataDirectory, join(dataDirectory, version)].every((directory) => existsSync(join(directory, fileName)))) return;
  await withListLock(dataDirectory, () => restoreSources(dataDirectory, version));
}

/** The manifest of a version, also of an older schema: what it was made of is not to be lost by building it again. */
function statedIn(directory: string): Partial<Manifest> | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The list of a dataset that was pulled, and brings none: the one that is here, by their names the sources that it lacks, and the samples
 * where the dataset has them.
 */
function listOfPulled(here: readonly Source[], { parts = [], layers = {} }: Partial<Manifest>): Source[] {
  const isSamples = ({ name }: { name: string }) => name === sampleSource.name;
  const own = here.filter((source) => !isSamples(source) && !isPublished(source));
  const samples = parts.some(isSamples) ? [here.find(isSamples) ?? sampleSource] : [];
  const ofLayers = Object.values(layers).flatMap(({ inputs = {} }) =>
    Object.keys(inputs).filter((name) => isUserInput(inputs[name])),
  );
  const taken = new Set<string>([...own.map(({ name }) => name), ...Object.values(defaultParts)]);
  const names = new Set([...parts.map(({ name }) => name), ...ofLayers]).difference(taken);
  return [
    ...samples,
    ...own,
    ...[...names]
      .filter(isName)
      .sort()
      .map((name) => ({ name, from: published })),
  ];
}

/** Whether an input of a layer is a source of the user: by the hash of its files. */
export const isUserInput = (input: string): boolean => input.startsWith('sha256:');

const isName = (name: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);

/** Throws Failure naming what is wrong with a list. */
function checkSources(written: { sources: readonly Source[] }, path: string): void {
  const [fault] = schemaFaults(schema, written);
  if (fault)
    throw new Failure(
      `${path}: ${fault.instancePath || 'the list'} ${fault.message}; see "Sources" in docs/updating.md`,
    );
  for (const { name, from, file } of written.sources) {
    const isDefault = from === sampleSource.from;
    if (isDefault !== (name === sampleSource.name) || name === defaultParts.worldwide)
      throw new Failure(
        `${path}: the name ${name} ${isDefault ? 'is not that of the default data, "samples"' : 'is taken by the default data'}; give the source another one`,
      );
    if (!isName(name))
      throw new Failure(
        `${path}: the name "${name}" is not valid; expected lower-case letters, digits, and hyphens between them`,
      );
    if (file && (isAbsolute(file) || file.split(/[/\\]/).includes('..')))
      throw new Failure(`${path}: the file "${file}" of ${name} is not a relative path without ".."`);
  }
  const names = written.sources.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new Failure(`${path}: two sources are called ${twice}; names must be unique`);
}

export function writeSources(directory: string, sources: readonly Source[]): Promise<void> {
  return replaceDurably(join(directory, fileName), `${JSON.stringify({ sources }, null, 2)}\n`);
}

/** Changes the list of a data directory, one after another, and returns what `change` returns. Throws as readSources. */
export function editSources<Result extends { list: readonly Source[] }>(
  dataDirectory: string,
  change: (list: readonly Source[]) => Result,
): Promise<Result> {
  return withListLock(dataDirectory, async () => {
    const result = change(await readSources(dataDirectory));
    checkSources({ sources: result.list }, join(dataDirectory, fileName));
    await writeSources(dataDirectory, result.list);
    return result;
  });
}

/**
 * Restores the list of a dataset version to the data directory, with sources added, in one write. One that was pulled gets its list
 * here, so that a source that is removed from it later is known to be.
 */
export async function restoreSources(
  dataDirectory: string,
  version: string,
  added: readonly Source[] = [],
): Promise<void> {
  const directory = join(dataDirectory, version);
  if (!existsSync(join(directory, fileName))) {
    const here = await readSources(dataDirectory).catch(() => undefined);
    const stated = statedIn(directory);
    // A list that cannot be read is left to whoever wrote it.
    if (!here || !stated) return;
    await writeSources(directory, listOfPulled(here, stated));
  }
  await writeSources(dataDirectory, withSources(await readSources(directory), added).list);
}

/** Endings that say nothing about what a file is: its format, and the day or `latest` that publishers put before it. */
const endings = /(\.(osm|pbf|gz|bz2|zst|zip|csv|txt|geojsonl?|parquet|mmdb|xml|gml|dsv))+$/i;
const edition = /[-_.](latest|\d{6}|\d{8}|\d{4}-\d\d(-\d\d)?)$/i;

/** A name for a source, by that of its file or folder: `liechtenstein` for `liechtenstein-latest.osm.pbf`. */
export function nameOf(from: string): string {
  const last = basename(from.replace(/[?#].*$/, '').replace(/[/\\]+$/, ''));
  const name = last
    .replace(endings, '')
    .replace(edition, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return name === '' || Object.values<string>(defaultParts).includes(name) ? 'source' : name;
}

/**
 * The list with sources added. One that is there already, by its place or as another edition of the same file in the
 * same folder, is replaced and keeps its name; those added together are no editions of each other. Returns the list, the sources as they are in it, and those they
 * replaced.
 */
export function withSources(
  list: readonly Source[],
  added: readonly Source[],
): { list: Source[]; added: Source[]; replaced: Source[] } {
  const result = [...list];
  const named: Source[] = [];
  const replaced: Source[] = [];
  for (const source of added) {
    const at = result.findIndex(
      (other) =>
        other.from === source.from ||
        (list.includes(other) && (isPublished(other) ? other.name === source.name : isEdition(other, source))),
    );
    if (at >= 0) {
      replaced.push(result[at]);
      named.push((result[at] = { ...source, name: result[at].name }));
    } else {
      const taken = new Set(result.map(({ name }) => name));
      let name = source.name;
      for (let number = 2; taken.has(name); number++) name = `${source.name}-${number}`;
      named.push({ ...source, name });
      result.push(named.at(-1)!);
    }
  }
  return { list: result, added: named, replaced };
}

/** Whether two sources are editions of one file: equal but for a date or `latest` at the end of the name; a kind is known once it was built. */
function isEdition(one: Source, other: Source): boolean {
  const stem = ({ from }: Source) => from.replace(endings, '').replace(edition, '');
  const ending = ({ from }: Source) => endings.exec(from)?.[0];
  const isKind = one.kind === undefined || other.kind === undefined || one.kind === other.kind;
  return isKind && stem(one) === stem(other) && ending(one) === ending(other);
}

/**
 * The list after a build: its sources with what was detected, merged with concurrent edits of the file (`before` and
 * `now` are its former and current content).
 */
export function listAfterBuild({
  list,
  before,
  now,
  read,
  manifest,
}: {
  list: readonly Source[];
  before: readonly Source[];
  now: readonly Source[];
  read: readonly { source: Source }[];
  manifest: Pick<Manifest, 'parts' | 'sources'>;
}): Source[] {
  const found = new Map(read.map(({ source }) => [source.name, source]));
  const named = (sources: readonly Source[]) => new Set(sources.map(({ name }) => name));
  const [namesBefore, namesNow, listedNames] = [named(before), named(now), named(list)];
  const kept = list.filter(({ name }) => namesNow.has(name) || !namesBefore.has(name));
  const addedConcurrently = now.filter(({ name }) => !namesBefore.has(name) && !listedNames.has(name));
  const fromBefore = new Map(before.map(({ name, from }) => [name, from]));
  const replacedConcurrently = new Map(
    now
      .filter(({ name, from }) => namesBefore.has(name) && fromBefore.get(name) !== from)
      .map((one) => [one.name, one]),
  );
  const known = kept.map((source) => {
    const replacement = replacedConcurrently.get(source.name);
    if (replacement) return replacement;
    const facts = found.get(source.name) ?? source;
    const licence = licenceOf(facts, manifest) ?? source.licence;
    return { ...source, ...facts, ...(licence && { licence }) };
  });
  return [...known, ...addedConcurrently];
}

/** The licence of a source as the dataset states it: that of its part, else of the publisher that names its file. */
function licenceOf(
  { name, from }: Source,
  { parts, sources }: Pick<Manifest, 'parts' | 'sources'>,
): string | undefined {
  const part = parts?.find((one) => one.name === name);
  const ofFile = sources.filter(({ version }) => version.split(', ').includes(basename(from)));
  const licences = (part?.sources ?? ofFile).map(({ licence }) => licence);
  return licences.length > 0 ? [...new Set(licences)].join('; ') : undefined;
}

/** Whether a dataset has the data of a source. */
export function isIn({ name }: Pick<Source, 'name'>, current: Manifest): boolean {
  const isPart = current.parts.some((part) => part.name === name);
  return isPart || Object.values(current.layers).some(({ inputs }) => inputs?.[name] !== undefined);
}
