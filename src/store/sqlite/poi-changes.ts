/** Changes of a file of points of interest, in a separate file. */
import type { LatLng } from '../../core/geo.ts';
import type { PoiCategory } from '../../core/poi-category.ts';
import type { Bounds } from '../bounds.ts';
import type { MapPoi } from '../map-contract.ts';
import type { Clause, PoiPart, Vocabulary } from '../street-parts.ts';
import { type ChangedRows, openChangedRows } from './changed-rows.ts';
import { PoiFile } from './poi-file.ts';

/** A file of points merged with its file of changes. */
export class ChangedPoiFile implements PoiPart {
  readonly number: number;
  readonly vocabulary: Vocabulary;
  readonly #base: PoiFile;
  readonly #changes: PoiFile;
  readonly #rows: ChangedRows;

  constructor(path: string, changesPath: string, number: number) {
    this.number = number;
    this.#base = new PoiFile(path, number);
    this.#changes = new PoiFile(changesPath, number);
    this.#rows = openChangedRows(changesPath, 'pois', this.#base.vocabulary, this.#changes.vocabulary);
    this.vocabulary = this.#rows.vocabulary;
  }

  matching(clauses: readonly Clause[]) {
    return this.#together(this.#base.matching(clauses), this.#changes.matching(clauses));
  }

  named(clauses: readonly Clause[], limit: number) {
    return this.#together(this.#base.named(clauses, limit), this.#changes.named(clauses, limit));
  }

  ofCategory(category: PoiCategory, center: LatLng, radiusKm: number) {
    const [kept, changed] = [this.#base, this.#changes].map((file) => file.ofCategory(category, center, radiusKm));
    return this.#together(kept, changed);
  }

  *poisIn(bounds: Bounds, limit: number): Generator<MapPoi> {
    yield* this.#base.poisIn(bounds, limit, (id) => !this.#rows.isReplaced(id));
    yield* this.#changes.poisIn(bounds, limit);
  }

  withObject(object: string): number[] {
    const kept = this.#base.withObject(object).filter((id) => !this.#rows.isReplaced(id));
    return [...kept, ...this.#changes.withObject(object)];
  }

  facts(id: number) {
    return this.#of(id).facts(id);
  }

  poi(id: number) {
    return this.#rows.isChanged(id) || !this.#rows.isReplaced(id) ? this.#of(id).poi(id) : undefined;
  }

  #of(id: number): PoiFile {
    return this.#rows.isChanged(id) ? this.#changes : this.#base;
  }

  close(): void {
    this.#base.close();
    this.#changes.close();
  }

  #together<P extends { id: number }>(kept: P[], changed: P[]): P[] {
    return [...kept.filter(({ id }) => !this.#rows.isReplaced(id)), ...changed];
  }
}
