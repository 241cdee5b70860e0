/** The look-ups of one search in an index, collected so that all known ones are sent together. */
import type { RecentCache } from '../../../src/core/recent-cache.ts';
import { Deferred, type LookUps, StreetsUnavailable } from '../../../src/store/store.ts';
import type { StreetArea } from '../../../src/store/street-parts.ts';
import type { Connection } from './connection.ts';
import { anyOf } from './documents.ts';
import { Refused } from './request.ts';

/** A document with its name. */
type Found<T> = { _id: string; _source: T };
/** A document with what tells whether it has changed since. */
type Versioned = { _source?: unknown; _seq_no?: number; _primary_term?: number };
type Hit = Versioned & { _id?: string; matched_queries?: string[] };

type SearchAnswer = {
  hits?: { hits: Hit[] };
  error?: { type?: string; reason?: string };
  status?: number;
  timed_out?: boolean;
  _shards?: { failed: number };
};
type DocumentAnswer = Versioned & { _id: string; found?: boolean; error?: { type?: string; reason?: string } };

/** Maximum number of rounds of look-ups for one search: more than any address search takes. */
const maxRounds = 256;
const searchOptions = { allow_partial_search_results: false, ignore_throttled: false };

/** What all documents wanted have, and how many are wanted at most. */
export type SearchBody = {
  size: number;
  filter: readonly object[];
  sort?: readonly object[];
  [option: string]: unknown;
};
/** A search, of the documents of one part where it names one (`s3`), under the text that it is known by; `clause` is that of its filter. */
type Search = { key: string; clause: string; body: SearchBody; part: string | undefined };

/** Maximum number of searches that are sent as one: each is a clause of it, which costs a node far less than a search. */
const maxJoined = 64;
/** Number of documents that searches sent as one find together at first, and at most, if none of them may find more. */
const [joinedSize, maxJoinedSize] = [64, 256];

/** The index that is searched. */
export type SearchedIndex = LookedUpIndex & {
  /** The look-ups of the current search, or of a new one. */
  lookUps(): IndexLookUps;
  /** Ends a round of the current search, as `StreetPart.settle`. */
  settle(): void;
  /** Cached settlements, which never change in an index. */
  readonly areas: RecentCache<string, StreetArea>;
};

export type LookedUpIndex = {
  readonly connection: Connection;
  /** Maximum time of all rounds, ms, if not that of a request. */
  readonly deadlineMs?: number;
  readonly index: string;
  /** The look-ups of the current search. */
  current: IndexLookUps | undefined;
  /** Called when the index no longer exists; resolves when its replacement is known. */
  onGone(): Promise<void>;
};

export class IndexLookUps implements LookUps {
  readonly #searchedIndex: LookedUpIndex;
  readonly #searches = new Map<string, Hit[] | undefined>();
  readonly #documents = new Map<string, Versioned | undefined>();
  #newSearches: Search[] = [];
  #newDocuments = new Set<string>();
  #rounds = 0;
  /** All rounds of a search share the time of one request, in which the waits for turns between them do not count. */
  readonly #timeMs: number;
  #leftOfTimeMs: number;
  /** The end of a round, of `performance.now()`. */
  #deadline = 0;
  #failure: StreetsUnavailable | undefined;

  constructor(searchedIndex: LookedUpIndex) {
    this.#searchedIndex = searchedIndex;
    this.#timeMs = searchedIndex.deadlineMs ?? searchedIndex.connection.deadlineMs;
    this.#leftOfTimeMs = this.#timeMs;
  }

  #leftMs(): number {
    const leftMs = Math.floor(this.#deadline - performance.now());
    if (leftMs > 0) return leftMs;
    throw new StreetsUnavailable(`no answer within ${this.#timeMs} ms`, 1);
  }

  within<T>(search: () => T): T {
    const before = this.#searchedIndex.current;
    this.#searchedIndex.current = this;
    try {
      return search();
    } finally {
      this.#searchedIndex.current = before;
    }
  }

  /** What a look-up finds, or `none` if it is not fetched yet: `settle` throws then. */
  orNone<T>(lookUp: (lookUps: this) => T, none: T): T {
    try {
      return lookUp(this);
    } catch (error) {
      if (error instanceof Deferred) return none;
      throw error;
    }
  }

