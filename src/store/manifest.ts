import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, type Stats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Static } from 'typebox';
import type { Bounds } from '../core/geo.ts';
import { OneLineError, oneLine, systemReason } from '../errors.ts';
import { Type } from '../schema.ts';
import { replaceDurably } from './durable.ts';

/** Raised whenever a dataset written by an older program could no longer be read. */
export const datasetSchemaVersion = 7;

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * The version that `data/current` names, undefined when there is none. `current` is a text file that holds the
 * version's directory name; it is replaced by rename, so a reader sees the old name or the new one. Throws DatasetError
 * with the remedy when it cannot be read.
 */
export function currentVersion(dataDirectory: string): string | undefined {
  try {
    return readFileSync(join(dataDirectory, 'current'), 'utf8').trim();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new DatasetError(
      `${join(dataDirectory, 'current')} cannot be read (${systemReason(error)}); it is a text file with the name ` +
        'of a dataset: make it readable, or build the dataset again with "whereabouts build"',
    );
  }
}

/** Reads a dataset's manifest. Throws an Error with the remedy when it is missing, broken or of another schema. */
export function readManifest(directory: string): Manifest {
  const path = join(directory, 'manifest.json');
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = isMissing(error) ? 'is missing' : `cannot be read (${(error as Error).message})`;
    throw new DatasetError(`${path} ${reason}; build the dataset with "whereabouts build"`);
  }
  if (manifest.schemaVersion !== datasetSchemaVersion) {
    const Fault = manifest.schemaVersion < datasetSchemaVersion ? OutdatedDataset : DatasetError;
    throw new Fault(
      `${path} has dataset schema ${manifest.schemaVersion}, but this program reads ${datasetSchemaVersion}; ` +
        'build the dataset again with "whereabouts build"',
    );
  }
  return manifest;
}

/** A dataset that cannot be read or made current, with the remedy: one line, and a line for each of its `faults`. */
export class DatasetError extends OneLineError {
  override readonly name = 'DatasetError';

  constructor(message: string, { faults = [], ...options }: ErrorOptions & { faults?: readonly string[] } = {}) {
    super(message, options);
    for (const fault of faults) this.message += `\n  ${oneLine(fault)}`;
  }
}

/** A dataset that an older program wrote: it must be built again. */
export class OutdatedDataset extends DatasetError {}

// The format of a dataset's `manifest.json`, as a schema: the publisher of one that was pulled is not trusted.

/** Every layer a dataset may have, in the order they are built. */
export const layerNames = ['world', 'zones', 'boundaries', 'postal', 'ip', 'addresses', 'streets', 'pois'] as const;

export type LayerName = (typeof layerNames)[number];

/** The attribution of a collection has that of each of its files. */
const text = Type.String({ maxLength: 100_000 });
const count = Type.Number({ minimum: 0 });
/** Of what our own build alone reads, the type is not checked. */
const unchecked = <T>() => Type.Unsafe<T>({});

/** One publisher's data inside a dataset, as `/status`, the manifest and ATTRIBUTION.md show it. */
const SourceInfo = Type.Object({
  /** Short name, as in the `sources` of records. */
  id: text,
  title: text,
  /** Package or file it was read from, with its version. */
  version: text,
  /** The date of the data itself, ISO 8601 with the precision that is known (`2023-03`). */
  vintage: Type.Union([text, Type.Null()]),
  licence: text,
  attribution: text,
  url: Type.String({ pattern: '^(https?://|$)', maxLength: 5000 }),
});
export type SourceInfo = Static<typeof SourceInfo>;

/** The oldest of several dates of data; null if one of them is unknown. */
export const oldestOf = (vintages: readonly SourceInfo['vintage'][]): SourceInfo['vintage'] =>
  vintages.includes(null) ? null : (vintages as string[]).reduce((one, other) => (one < other ? one : other));

