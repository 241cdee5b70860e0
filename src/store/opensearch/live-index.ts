/**
 * The served index as live data change it: single documents, each replaced only if nobody else did so meanwhile. Never
 * creates an index: what is written after a newer version has replaced this one is refused.
 */

import type { LatLng } from '../../core/geo.ts';
import { UsageError } from '../../errors.ts';
import { type Bounds, extended } from '../bounds.ts';
import type { Connection } from './connection.ts';
import type { IndexFacts } from './documents.ts';
import { servedIndex } from './engine.ts';
import { type Found, firstFault } from './look-ups.ts';
import { Refused } from './request.ts';

export type Versioned<T> = { found: boolean; _id: string; _seq_no: number; _primary_term: number; _source: T };

/** Number of changes, and the bounds of the parts that they extended: in a document, as several programs may write it. */
type LiveFacts = { changes: number; bounds: Record<string, Bounds> };
const factsName = 'live';

/** Whether another program changed the document first. */
export const isConflict = (error: unknown): boolean => error instanceof Refused && error.status === 409;

export class LiveIndex {
  readonly facts: IndexFacts;
  readonly #connection: Connection;
  readonly #index: string;
  readonly #bounds: Record<string, Bounds> = {};

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

  /** Lets the nodes know of the changes. Throws UsageError when another version is served by now. */
  async report(): Promise<void> {
    await this.refresh();
    let live = await this.#counted();
    for (;;) {
      const { changes } = live;
      const parts = this.facts.parts.map((part) => ({ ...part, bounds: live.bounds[part.number] ?? part.bounds }));
      const _meta = { ...this.facts, changes, parts };
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
      const { changes, bounds } = before.found ? before._source : { changes: this.facts.changes, bounds: {} };
      const live = { changes: changes + 1, bounds: { ...bounds } };
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

/** Number of the part of a street's or point's document. */
export const partOf = (name: string): number => Number(name.slice(1, name.indexOf('.')));
