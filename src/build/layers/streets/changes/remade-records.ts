/** The records of objects after changes: of changed objects, and of others whose context changed. */
import { emptyBatch, type Settlement, type StreetBatch, type StreetRecord } from '../../../../core/street-records.ts';
import { taggedCity } from '../../../../sources/osm/addresses.ts';
import { isStreet, type OsmFeature } from '../../../../sources/osm/feature.ts';
import { hasAddress } from '../../../../sources/osm/house-numbers.ts';
import { objectKey } from '../../../../sources/osm/keeper.ts';
import { cityByHints, type Highway, streetPiece, streetsInCity } from '../../../../sources/osm/merge-streets.ts';
import {
  addObject,
  nameHash,
  numberedNode,
  type RecordContext,
  streetToLocate,
} from '../../../../sources/osm/records.ts';
import { cellAt, cellKey, tileAt } from '../../../../sources/osm/tiles.ts';
import type { ExtractBase } from '../../../../store/sqlite/extract-base.ts';
import type { LocatedObject } from '../../../../store/sqlite/extract-base-schema.ts';
import { ChangedContext, inOrder } from './changed-context.ts';
import type { ChangedExtract } from './changed-extract.ts';
import { type DirtyCells, dirtyCells } from './dirty-cells.ts';

/** A street name in a city, whose pieces are grouped together. */
type NameInCity = { name: string; city: string | undefined };
type OrderedStreet = { record: StreetRecord; order: readonly number[] };

const textOf = ({ name, city }: NameInCity) => `${name}\n${city ?? ''}\n${city === undefined}`;

export class RemadeRecords {
  /** Records of the objects whose records changed; those without any were deleted. */
  readonly batches = new Map<number, StreetBatch>();
  readonly #base: ExtractBase;
  readonly #extract: ChangedExtract;
  readonly #changedContext: ChangedContext;
  readonly #dirty: DirtyCells;
  /** Pieces that changed, or whose settlement did; undefined for deleted ones. */
  readonly #pieces = new Map<number, { piece: Highway; city: string | undefined } | undefined>();
  readonly #names = new Map<string, NameInCity>();
  readonly #newPieces = new Map<string, number[]>();
  readonly #streets = new Map<string, OrderedStreet[]>();

  constructor(base: ExtractBase, extract: ChangedExtract) {
    this.#base = base;
    this.#extract = extract;
    this.#changedContext = new ChangedContext(base, extract);
    this.#dirty = dirtyCells(base, extract, this.#changedContext);
    for (const feature of this.#affected()) this.#remake(feature);
    for (const [key, { after }] of extract.features) {
      if (after) continue;
      this.batches.set(key, emptyBatch());
      this.#setPiece(key, undefined);
    }
  }

  /** Street names in cities of which some pieces changed. */
  get names(): Iterable<NameInCity> {
    return this.#names.values();
  }

  isRemade(name: NameInCity): boolean {
    return this.#names.has(textOf(name));
  }

  /** The records of an object as they are now. */
  batchOf(key: number): StreetBatch {
    let batch = this.batches.get(key);
    const kept = batch ? undefined : this.#base.feature(key);
    if (kept) {
      batch = emptyBatch();
      const feature = this.#extract.whole(kept);
      if (feature)
        addObject(
          feature,
          batch,
          this.#context(() => kept.around as Settlement),
        );
    }
    return batch ?? emptyBatch();
  }

  /** The current streets of a name in a city, with their sort keys. */
  streetsOf(name: NameInCity): OrderedStreet[] {
    const text = textOf(name);
    let streets = this.#streets.get(text);
    if (!streets) {
      const keys = this.#base.pieces(name.name, name.city).filter((key) => !this.#pieces.has(key));
      const pieces = [...keys, ...(this.#newPieces.get(text) ?? [])].flatMap((key) => {
        const piece = this.#pieces.get(key)?.piece ?? this.#keptPiece(key);
        return piece ? [{ key, piece, lat: piece.lat, lng: piece.lng }] : [];
      });
      const ordered = inOrder(pieces);
      const places = new Map(ordered.map(({ key, piece }) => [piece.id, [nameHash(name.name), tileAt(piece), key]]));
      streets = streetsInCity(
        ordered.map(({ piece }) => piece),
        name.city,
      ).map((record) => ({ record, order: places.get(record.sourceId!)! }));
      this.#streets.set(text, streets);
    }
    return streets;
  }

  #keptPiece(key: number): Highway | undefined {
    const kept = this.#base.feature(key)!;
    const feature = this.#extract.whole(kept);
    return feature && streetPiece(feature, kept.around as Settlement);
  }

