/**
 * OpenStreetMap change files (`.osc`, mostly `.osc.gz`): what was created, modified and deleted since the version before
 * (wiki.openstreetmap.org/wiki/OsmChange). Held in memory; a day of a country is some ten thousand objects.
 */
import { SourceError } from '../../core/source-records.ts';
import { openBytes } from '../open-bytes.ts';
import type { OsmBlock, OsmFile } from './pbf-block.ts';
import { isPbf, readPbfHeader } from './pbf-file.ts';
import { BoundedXml, blockFiller, isInvisible } from './xml-file.ts';

const objectKinds = ['nodes', 'ways', 'relations'] as const;
type ObjectKind = (typeof objectKinds)[number];

/** Where the newest version of a changed object stands. */
type Changed = { block: OsmBlock; at: number };

const kindOfElement: Record<string, ObjectKind> = { node: 'nodes', way: 'ways', relation: 'relations' };
const all = { nodes: true, ways: true, relations: true };
const deleted = -1;
/** Objects of one file, so that a file and a place in it are one number. */
const maxObjects = 2 ** 27;
/** Changed objects of a kind in memory; a Map has room for 2 ** 24. */
const maxChanged = 10_000_000;

/** The newest version of each object that some change files have. */
export type ChangeSet = Awaited<ReturnType<typeof readChanges>>;

/** Reads change files, oldest first: of several versions of an object the last one counts. Throws SourceError, also for more objects than `limit`. */
export async function readChanges(paths: readonly string[], limit = maxChanged) {
  const blocks: OsmBlock[] = [];
  const newVersions = () => new Map<number, number>();
  const versions = { nodes: newVersions(), ways: newVersions(), relations: newVersions() };

  const remove = (file: string, kind: ObjectKind, id: string | undefined) => {
    if (!/^-?\d+$/.test(id ?? '')) throw new SourceError(`${file}: an id is '${id}', expected a number`);
    versions[kind].set(Number(id), deleted);
  };
  const read = async (name: string, chunks: AsyncIterable<Buffer>) => {
    const filler = blockFiller(name, all, 'osmChange');
    const block = filler.block();
    const number = blocks.push(block) - 1;
    let isDeletion = false;
    const parser = new BoundedXml(name, 'OpenStreetMap change', {
      open: (element, attributes) => {
        const kind = kindOfElement[element];
        if (element === 'create' || element === 'modify' || element === 'delete') isDeletion = element === 'delete';
        const isDeleted = isDeletion || isInvisible(attributes);
        if (kind && versions[kind].size >= limit)
          throw new SourceError(`${name}: the changes have come to more than ${limit} ${kind}`);
        if (kind && isDeleted) remove(name, kind, attributes.id);
        // What stands in a deleted object says nothing any more.
        if (isDeletion) return;
        filler.open(element, attributes);
        if (!kind || isDeleted) return;
        const at = countOf(block, kind) - 1;
        versions[kind].set(idAt(block, kind, at), number * maxObjects + at);
      },
      close(element) {
        if (!isDeletion) filler.close(element);
        else if (element === 'delete') isDeletion = false;
      },
    });
    for await (const _ of parser.pieces(chunks));
  };
  for (const path of paths)
    for await (const file of openBytes(path, { isWanted: (name) => name.endsWith('.osc') }))
      await read(file.name, file.chunks);

  return {
    /** Whether an object was changed or deleted, so that its version in the extract no longer counts. */
    has: (kind: ObjectKind, id: number): boolean => versions[kind].has(id),

    /** The newest version of an object; undefined where it was deleted, or not changed at all. */
    get(kind: ObjectKind, id: number): Changed | undefined {
      const version = versions[kind].get(id);
      if (version === undefined || version === deleted) return undefined;
      return { block: blocks[Math.floor(version / maxObjects)], at: version % maxObjects };
    },

    /** Ids of the changed and deleted objects of a kind, ascending. */
    ids: (kind: ObjectKind): Float64Array => Float64Array.from(versions[kind].keys()).sort(),
  };
}