  /** Throws `Deferred` if a look-up is not fetched yet. */
  settle(): void {
    if (this.#newSearches.length > 0 || this.#newDocuments.size > 0) throw new Deferred(this);
  }

  /** The documents that a search finds, in one part if that is named. Throws `Deferred` if they are not fetched yet. */
  search<T>(body: SearchBody, part?: string): Found<T>[] {
    const found = this.#found(body, part) as Found<T>[];
    for (const hit of found) if (!this.#documents.has(hit._id)) this.#documents.set(hit._id, hit);
    return found;
  }

  /** What a search asks for, of the documents that it finds. Throws `Deferred` if they are not fetched yet. */
  parts<T>(body: SearchBody): T[] {
    return this.#found(body) as T[];
  }

  #found(body: SearchBody, part?: string): Hit[] {
    const key = JSON.stringify([part, body]);
    const known = this.#searches.get(key);
    if (known !== undefined) return known;
    if (this.#failure) throw this.#failure;
    if (!this.#searches.has(key)) {
      this.#searches.set(key, undefined);
      this.#newSearches.push({ key, clause: JSON.stringify(body.filter), body, part });
    }
    throw new Deferred(this);
  }

  /** A document by its name; undefined where the index has none. Throws `Deferred` if it is not fetched yet. */
  document<T>(name: string): T | undefined {
    return this.versioned(name)?._source as T | undefined;
  }

  /** The same with its version. */
  versioned(name: string): Versioned | undefined {
    if (this.#documents.has(name)) return this.#documents.get(name);
    if (this.#failure) throw this.#failure;
    this.#newDocuments.add(name);
    throw new Deferred(this);
  }

  /** Caches a document that is known from its columns. */
  keep(name: string, document: unknown): void {
    this.#documents.set(name, { _source: document });
  }

  async fetch(): Promise<void> {
    if (++this.#rounds > maxRounds) throw new Error(`a search needed more than ${maxRounds} rounds of look-ups`);
    const [searches, documents] = [this.#newSearches, [...this.#newDocuments]];
    this.#newSearches = [];
    this.#newDocuments = new Set();
    this.#deadline = performance.now() + this.#leftOfTimeMs;
    try {
      await Promise.all([this.#search(searches), this.#fetchDocuments(documents)]);
    } catch (error) {
      const fault = await this.#recover(error);
      // The search throws it where it needs the answer; it may still have other results.
      if (fault instanceof StreetsUnavailable) this.#failure = fault;
      else if (fault) throw fault;
    } finally {
      this.#leftOfTimeMs = this.#deadline - performance.now();
    }
  }

  /** Returns the error to report: none if the index was deleted and the search restarts in its replacement. */
  async #recover(error: unknown): Promise<unknown> {
    if (!(error instanceof Refused && error.status === 404)) return error;
    try {
      await this.#searchedIndex.onGone();
      return undefined;
    } catch (fault) {
      return fault;
    }
  }

  async #search(searches: readonly Search[], size = joinedSize): Promise<void> {
    const groups = joinable(searches, size > maxJoinedSize ? 1 : maxJoined);
    const bodies = groups.map((group) => joined(group, size));
    const found = await this.#send(bodies);
    const cut: Search[] = [];
    for (const [at, group] of groups.entries()) {
      const isCut = found[at].length === bodies[at].size;
      for (const search of group) {
        const { key, body, part } = search;
        const name = nameIn(group, search);
        const isOwn = ({ _id, matched_queries }: Hit) =>
          matched_queries?.includes(name) && (part === undefined || _id?.startsWith(`${part}.`));
        const own = group.length === 1 ? found[at] : found[at].filter(isOwn);
        // What the others found may have taken its place.
        if (isCut && group.length > 1 && own.length < body.size) cut.push(search);
        else this.#searches.set(key, own.slice(0, body.size));
      }
    }
    // Again without those that found much; where none did for more, and then each alone.
    if (cut.length > 0) await this.#search(cut, cut.length < searches.length ? joinedSize : 4 * size);
  }

  /** The documents of each search, in one request. */
  async #send(bodies: readonly object[]): Promise<Hit[][]> {
    if (bodies.length === 0) return [];
    const leftMs = this.#leftMs();
    const { connection, index } = this.#searchedIndex;
    const hits = ['_id', '_source', '_seq_no', '_primary_term', 'fields', 'matched_queries'].map(
      (field) => `responses.hits.hits.${field}`,
    );
    const path = `/${index}/_msearch?filter_path=${hits},responses.status,responses.error,responses.timed_out,responses._shards.failed`;
    // So that the nodes stop working for whom no longer waits.
    const limited = bodies.map((body) => JSON.stringify({ timeout: `${leftMs}ms`, track_total_hits: false, ...body }));
    const lines = (header: object) => limited.map((body) => `${JSON.stringify(header)}\n${body}\n`).join('');
    const withPreference = (preference: string) => ({ lines: lines({ ...searchOptions, preference }) });
    const { responses } = await connection.read<{ responses: SearchAnswer[] }>(
      { method: 'POST', path, lines: lines(searchOptions), preferring: withPreference },
      (answer) => firstFault((answer as { responses: SearchAnswer[] }).responses, bodies.length),
      leftMs,
    );
    return responses.map((answer) => answer.hits?.hits ?? []);
  }

  async #fetchDocuments(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const { connection, index } = this.#searchedIndex;
    const path = `/${index}/_mget`;
    const withPreference = (preference: string) => ({ path: `${path}?preference=${preference}` });
    const { docs } = await connection.read<{ docs: DocumentAnswer[] }>(
      { method: 'POST', path, body: { ids: names }, preferring: withPreference },
      (answer) => firstFault((answer as { docs: DocumentAnswer[] }).docs, names.length),
      this.#leftMs(),
    );
    for (const document of docs) this.#documents.set(document._id, document.found ? document : undefined);
  }
}

/** Searches that differ in what they search for, their parts and sizes alone, at most so many together. */
function joinable(searches: readonly Search[], together: number): Search[][] {
  const alike = Map.groupBy(searches, ({ key, body: { size: _, filter: _filter, ...rest } }) =>
    // Those without an order do not say which of their documents come first.
    rest.sort ? JSON.stringify(rest) : key,
  );
  return [...alike.values()].flatMap((group) => inPieces(group, together));
}

/** Items in pieces of a size, the last one with the rest. */
export const inPieces = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

/** The name of a search's clause in its group: searches of several parts for the same share one. */
const nameIn = (group: readonly Search[], { clause }: Search): string =>
  `${group.findIndex((other) => other.clause === clause)}`;

/** A group as one search, whose documents name the clauses that find them. */
function joined(group: readonly Search[], size: number) {
  const [{ body }] = group;
  const should = [...Map.groupBy(group, (search) => nameIn(group, search))].map(([_name, alike]) => {
    const parts = alike.flatMap(({ part }) => (part === undefined ? [] : [`=${part}`]));
    const filter = [...alike[0].body.filter, ...(parts.length > 0 ? [anyOf(parts)] : [])];
    return { bool: { filter, ...(group.length > 1 && { _name }) } };
  });
  const { filter: _, ...rest } = body;
  const most = Math.max(...group.map((one) => one.body.size));
  return { ...rest, size: group.length === 1 ? most : Math.max(size, most), query: { bool: { should } } };
}

/** The first fault in a combined answer to so many questions, which is then discarded because a part of it is missing. */
function firstFault(answers: readonly SearchAnswer[] | undefined, count: number): Error | undefined {
  if (!Array.isArray(answers) || answers.length !== count)
    return new Refused(503, 'incomplete', 'the answer has no results');
  for (const { error, status, timed_out, _shards, hits } of answers as SearchAnswer[]) {
    if (error) {
      const isGone = error.type === 'index_not_found_exception';
      return new Refused(isGone ? 404 : (status ?? 500), error.type, error.reason ?? 'the look-up failed');
    }
    if (timed_out || (_shards?.failed ?? 0) > 0) return new Refused(503, 'incomplete', 'a shard did not answer');
    if (hits && !hits.hits?.every((hit) => hit instanceof Object))
      return new Refused(503, 'incomplete', 'a hit is no document');
  }
  return undefined;
}
