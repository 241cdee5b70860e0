/**
 * The served index as live data change it: single documents, each replaced only if nobody else did so meanwhile. Never
 * creates an index: what is written after a newer version has replaced this one is refused.
 */
import type { LatLng } from '../../../src/core/geo.ts';
import { UsageError } from '../../../src/errors.ts';
import { type Bounds, extended } from '../../../src/store/bounds.ts';
import type { SourceInfo, StreetLayerName } from '../../../src/store/manifest-format.ts';
import { isCorrectable } from '../../../src/store/sqlite/vocabulary.ts';
import type { Connection } from './connection.ts';
import { anyOf, type IndexFacts, type Kind, numberOf, partTerm, wordName } from './documents.ts';
import { servedIndex } from './engine.ts';
import type { LiveSource } from './live-record.ts';
import { type Found, firstFault } from './look-ups.ts';
import { Refused } from './request.ts';
import { isNamable, wordDocument } from './write-documents.ts';

export type Versioned<T> = { found: boolean; _id: string; _seq_no: number; _primary_term: number; _source: T };

/** The layers that have live data of a source, and what is known of it unless it is one of the dataset's own. */
type Credit = { info?: SourceInfo; layers: StreetLayerName[] };
/**
 * Number of changes, the bounds of the parts that they extended, and their sources by name: in a document, as several
 * programs may write it.
 */
type LiveFacts = { changes: number; bounds: Record<string, Bounds>; sources?: Record<string, Credit> };
const factsName = 'live';

/** Whether another program changed the document first. */
export const isConflict = (error: unknown): boolean => error instanceof Refused && error.status === 409;

export class LiveIndex {
  readonly facts: IndexFacts;
  readonly #connection: Connection;
  readonly #index: string;
  readonly #bounds: Record<string, Bounds> = {};
  /** Sources of live data by name, of this run or an earlier one; and those that this run has records of. */
  readonly #named = new Map<string, SourceInfo>();
  readonly #credits = new Map<SourceInfo, Credit>();

  private constructor(connection: Connection, index: string, facts: IndexFacts) {
    this.#connection = connection;
    this.#index = index;
    this.facts = facts;
  }

  /** Opens the served index. Throws UsageError where nothing is published. */
  static async open(connection: Connection): Promise<LiveIndex> {
    const served = await servedIndex(connection);
    if (!served) throw new UsageError('nothing is published in this cluster; publish a dataset first');
    const opened = new LiveIndex(connection, served.index, served.facts);
    await connection.write({ method: 'PUT', path: `/${served.index}/_alias/${opened.#writable}` });
    await opened.refresh();
    const live = await opened.document<LiveFacts>(factsName);
    for (const [id, { info }] of Object.entries(live._source?.sources ?? {})) if (info) opened.#named.set(id, info);
    return opened;
  }

