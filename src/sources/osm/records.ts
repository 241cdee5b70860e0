/** Second stage of reading OpenStreetMap data: objects to addresses, points of interest, interpolations and streets. */
import { join } from 'node:path';
import type { LatLng } from '../../core/geo.ts';
import { batchSize, emptyBatch, type StreetBatch, type StreetRecord } from '../../core/street-records.ts';
import { IdTable } from '../tables/id-table.ts';
import { RowFile } from '../tables/row-file.ts';
import { plainRows } from '../tables/rows.ts';
import { SortedSpool } from '../tables/sorted-spool.ts';
import {
  addressRecords,
  type HouseStreet,
  houseStreet,
  type InterpolationHouse,
  interpolationRecords,
  settlementOf,
  taggedCity,
  taggedHouses,
} from './addresses.ts';
import { isStreet, nameKeys, type OsmFeature, otherNames } from './feature.ts';
import { hasAddress } from './house-numbers.ts';
import { mergeStreets, pieceRows, type StreetPiece, streetPiece } from './merge-streets.ts';
import { poiCategory, poiName } from './poi-categories.ts';
import type { Scan } from './scan.ts';

const recordsPerBatch = 2000;
/** Two addresses of a street and city within this many degrees tell the same about the street. */
const hintCell = 0.004;
/** What each table may have of the memory. */
const memoryShares = { pieces: 0.3, houses: 0.05, housePositions: 0.05 };

export type RecordOptions = {
  directory: string;
  memoryMb: number;
  progress(share: number): void;
  dropped(reason: string, count: number): void;
};

/** The records of objects: addresses, interpolations and points of interest by tiles, then the streets. */
export function* recordsOf(scan: Scan, options: RecordOptions): Generator<StreetBatch> {
  const context: Context = {
    scan,
    options,
    streets: new Streets(options),
    houses: new NumberedNodes(scan, options),
  };
  let batch = emptyBatch();
  let done = 0;
  try {
    for (const feature of scan.features) {
      addObject(feature, batch, context);
      if (batchSize(batch) >= recordsPerBatch) {
        yield batch;
        batch = emptyBatch();
      }
      if (++done % 5000 === 0) options.progress((0.8 * done) / scan.features.size);
    }
    for (const street of context.streets.merged((name) => scan.surroundings.isCity(name))) {
      batch.streets.push(street);
      if (batchSize(batch) >= recordsPerBatch) {
        yield batch;
        batch = emptyBatch();
      }
    }
    if (batchSize(batch) > 0) yield batch;
    options.progress(1);
  } finally {
    context.streets.close();
    context.houses.close();
  }
}

type Context = { scan: Scan; options: RecordOptions; streets: Streets; houses: NumberedNodes };

function addObject(feature: OsmFeature, batch: StreetBatch, context: Context): void {
  const { scan, streets, houses, options } = context;
  const { tags, lat, lng } = feature;
  // A house that names its city needs no other house to tell it.
  const streetName = taggedCity(tags) === undefined ? tags['addr:street'] : undefined;
  const around = scan.surroundings.at(feature, streetName);
  const settlement = settlementOf(tags, around);
  const fromRelation = scan.streetOfMember(feature);
  if (hasAddress(tags)) {
    const houses = taggedHouses(tags, fromRelation);
    if (typeof houses === 'string') options.dropped(houses, 1);
    else {
      if (houses.street.isPlace) addQuarterNames(houses.street, feature, scan);
      batch.addresses.push(...addressRecords(feature, houses, settlement));
      const city = taggedCity(tags);
      if (city !== undefined && !houses.street.isPlace) streets.hint(houses.street, city, lat, lng);
    }
  }
  if (tags['addr:interpolation'] !== undefined && feature.nodeIds) {
    const records = interpolationRecords(
      feature,
      (id) => houses.get(id),
      houseStreet(tags, fromRelation)?.street,
      settlement,
    );
    if (typeof records === 'string') options.dropped(records, 1);
    else batch.interpolations.push(...records);
  }
  const category = poiCategory(tags);
  if (category !== undefined) {
    const name = poiName(tags);
    const others = name === undefined ? undefined : otherNames(tags, name, nameKeys);
    batch.pois.push({
      ...(name !== undefined && { name }),
      ...(others && { otherNames: others }),
      category,
      ...(tags.cuisine !== undefined && { cuisine: tags.cuisine }),
      ...(tags.brand !== undefined && { brand: tags.brand }),
      ...settlement,
      lat,
      lng,
      sourceId: `${feature.type}${feature.id}`,
    });
  }
  if (feature.lines && isStreet(tags)) streets.add(streetPiece(feature, around));
}