const LayerInfo = Type.Object({
  /**
   * The inputs: default packages with their versions, and the user's sources by name with the SHA-256 of their files.
   * Missing for street-level layers, see `Part`.
   */
  inputs: Type.Optional(unchecked<Record<string, string>>()),
  /** Record counts by kind, e.g. `{ places: 199568, names: 1046700 }`. */
  records: Type.Record(Type.String(), count),
  /** Records of the main kind by country, alpha-2, and of none at sea; missing for layers without countries. */
  countries: Type.Optional(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      patternProperties: { '^([A-Z]{2}|none)$': count },
      additionalProperties: false,
    }),
  ),
  /** Rows of the sources that were left out, by reason. */
  dropped: Type.Record(Type.String(), count),
  /** Ids of the sources. */
  sources: Type.Array(text),
  files: Type.Array(
    Type.Object({
      name: text,
      bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
  buildSeconds: count,
});
export type LayerInfo = Static<typeof LayerInfo>;

const layersOf = (names: readonly string[]) => ({
  ...Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(LayerInfo)]))),
  additionalProperties: false,
});

/** Street-level layers, which come from the same sources. */
export const streetLayerNames = ['addresses', 'streets', 'pois'] as const;
export type StreetLayerName = (typeof streetLayerNames)[number];

/** Street-level data of one source, in separate files, so that adding or removing it affects no other part. */
const Part = Type.Object({
  /** Name of the source; the names of its files end with it. */
  name: Type.String({ pattern: '^[\\w.-]*$', maxLength: 100 }),
  /** Its number in identifiers, from 0 to 1,023; the part keeps it when it is built again. */
  number: Type.Integer({ minimum: 0, maximum: 1023 }),
  /** As LayerInfo.inputs. */
  inputs: unchecked<Record<string, string>>(),
  /** Bounding box of its data; missing for empty parts. */
  bounds: Type.Optional(unchecked<Bounds>()),
  layers: Type.Unsafe<Record<StreetLayerName, LayerInfo>>(layersOf(streetLayerNames)),
  sources: Type.Array(SourceInfo),
  /** For an OpenStreetMap extract whose changes can be applied. */
  replication: Type.Optional(
    unchecked<{
      baseUrl: string;
      /** Sequence number of the last change included in the extract, and in the part. */
      extract: number;
      sequence: number;
      timestamp?: string | undefined;
    }>(),
  ),
});
export type Part = Static<typeof Part>;

export const Manifest = Type.Object({
  schemaVersion: count,
  /** Unique per build; part of every ETag. */
  version: text,
  builtAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
  /** Street-level layers are the sum of their parts. */
  layers: Type.Unsafe<Partial<Record<LayerName, LayerInfo>>>(layersOf(layerNames)),
  sources: Type.Array(SourceInfo),
  /** Layers that are still being built; only of a first dataset that is served while it grows. */
  coming: Type.Optional(Type.Array(Type.Unsafe<LayerName>({ enum: [...layerNames] }), { maxItems: layerNames.length })),
  /** Whether a node pulled it without its street-level layers, as it serves them from a search cluster. */
  isWithoutStreets: Type.Optional(Type.Boolean()),
  /** In the order of their numbers. */
  parts: Type.Array(Part),
});
export type Manifest = Static<typeof Manifest>;

/** The files of a dataset, those of each layer in turn. */
export const filesOf = ({ layers }: Pick<Manifest, 'layers'>): LayerInfo['files'] =>
  Object.values(layers).flatMap(({ files }) => files);

export const isStreetLayer = (name: string) => (streetLayerNames as readonly string[]).includes(name);

/** What of a growing dataset can be served: street-level layers only when all their parts are there; all of a whole one. */
export function servedPart(manifest: Manifest): Manifest {
  const isWhole = !manifest.coming?.some(isStreetLayer);
  return isWhole ? manifest : withoutStreets(manifest);
}

