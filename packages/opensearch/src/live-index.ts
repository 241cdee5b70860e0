/**
 * The served index as live data change it: documents, each replaced only if nobody else did so meanwhile. Never
 * creates an index: what is written after a newer version has replaced this one is refused.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Bounds, LatLng } from '../../../src/core/geo.ts';
import { UsageError } from '../../../src/errors.ts';
import type { SourceInfo, StreetLayerName } from '../../../src/store/manifest.ts';
import { extended } from '../../../src/store/map-contract.ts';
import { isCorrectable } from '../../../src/store/sqlite/vocabulary.ts';
import { together, whenFound } from '../../../src/store/store.ts';
import type { House } from '../../../src/store/street-parts.ts';
import { bulkTo } from './bulk.ts';
import type { Connection } from './connection.ts';
import { type IndexFacts, stored, wordName } from './documents.ts';
import { servedIndex } from './engine.ts';
import type { LiveSource } from './live-record.ts';
import { IndexLookUps, type LookedUpIndex } from './look-ups.ts';
import { Refused } from './request.ts';
import { isNamable, wordDocument } from './write-documents.ts';

/** The layers that have live data of a source, and what is known of it unless it is one of the dataset's own. */
type Credit = { info?: SourceInfo; layers: StreetLayerName[] };
/**
 * Number of changes, the bounds of the parts that they extended, and their sources by name: in a document, as several
 * programs may write it.
 */
type LiveFacts = { changes: number; bounds: Record<string, Bounds>; sources?: Record<string, Credit> };
const factsName = 'live';

/** How long the look-ups of a batch may take, and how long it is tried while other programs change the same documents. */
const timeoutMs = 30_000;
const maxPauseMs = 50;
/** Maximum number of documents that wait for the next refresh, within a second; for more there is one at once. */
const maxWaiting = 1000;

/** What is worked out for a batch: its plan is made anew after each round of look-ups. */
type Known = { streets: Map<string, string | undefined>; houses: Map<string, House[]> };

export type Changes = ReturnType<typeof changesFrom>;

/** The documents that some records change, from the look-ups known so far. */
function changesFrom(facts: IndexFacts, lookUps: IndexLookUps, known: Known) {
  const drafts = new Map<string, object | undefined>();
  /** A document as these changes leave it; undefined where there is none. */
  const document = <T>(name: string) => (drafts.has(name) ? drafts.get(name) : lookUps.document(name)) as T | undefined;
  /** Replaces a document, adds it where there is none, or deletes it. */
  const put = (name: string, document: object | undefined) => void drafts.set(name, document);
  const liveFacts = () => document<LiveFacts>(factsName) ?? { changes: facts.changes, bounds: {} };

  return {
    lookUps,
    known,
    document,
    put,
    /** Adds words for corrections; their frequencies are counted when a dataset is published. */
    addWords(part: string, words: readonly string[]): void {
      const names = words.filter((word) => isCorrectable(word) && isNamable(word));
      together(names, (w) => document(wordName(w)) ?? put(wordName(w), wordDocument({ w, c: { [part]: 1 } })));
    },
    /** The number of a part that has records of a kind. Throws UsageError where none has. */
    partWith(kind: 'streets' | 'pois'): number {
      const part = facts.parts.find((one) => one[kind] !== undefined);
      if (!part) throw new UsageError(`the published dataset has no ${kind}; publish a dataset that has some first`);
      return part.number;
    },
    /** Extends the bounds of a document's part, outside of which it is not queried. */
    reach(name: string, position: LatLng): void {
      const live = liveFacts();
      const number = partOf(name);
      const bounds = live.bounds[number] ?? facts.parts.find((part) => part.number === number)?.bounds;
      const wider = extended(bounds, position);
      if (bounds && !isDeepStrictEqual(bounds, wider))
        put(factsName, { ...live, bounds: { ...live.bounds, [number]: wider } });
    },
    /** Counts a change, and lists sources of layers. */
    count(credits: ReadonlyMap<SourceInfo, Credit>): void {
      const live = liveFacts();
      const sources = { ...live.sources };
      for (const [{ id }, credit] of credits)
        sources[id] = { ...credit, layers: [...new Set([...(sources[id]?.layers ?? []), ...credit.layers])] };
      put(factsName, { ...live, sources, changes: live.changes + 1 });
    },
    /** Actions in bulk for the documents that differ from those of the index, `complete` with their terms. */
    actions(complete: (name: string, document: object) => object): [action: object, document?: object][] {
      const actions = together([...drafts], ([_id, draft]): [object, object?][] => {
        const before = lookUps.versioned(_id);
        if (!draft && !before) return [];
        if (before && draft && isDeepStrictEqual(stored(draft), before._source)) return [];
        const version = before && { if_seq_no: before._seq_no, if_primary_term: before._primary_term };
        if (!draft) return [[{ delete: { _id, ...version } }]];
        return [[{ [before ? 'index' : 'create']: { _id, ...version } }, complete(_id, draft)]];
      });
      return actions.flat();
    },
  };
}

export type LiveIndex = Awaited<ReturnType<typeof openLiveIndex>>;