/** Adds the names that a place node gives the quarter of an address: few addresses have them in two scripts. */
function addQuarterNames(quarter: HouseStreet, at: LatLng, { surroundings }: Scan): void {
  const names = surroundings.quarterNames(quarter.street, at);
  if (names) quarter.otherStreetNames = [...new Set([...(quarter.otherStreetNames ?? []), ...names])];
}

/** The houses on interpolation ways, by node id. */
class NumberedNodes {
  readonly #houses: RowFile<InterpolationHouse>;
  readonly #positions: IdTable;

  constructor({ features, interpolationNodes, streetOfMember }: Scan, { directory, memoryMb }: RecordOptions) {
    const bytes = memoryMb * 1e6;
    this.#houses = new RowFile(join(directory, 'houses'), bytes * memoryShares.houses, plainRows());
    this.#positions = new IdTable(join(directory, 'house-positions'), bytes * memoryShares.housePositions);
    if (interpolationNodes.size === 0) return;
    for (const feature of features) {
      const { type, id, tags } = feature;
      const houseNumber = tags['addr:housenumber'];
      if (type !== 'n' || houseNumber === undefined || !interpolationNodes.find(id)) continue;
      const street = houseStreet(tags, streetOfMember(feature))?.street;
      const house: InterpolationHouse = { houseNumber, street, postalCode: tags['addr:postcode'] };
      this.#positions.addPosition(id, this.#houses.add(house));
    }
    this.#positions.finish();
  }

  get(nodeId: number): InterpolationHouse | undefined {
    const position = this.#positions.position(nodeId);
    return position === undefined ? undefined : this.#houses.get(position);
  }

  close(): void {
    this.#houses.close();
    this.#positions.close();
  }
}

/** Pieces of streets and what addresses say of them, all of one name together. */
class Streets {
  readonly #pieces: SortedSpool<StreetPiece>;
  readonly #hints = new Set<string>();

  constructor({ directory, memoryMb }: RecordOptions) {
    this.#pieces = new SortedSpool(join(directory, 'streets'), memoryMb * 1e6 * memoryShares.pieces, pieceRows);
  }

  add(piece: StreetPiece): void {
    let hash = 0;
    for (let at = 0; at < piece.name.length; at++) hash = (Math.imul(hash, 31) + piece.name.charCodeAt(at)) >>> 0;
    this.#pieces.add(hash, piece);
  }

  /** Says that an address of a street lies in a city; what was said lately is not said again. */
  hint({ street }: HouseStreet, city: string, lat: number, lng: number): void {
    const key = `${street}\n${city}\n${Math.round(lat / hintCell)} ${Math.round(lng / hintCell)}`;
    if (this.#hints.has(key)) return;
    if (this.#hints.size >= 50_000) this.#hints.clear();
    this.#hints.add(key);
    this.add({ name: street, city, lat, lng });
  }

  *merged(isCity: (name: string) => boolean): Generator<StreetRecord> {
    let last = -1;
    let pieces: StreetPiece[] = [];
    for (const { key, item } of this.#pieces.entries()) {
      if (key !== last) {
        yield* mergeStreets(pieces, isCity);
        pieces = [];
        last = key;
      }
      pieces.push(item);
    }
    yield* mergeStreets(pieces, isCity);
  }

  close(): void {
    this.#pieces.close();
  }
}