  /** An alias of this index alone: an index that is gone would be created by a write to its own name. */
  get #writable(): string {
    return `${this.#index}-live`;
  }

  /** The documents that match all filters, in the order of prominence. */
  async search<T>(filter: object[], size: number, order: 'asc' | 'desc' = 'asc'): Promise<Found<T>[]> {
    const body = { size, sort: [{ i: order }], query: { bool: { filter } } };
    const path = `/${this.#index}/_search?allow_partial_search_results=false`;
    const { hits } = await this.#connection.read<{ hits: { hits: Found<T>[] } }>({ method: 'POST', path, body });
    return hits.hits;
  }

  /** The documents of a source's identifier. */
  ofSource(id: string): Promise<Found<unknown>[]> {
    return this.search([{ term: { sid: id } }], 100);
  }

  /** A document as it is now, visible to searches or not; `found` is false where there is none. */
  async document<T>(name: string): Promise<Versioned<T>> {
    const request = { method: 'POST', path: `/${this.#index}/_mget`, body: { ids: [name] } } as const;
    type Answer = { docs: [Versioned<T> & { error?: { type?: string; reason?: string } }] };
    const { docs } = await this.#connection.read<Answer>(request, (answer) => firstFault((answer as Answer).docs));
    return docs[0];
  }

  /** The number of a part that has records of a kind. Throws UsageError where none has. */
  partWith(kind: 'streets' | 'pois'): number {
    const part = this.facts.parts.find((one) => one[kind] !== undefined);
    if (!part) throw new UsageError(`the published dataset has no ${kind}; publish a dataset that has some first`);
    return part.number;
  }

  /** The highest number of a street or point of a part; 0 where it has none. */
  async lastNumber(kind: Kind, part: number): Promise<number> {
    const [last] = await this.search([anyOf([partTerm(kind, part)])], 1, 'desc');
    return last ? numberOf(last._id) : 0;
  }

  /** Adds words for corrections; their frequencies are counted when a dataset is published. */
  async addWords(part: string, words: readonly string[]): Promise<void> {
    for (const w of words.filter((word) => isCorrectable(word) && isNamable(word))) {
      await this.create(wordName(w), wordDocument({ w, c: { [part]: 1 } })).catch((error) => {
        if (!isConflict(error)) throw error;
      });
    }
  }

  /** Adds a document. Throws a conflict where there is one of that name. */
  async create(name: string, document: object): Promise<void> {
    await this.#write(`_create/${encodeURIComponent(name)}?`, document);
  }

  /** Replaces a document, or adds it where there was none. Throws a conflict if it changed since it was read. */
  async replace({ found, _id, _seq_no, _primary_term }: Versioned<unknown>, document: object): Promise<void> {
    if (!found) return this.create(_id, document);
    const ifSame = `if_seq_no=${_seq_no}&if_primary_term=${_primary_term}`;
    await this.#write(`_doc/${encodeURIComponent(_id)}?${ifSame}&`, document);
  }

  /** Deletes a document, if there is one. */
  async delete(name: string): Promise<void> {
    const path = `/${this.#writable}/_doc/${encodeURIComponent(name)}`;
    await this.#connection.write({ method: 'DELETE', path }).catch((error) => {
      // A missing index has a type.
      if (!(error instanceof Refused && error.status === 404 && error.type === undefined)) throw error;
    });
  }

  /** Makes all changes visible to searches. */
  async refresh(): Promise<void> {
    await this.#connection.write({ method: 'POST', path: `/${this.#index}/_refresh` });
  }

  /** Extends the bounds of a document's part, outside of which it is not queried. */
  reach(name: string, position: LatLng): void {
    const number = partOf(name);
    const bounds = this.#bounds[number] ?? this.facts.parts.find((part) => part.number === number)?.bounds;
    if (bounds) this.#bounds[number] = extended(bounds, position);
  }

  /** The source that a line of live data names. Throws UsageError where it is unknown, or the dataset's own and described. */
  sourceOf({ source, facts }: LiveSource): SourceInfo {
    const ofLive = this.#named.get(source);
    const ofDataset = ofLive ? undefined : this.facts.sources.find(({ id }) => id === source);
    if (facts && ofDataset) throw new UsageError(`the dataset has a source ${source} of its own; name it alone`);
    const info = facts ? { id: source, ...facts } : (ofLive ?? ofDataset);
    if (!info) throw new UsageError(`the source ${source} is not known; state its title, licence and attribution`);
    if (!ofDataset) this.#named.set(source, info);
    return info;
  }

  /** Lists a source in the index's facts, before there are records of it. */
  async credit(info: SourceInfo, layers: readonly StreetLayerName[]): Promise<void> {
    const before = this.#credits.get(info);
    if (layers.every((layer) => before?.layers.includes(layer))) return;
    const isOfDataset = this.facts.sources.includes(info);
    const all = [...new Set([...(before?.layers ?? []), ...layers])];
    this.#credits.set(info, { layers: all, ...(isOfDataset ? {} : { info }) });
    await this.report();
  }

  /** Lets the nodes know of the changes. Throws UsageError when another version is served by now. */
  async report(): Promise<void> {
    await this.refresh();
    let live = await this.#counted();
    for (;;) {
      const { changes } = live;
      const parts = this.facts.parts.map((part) => ({ ...part, bounds: live.bounds[part.number] ?? part.bounds }));
      const _meta = { ...credited(this.facts, live.sources ?? {}), changes, parts };
      await this.#connection.write({ method: 'PUT', path: `/${this.#index}/_mapping`, body: { _meta } });
      // Another program may have counted later and written earlier.
      live = (await this.document<LiveFacts>(factsName))._source;
      if (live.changes === changes) break;
    }
    if ((await servedIndex(this.#connection))?.index !== this.#index) throw this.#replaced();
  }

  /** Counts a change, and adds the bounds. */
  async #counted(): Promise<LiveFacts> {
    for (;;) {
      const before = await this.document<LiveFacts>(factsName);
      const {
        changes,
        bounds,
        sources = {},
      }: LiveFacts = before.found ? before._source : { changes: this.facts.changes, bounds: {} };
      const live = { changes: changes + 1, bounds: { ...bounds }, sources: { ...sources } };
      for (const [{ id }, credit] of this.#credits)
        live.sources[id] = { ...credit, layers: [...new Set([...(live.sources[id]?.layers ?? []), ...credit.layers])] };
      for (const [part, { south, west, north, east }] of Object.entries(this.#bounds)) {
        live.bounds[part] = extended(extended(live.bounds[part], { lat: south, lng: west }), { lat: north, lng: east });
      }
      try {
        await this.replace(before, live);
        return live;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  async #write(path: string, body: object): Promise<void> {
    await this.#connection.write({ method: 'PUT', path: `/${this.#writable}/${path}require_alias=true`, body });
  }

  /** The error to report: an index is gone once newer versions have replaced it. */
  reasonOf(error: unknown): unknown {
    return error instanceof Refused && error.status === 404 ? this.#replaced() : error;
  }

  #replaced(): UsageError {
    return new UsageError(`another version replaced ${this.facts.version} meanwhile; apply the file again`);
  }
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