/** Opens the served index. Throws UsageError where nothing is published. */
export async function openLiveIndex(connection: Connection) {
  const served = await servedIndex(connection);
  if (!served) throw new UsageError('nothing is published in this cluster; publish a dataset first');
  const { index, facts } = served;
  /** An alias of this index alone: an index that is gone would be created by a write to its own name. */
  const writable = `${index}-live`;
  const replaced = () => new UsageError(`another version replaced ${facts.version} meanwhile; apply the file again`);
  const searched: LookedUpIndex = {
    connection,
    index,
    deadlineMs: timeoutMs,
    current: undefined,
    onGone: () => Promise.reject(replaced()),
  };
  const lookUps = () => searched.current ?? new IndexLookUps(searched);
  const refresh = () => connection.write({ method: 'POST', path: `/${index}/_refresh` });
  const live = () => whenFound(() => lookUps().document<LiveFacts>(factsName));

  await connection.write({ method: 'PUT', path: `/${index}/_alias/${writable}` });
  // What an earlier run was stopped at.
  await refresh();
  /** Sources of live data by name, of this run or an earlier one; and those that this run has records of. */
  const named = new Map<string, SourceInfo>();
  const credits = new Map<SourceInfo, Credit>();
  for (const [id, { info }] of Object.entries((await live())?.sources ?? {})) if (info) named.set(id, info);

  /**
   * Makes changes, which searches see when it resolves. They are planned anew if another program changed one of their
   * documents first: those that were written are then as planned.
   */
  async function change(
    plan: (changes: Changes) => void,
    complete: (changes: Changes, name: string, document: object) => object = (_changes, _name, document) => document,
  ): Promise<void> {
    for (const startedAt = performance.now(); ; ) {
      const known: Known = { streets: new Map(), houses: new Map() };
      const actions = await whenFound(() => {
        const changes = changesFrom(facts, lookUps(), known);
        together([() => changes.count(credits), () => plan(changes)], (step) => step());
        return changes.actions((name, document) => complete(changes, name, document));
      });
      const isLarge = actions.length > maxWaiting;
      const bulk = bulkTo(connection, writable, isLarge ? '' : 'refresh=wait_for');
      for (const action of actions) await bulk.add(...action);
      const conflicts = await bulk.finish();
      if (isLarge) await refresh();
      if (conflicts === 0) break;
      if (performance.now() - startedAt > timeoutMs)
        throw new Refused(409, 'conflict', `other programs change the same documents for ${timeoutMs / 1000} s`);
      await wait(Math.random() * maxPauseMs);
      // Searches find what the others wrote only then.
      await refresh();
    }
    await report();
  }

  /** Lets the nodes know of the changes. Throws UsageError when another version is served by now. */
  async function report(): Promise<void> {
    for (let reported: number | undefined; ; ) {
      const { changes, bounds, sources = {} } = (await live())!;
      // Another program may have counted later and written earlier.
      if (changes === reported) break;
      const parts = facts.parts.map((part) => ({ ...part, bounds: bounds[part.number] ?? part.bounds }));
      const _meta = { ...credited(facts, sources), changes, parts };
      await connection.write({ method: 'PUT', path: `/${index}/_mapping`, body: { _meta } });
      reported = changes;
    }
    if ((await servedIndex(connection))?.index !== index) throw replaced();
  }

  return {
    change,
    /** The source that a line of live data names. Throws UsageError where it is unknown, or the dataset's own and described. */
    sourceOf({ source, facts: described }: LiveSource): SourceInfo {
      const ofLive = named.get(source);
      const ofDataset = ofLive ? undefined : facts.sources.find(({ id }) => id === source);
      if (described && ofDataset) throw new UsageError(`the dataset has a source ${source} of its own; name it alone`);
      const info = described ? { id: source, ...described } : (ofLive ?? ofDataset);
      if (!info) throw new UsageError(`the source ${source} is not known; state its title, licence and attribution`);
      if (!ofDataset) named.set(source, info);
      return info;
    },
    /** Lists sources in the index's facts, before there are records of them. */
    async credit(sources: readonly (readonly [SourceInfo, readonly StreetLayerName[]])[]): Promise<void> {
      let isNew = false;
      for (const [info, layers] of sources) {
        const { layers: before = [] } = credits.get(info) ?? {};
        if (layers.every((layer) => before.includes(layer))) continue;
        isNew = true;
        const isOfDataset = facts.sources.includes(info);
        credits.set(info, { layers: [...new Set([...before, ...layers])], ...(isOfDataset ? {} : { info }) });
      }
      if (isNew) await change(() => {});
    },
    /** The error to report: an index is gone once newer versions have replaced it. */
    reasonOf(error: unknown): unknown {
      return error instanceof Refused && error.status === 404 ? replaced() : error;
    },
  };
}

/** Facts of an index with the sources of live data. */
function credited(facts: IndexFacts, live: Record<string, Credit>): IndexFacts {
  const sources = new Map(facts.sources.map((info) => [info.id, info]));
  for (const [id, { info }] of Object.entries(live)) if (info) sources.set(id, info);
  const layers = Object.entries(facts.layers).map(([name, layer]) => {
    const added = Object.keys(live).filter((id) => live[id].layers.includes(name as StreetLayerName));
    return [name, { ...layer, sources: [...new Set([...layer.sources, ...added])] }];
  });
  return { ...facts, sources: [...sources.values()], layers: Object.fromEntries(layers) };
}

/** Number of the part of a street's or point's document. */
export const partOf = (name: string): number => Number(name.slice(1, name.indexOf('.')));