/**
 * An extract as it is after changes: its own objects without those that changed, and the changed ones where their ids put
 * them. Where the file is sorted by kind and id, as extracts are, so is the result: the same objects in the same order as in
 * a newer extract.
 */
export function withChanges(file: OsmFile, changes: ChangeSet): OsmFile {
  return {
    ...file,
    async *blocks(wanted, progress) {
      const kinds = objectKinds.filter((kind) => wanted[kind]);
      const ids = { nodes: changes.ids('nodes'), ways: changes.ids('ways'), relations: changes.ids('relations') };
      const next = { nodes: 0, ways: 0, relations: 0 };
      function* changedUpTo(kind: ObjectKind, last: number): Generator<OsmBlock> {
        for (; ids[kind][next[kind]] <= last; next[kind]++) {
          const changed = changes.get(kind, ids[kind][next[kind]]);
          if (changed) yield objectsOf(changed.block, kind, changed.at, changed.at + 1);
        }
      }
      for await (const block of file.blocks(wanted, progress)) {
        for (const [position, kind] of kinds.entries()) {
          const count = countOf(block, kind);
          let from = 0;
          for (let at = 0; at < count; at++) {
            const id = idAt(block, kind, at);
            const isChanged = changes.has(kind, id);
            if (!isChanged && !(ids[kind][next[kind]] < id)) continue;
            if (from < at) yield objectsOf(block, kind, from, at);
            yield* changedUpTo(kind, id);
            from = isChanged ? at + 1 : at;
          }
          if (from < count) yield objectsOf(block, kind, from, count);
          // All objects of a kind come before the first of the next one.
          if (kinds.slice(position + 1).some((later) => countOf(block, later) > 0)) yield* changedUpTo(kind, Infinity);
        }
      }
      for (const kind of kinds) yield* changedUpTo(kind, Infinity);
    },
  };
}

const countOf = (block: OsmBlock, kind: ObjectKind) => (kind === 'nodes' ? block.nodes.count : block[kind].length);
const idAt = (block: OsmBlock, kind: ObjectKind, at: number) =>
  kind === 'nodes' ? block.nodes.ids[at] : block[kind][at].id;

/** The objects of one kind from one position to another, as a block. */
function objectsOf({ texts, nodes, ways, relations }: OsmBlock, kind: ObjectKind, from: number, to: number): OsmBlock {
  const [first, last] = kind === 'nodes' ? [from, to] : [0, 0];
  const { ids, lats, lngs, tags } = nodes;
  return {
    texts,
    nodes: {
      count: last - first,
      ids: ids.subarray(first),
      lats: lats.subarray(first),
      lngs: lngs.subarray(first),
      tags: tags.slice(first, last),
    },
    ways: kind === 'ways' ? ways.slice(from, to) : [],
    relations: kind === 'relations' ? relations.slice(from, to) : [],
  };
}

// The date of an extract and where its changes are published, as its publisher wrote into it.

/** `sequence` is the number of the last change that the extract has; `timestamp` its date, ISO 8601. */
export type Replication = { baseUrl: string; sequence: number; timestamp: string | undefined };

/** The date of an extract's data, ISO 8601, and where its changes are; undefined what it does not say. */
type ExtractState = { timestamp: string | undefined; replication: Replication | undefined };

/**
 * The state of an extract. XML files and self-made extracts often say nothing of it. Throws SourceError for a broken
 * file.
 */
export async function extractStateOf(path: string): Promise<ExtractState> {
  if (!(await isPbf(path))) return { timestamp: undefined, replication: undefined };
  const { baseUrl, sequence, timestamp } = await readPbfHeader(path);
  const isFollowed = baseUrl !== undefined && sequence !== undefined;
  return { timestamp, replication: isFollowed ? { baseUrl, sequence, timestamp } : undefined };
}
