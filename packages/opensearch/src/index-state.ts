/** A snapshot of an index: its name, its metadata, and its parts. */
import {
  boundedPois,
  boundedStreets,
  type PoiPart,
  type StreetArea,
  type StreetPart,
} from '../../../src/store/street-parts.ts';
import type { Connection } from './connection.ts';
import type { IndexFacts } from './documents.ts';
import { IndexLookUps, type SearchedIndex } from './look-ups.ts';
import { PoiDocuments } from './poi-part.ts';
import { StreetDocuments } from './street-part.ts';

const areasInMemory = 50_000;

export class IndexState implements SearchedIndex {
  readonly connection: Connection;
  readonly index: string;
  readonly facts: IndexFacts;
  readonly streets: readonly StreetPart[];
  readonly pois: readonly PoiPart[];
  readonly areas: AreaCache;
  readonly #lost: (state: IndexState) => Promise<void>;
  current: IndexLookUps | undefined;

  /** `lost` is called when the index no longer exists; `before` is the previous state. */
  constructor(
    connection: Connection,
    { index, facts }: { index: string; facts: IndexFacts },
    { lost, before }: { lost: (state: IndexState) => Promise<void>; before: IndexState | undefined },
  ) {
    this.connection = connection;
    this.index = index;
    this.facts = facts;
    this.#lost = lost;
    this.areas = before?.index === index ? before.areas : new AreaCache();
    this.streets = facts.parts
      .filter(({ streets }) => streets !== undefined)
      .map((part) => bounded(new StreetDocuments(this, part), part.bounds, boundedStreets));
    this.pois = facts.parts
      .filter(({ pois }) => pois !== undefined)
      .map((part) => bounded(new PoiDocuments(this, part), part.bounds, boundedPois));
  }

  onGone(): Promise<void> {
    return this.#lost(this);
  }

  /** The look-ups of the current search, or of a new one. */
  lookUps(): IndexLookUps {
    return this.current ?? new IndexLookUps(this);
  }
}

function bounded<P, B>(part: P, bounds: B | undefined, within: (part: P, bounds: B) => P): P {
  return bounds === undefined ? part : within(part, bounds);
}

/** Cached settlements, which never change in an index. */
class AreaCache extends Map<string, StreetArea> {
  override set(name: string, area: StreetArea): this {
    if (this.size >= areasInMemory) this.clear();
    return super.set(name, area);
  }
}