/** A manifest without the street-level layers. */
export function withoutStreets(manifest: Manifest): Manifest {
  const layers = Object.fromEntries(Object.entries(manifest.layers).filter(([name]) => !isStreetLayer(name)));
  return { ...manifest, layers, parts: [] };
}

// Checks whether the files of a dataset are those that its build wrote.

type DatasetFile = LayerInfo['files'][number];

/** Records which files were verified, by name; kept next to them, as it belongs to the version. */
const verifiedFile = '.verified.json';
/** Reads of this size keep hashing from blocking requests for more than half a millisecond. */
const chunkBytes = 1 << 20;
const remedy = 'build the dataset again, or run "whereabouts rollback"';

/**
 * Throws DatasetError naming the files that are missing, are not regular files, or have another size than the manifest
 * states. Reads none of them, so that it is fast however large they are.
 */
export function checkFiles(directory: string, manifest: Manifest): void {
  refuse(
    directory,
    distinctFiles(manifest)
      .map((file) => sizeFault(directory, file))
      .filter((fault) => fault !== undefined),
  );
}

/**
 * Compares files with the hashes of the manifest. A file is read once: the result is kept by size, modification time
 * and inode, unless the directory cannot be written. `packsOnly` leaves out databases, which may be too large to wait
 * for; `isFresh` reads every file again. Throws DatasetError naming those that differ.
 */
export async function verifyFiles(
  directory: string,
  manifest: Manifest,
  { packsOnly = false, isFresh = false }: { packsOnly?: boolean; isFresh?: boolean } = {},
): Promise<void> {
  const stored = await readVerified(directory);
  const verified: Record<string, string> = {};
  const damaged: string[] = [];
  for (const file of distinctFiles(manifest)) {
    const { name, sha256 } = file;
    const fault = sizeFault(directory, file);
    if (fault !== undefined) {
      damaged.push(fault);
      continue;
    }
    const path = join(directory, name);
    const fingerprint = fingerprintOf(statSync(path), sha256);
    const isKnown = !isFresh && stored[name] === fingerprint;
    if (!isKnown && packsOnly && !name.endsWith('.pack')) continue;
    if (isKnown || (await fileHash(path)) === sha256) verified[name] = fingerprint;
    else damaged.push(name);
  }
  // Also without those that have rotted, so that the next start reads and refuses them.
  const isSame = Object.keys(stored).length === Object.keys(verified).length;
  if (!isSame || Object.entries(verified).some(([name, fingerprint]) => stored[name] !== fingerprint))
    // If the directory cannot be written, the next start just reads the files again.
    await replaceDurably(join(directory, verifiedFile), JSON.stringify(verified)).catch(() => {});
  refuse(directory, damaged);
}

/** What is wrong with a file, judged by its metadata; undefined when nothing is. */
function sizeFault(directory: string, { name, bytes }: DatasetFile): string | undefined {
  const found = statSync(join(directory, name), { throwIfNoEntry: false });
  if (!found?.isFile()) return `${name} (missing)`;
  return found.size === bytes ? undefined : `${name} (${found.size} bytes, expected ${bytes})`;
}

function refuse(directory: string, damaged: readonly string[]): void {
  if (damaged.length > 0) throw new DatasetError(`${directory} is damaged: ${damaged.join(', ')}; ${remedy}`);
}

/** Each file once, as layers that are built together may share files. */
const distinctFiles = (manifest: Manifest): DatasetFile[] => [
  ...new Map(filesOf(manifest).map((file) => [file.name, file])).values(),
];

const fingerprintOf = ({ size, mtimeMs, ino }: Stats, sha256: string) => `${size} ${mtimeMs} ${ino} ${sha256}`;

/** SHA-256 of a file's bytes, in hex. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: chunkBytes }), hash);
  return hash.digest('hex');
}

async function readVerified(directory: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(join(directory, verifiedFile), 'utf8'));
  } catch {
    return {};
  }
}