  /** Objects whose records have to be rebuilt, in order. */
  #affected(): (OsmFeature & { key: number })[] {
    const found = new Map<number, OsmFeature>();
    for (const [key, { after }] of this.#extract.features) if (after) found.set(key, after);
    const add = (kept: LocatedObject | undefined) => {
      if (!kept || found.has(kept.key) || this.#extract.features.has(kept.key)) return;
      const feature = this.#extract.isLine(kept) ? this.#extract.withoutLines(kept) : this.#extract.whole(kept);
      if (feature) found.set(kept.key, feature);
    };
    for (const key of this.#extract.touched) add(this.#base.feature(key));
    const { cities, streets, areas } = this.#dirty;
    for (const cell of areas.values())
      for (const object of this.#changedContext.objectsIn(cell)) if (isLocated(object)) add(object);
    for (const cell of cities.values())
      for (const object of this.#changedContext.objectsIn(cell)) if (needsOthers(object)) add(object);
    for (const { cell, names } of streets.values())
      for (const object of this.#changedContext.objectsIn(cell))
        if (needsOthers(object) && isOnStreet(object, names)) add(object);
    return inOrder([...found].map(([key, feature]) => ({ ...feature, key })));
  }

  #remake(feature: OsmFeature & { key: number }): void {
    const { key } = feature;
    const batch = emptyBatch();
    let piece: Highway | undefined;
    let around: Settlement | undefined;
    addObject(feature, batch, {
      ...this.#context(
        (_, street) => (around = this.#aroundBefore(feature) ?? this.#changedContext.at(feature, street)),
      ),
      piece: (made) => (piece = made),
    });
    const isSame = !this.#extract.features.has(key) && this.#isAsKept(key, around!);
    // Houses that are numbered without streets have the names of their quarter, of which `around` says nothing.
    const mayHaveOtherNames = () =>
      this.#dirty.areas.has(cellKey(cellAt(feature))) && batch.addresses.some(({ isPlace }) => isPlace);
    if (!isSame || this.#extract.touched.has(key) || mayHaveOtherNames()) this.batches.set(key, batch);
    const before = this.#pieceBefore(key);
    if (!piece) {
      this.#setPiece(key, undefined);
      return;
    }
    const hints = this.#changedContext.hints(piece.name, piece);
    const city = cityByHints(piece.name, hints, (name) => this.#changedContext.isCity(name))(piece);
    if (isSame && before?.city === city) return;
    const whole = this.#extract.feature(key)!;
    this.#setPiece(key, { piece: streetPiece(whole, around!), city });
  }

  /** The settlement of a changed object, if it is where it was and nothing around it says otherwise. */
  #aroundBefore(feature: OsmFeature & { key: number }): Settlement | undefined {
    const before = this.#extract.features.get(feature.key)?.before;
    if (!before || before.lat !== feature.lat || before.lng !== feature.lng) return undefined;
    if (streetToLocate(before.tags) !== streetToLocate(feature.tags)) return undefined;
    const cell = cellKey(cellAt(feature));
    const { cities, streets, areas } = this.#dirty;
    const isDirty = areas.has(cell) || cities.has(cell) || isOnStreet(feature, streets.get(cell)?.names ?? nothing);
    return isDirty ? undefined : (before.around as Settlement);
  }

  #isAsKept(key: number, around: Settlement): boolean {
    const kept = this.#base.feature(key)!.around as Settlement;
    return kept.city === around.city && kept.admin1 === around.admin1 && kept.country === around.country;
  }

  /** Nodes are no streets. */
  #pieceBefore(key: number): NameInCity | undefined {
    return key < objectKey('w', 0) ? undefined : this.#base.piece(key);
  }

  #setPiece(key: number, made: { piece: Highway; city: string | undefined } | undefined): void {
    const before = this.#pieceBefore(key);
    if (!before && !made) return;
    this.#pieces.set(key, made);
    if (before) this.#names.set(textOf(before), before);
    if (!made) return;
    const name = { name: made.piece.name, city: made.city };
    const text = textOf(name);
    this.#names.set(text, name);
    const keys = this.#newPieces.get(text);
    if (keys) keys.push(key);
    else this.#newPieces.set(text, [key]);
  }

  #context(around: RecordContext['around']): RecordContext {
    return {
      around,
      quarterNames: (name, at) => this.#changedContext.quarterNames(name, at),
      streetOfMember: ({ type, id }) => this.#extract.streetOfMember(objectKey(type, id)),
      house: (node) => {
        const feature = this.#extract.feature(objectKey('n', node));
        return feature && numberedNode(feature.tags, this.#extract.streetOfMember(objectKey('n', node)));
      },
      hint() {},
      piece() {},
      dropped() {},
    };
  }
}

const nothing: ReadonlySet<string> = new Set();

type Tagged = Pick<OsmFeature, 'tags'>;

/** Whether records of an object have a settlement. */
const isLocated = ({ tags }: Tagged) => hasAddress(tags) || tags['addr:interpolation'] !== undefined || isStreet(tags);

/** Whether their settlement depends on other objects. */
const needsOthers = ({ tags }: Tagged) => isStreet(tags) || (isLocated({ tags }) && taggedCity(tags) === undefined);

/** Whether an object is a street with one of these names, or has an address on one. */
const isOnStreet = ({ tags }: Tagged, names: ReadonlySet<string>) =>
  (tags['addr:street'] !== undefined && names.has(tags['addr:street'])) || (isStreet(tags) && names.has(tags.name));
