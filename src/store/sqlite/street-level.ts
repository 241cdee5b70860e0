/** The street-level files of a dataset, each with its file of changes. Data under a share-alike licence is in separate files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LatLng } from '../../core/geo.ts';
import type { Bounds } from '../bounds.ts';
import type { Part } from '../manifest-format.ts';
import type { MapHouses, MapStreet } from '../map-contract.ts';
import {
  boundedPois,
  boundedStreets,
  type Clause,
  type House,
  type PoiPart,
  type Street,
  type StreetArea,
  type StreetPart,
  type Vocabulary,
} from '../street-parts.ts';
import { type ChangedRows, openChangedRows } from './changed-rows.ts';
import type { CommonWords } from './common-words.ts';
import { ChangedPoiFile } from './poi-changes.ts';
import { PoiFile } from './poi-file.ts';
import { StreetFile } from './street-file.ts';
import { changesFileName, fileNumber, licenceGroups, poiFileName, streetFileName } from './street-files.ts';
import { noCommonWords } from './vocabulary.ts';

class ChangedStreetFile implements StreetPart {
  readonly number: number;
  readonly sources: readonly string[];
  readonly vocabulary: Vocabulary;
  readonly #base: StreetFile;
  readonly #changes: StreetFile;
  readonly #rows: ChangedRows;

  constructor(path: string, changesPath: string, number: number, common?: CommonWords) {
    this.number = number;
    this.#base = new StreetFile(path, number, common);
    this.#changes = new StreetFile(changesPath, number, common);
    this.#rows = openChangedRows(changesPath, 'streets', this.#base.vocabulary, this.#changes.vocabulary);
    this.vocabulary = this.#rows.vocabulary;
    this.sources = this.#base.sources;
  }

  mayMatch(clauses: readonly Clause[]): boolean {
    return this.#base.mayMatch(clauses) || this.#changes.mayMatch(clauses);
  }

  matching(clauses: readonly Clause[], limit: number, all = clauses): number[] {
    const changed = this.#changes.matching(clauses, limit, all);
    let kept: number[] = [];
    // Of the first rows some may no longer count.
    for (let requested = limit; ; requested *= 2) {
      const found = this.#base.matching(clauses, requested, all);
      kept = found.filter((id) => !this.#rows.isReplaced(id));
      if (kept.length >= limit || found.length < requested) break;
    }
    return [...kept, ...changed].sort((a, b) => a - b).slice(0, limit);
  }

  street(id: number): Street {
    return this.#of(id).street(id);
  }

  prominence(id: number): number {
    return this.#of(id).prominence(id);
  }

  withObject(object: string): number[] {
    const kept = this.#base.withObject(object).filter((id) => !this.#rows.isReplaced(id));
    return [...kept, ...this.#changes.withObject(object)];
  }

  hasStreet(id: number): boolean {
    return this.#rows.isChanged(id) || (!this.#rows.isReplaced(id) && this.#base.hasStreet(id));
  }

  streetFrom(id: number, from: LatLng): { street: Street; km: number } {
    return this.#of(id).streetFrom(id, from);
  }

  vertices(id: number): LatLng[] {
    return this.#of(id).vertices(id);
  }

  /** Areas of the first file keep their numbers. */
  area(id: number): StreetArea {
    return this.#changes.area(id);
  }

  housesAt(street: number, number: number): House[] {
    return this.#of(street).housesAt(street, number);
  }

  housesAfter(street: number, number: number): House[] {
    return this.#of(street).housesAfter(street, number);
  }

  houses(street: number): House[] {
    return this.#of(street).houses(street);
  }

  *streetsIn(bounds: Bounds, limit: number): Generator<MapStreet> {
    yield* this.#changes.streetsIn(bounds, limit);
    yield* this.#base.streetsIn(bounds, limit, (id) => !this.#rows.isReplaced(id));
  }

  *housesIn(bounds: Bounds): Generator<MapHouses> {
    yield* this.#base.housesIn(bounds, (street) => !this.#rows.isReplaced(street));
    yield* this.#changes.housesIn(bounds);
  }

  housesNear(from: LatLng, radiusKm: number): { street: number; houses: House[] }[] {
    const kept = this.#base.housesNear(from, radiusKm).filter(({ street }) => !this.#rows.isReplaced(street));
    return [...kept, ...this.#changes.housesNear(from, radiusKm)];
  }

  close(): void {
    this.#base.close();
    this.#changes.close();
  }

  #of(id: number): StreetFile {
    return this.#rows.isChanged(id) ? this.#changes : this.#base;
  }
}

/** The properties of a part that are needed to open it. */
export type OpenedPart = Pick<Part, 'name' | 'number' | 'bounds'>;

type Closable = { close(): void };

/** The single part of a dataset without parts. */
const whole: readonly OpenedPart[] = [{ name: '', number: 0 }];

/**
 * Opens every existing file of these parts, in the order of their numbers; a part may lack those of a licence group.
 * Throws with the remedy when one is broken.
 */
export function openStreetFiles(
  directory: string,
  parts = whole,
): { streets: (StreetPart & Closable)[]; pois: (PoiPart & Closable)[]; close(): void } {
  const files = parts.flatMap(({ name, number, bounds }) =>
    licenceGroups.map((group) => ({ name, group, bounds, number: fileNumber(number, group) })),
  );
  files.sort((a, b) => a.number - b.number);
  const open = <T>(
    nameOf: typeof streetFileName,
    openOne: (path: string, number: number, bounds: Part['bounds']) => T,
  ): T[] =>
    files.flatMap(({ name, group, number, bounds }) => {
      const path = join(directory, nameOf(group, name));
      return existsSync(path) ? [openOne(path, number, bounds)] : [];
    });
  const common = noCommonWords();
  const streets = open(streetFileName, (path, number, bounds) => {
    const changes = changesFileName(path);
    const file = existsSync(changes)
      ? new ChangedStreetFile(path, changes, number, common)
      : new StreetFile(path, number, common);
    return bounds ? boundedStreets(file, bounds) : file;
  });
  const pois = open(poiFileName, (path, number, bounds) => {
    const changes = changesFileName(path);
    const file = existsSync(changes) ? new ChangedPoiFile(path, changes, number) : new PoiFile(path, number);
    return bounds ? boundedPois(file, bounds) : file;
  });
  return {
    streets,
    pois,
    close() {
      for (const file of [...streets, ...pois]) file.close();
    },
  };
}
