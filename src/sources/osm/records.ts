/** Second stage of reading OpenStreetMap data: objects to addresses, points of interest, interpolations and streets. */
import { join } from 'node:path';
import { batchSize, emptyBatch, type StreetBatch } from '../../core/street-records.ts';
import { AddressCities } from './address-cities.ts';
import {
  addressRecords,
  type HouseStreet,
  houseStreet,
  type InterpolationHouse,
  interpolationRecords,
  settlementOf,
  taggedCity,
} from './addresses.ts';
import { isStreet, nameKeys, type OsmFeature, otherNames } from './feature.ts';
import { mergeStreets, type StreetPiece, streetPiece } from './merge-streets.ts';
import { poiCategory } from './poi-categories.ts';
import { type Boundary, type Place, Settlements } from './settlements.ts';
import { Spool } from './spool.ts';

const recordsPerBatch = 2000;
/** Two addresses of a street and city within this many degrees tell the same about the street. */
const hintCell = 0.004;
/** Each part is an open file, of which a process may usually have 1,024. */
const maxParts = 256;

export type RecordOptions = {
  boundaries: readonly Boundary[];
  places: readonly Place[];
  /** Country of objects that no tag or boundary says it of. */
  country?: string;
  /** Number of objects, for progress, of named highways and of interpolation ways. */
  count: number;
  highways: number;
  interpolations: number;
  streetOfMember(feature: OsmFeature): string | undefined;
  /** Of a number of pieces of streets, how many fit into memory at once. */
  piecesInMemory: number;
  directory: string;
  progress(share: number): void;
  dropped(reason: string, count: number): void;
};

/** The records of objects, which are gone through several times: addresses and points of interest first, streets last. */
export function* recordsOf(features: Iterable<OsmFeature>, options: RecordOptions): Generator<StreetBatch> {
  const houses = options.interpolations > 0 ? numberedNodes(features, options) : new Map<number, InterpolationHouse>();
  const settlements = new Settlements(options.boundaries, options.places, citiesOf(features), options.country);
  const parts = new StreetParts(options, settlements);
  let batch = emptyBatch();
  let done = 0;
  try {
    for (const feature of features) {
      addObject(feature, batch, { parts, houses, settlements, options });
      if (batchSize(batch) >= recordsPerBatch) {
        yield batch;
        batch = emptyBatch();
      }
      if (++done % 5000 === 0) options.progress((0.8 * done) / options.count);
    }
    for (const street of parts.streets()) {
      batch.streets.push(street);
      if (batchSize(batch) >= recordsPerBatch) {
        yield batch;
        batch = emptyBatch();
      }
    }
    if (batchSize(batch) > 0) yield batch;
    options.progress(1);
  } finally {
    parts.close();
  }
}

type Context = {
  parts: StreetParts;
  houses: ReadonlyMap<number, InterpolationHouse>;
  settlements: Settlements;
  options: RecordOptions;
};

function addObject(feature: OsmFeature, batch: StreetBatch, context: Context): void {
  const { parts, houses, settlements, options } = context;
  const { tags, lat, lng } = feature;
  const settlement = settlementOf(tags, settlements.find(feature));
  const street = houseStreet(tags, options.streetOfMember(feature));
  if (tags['addr:housenumber'] !== undefined) {
    if (!street) options.dropped('house number without street or place', 1);
    else {
      const records = addressRecords(feature, street, settlement);
      if (records.length === 0) options.dropped('house number without a number', 1);
      batch.addresses.push(...records);
      const city = taggedCity(tags);
      if (city !== undefined && !street.isPlace) parts.hint(street, city, lat, lng);
    }
  }
  if (tags['addr:interpolation'] !== undefined && feature.nodeIds) {
    const records = interpolationRecords(feature, (id) => houses.get(id), street?.street, settlement);
    if (typeof records === 'string') options.dropped(records, 1);
    else batch.interpolations.push(...records);
  }
  const category = poiCategory(tags);
  const name = tags.name ?? tags.brand;
  if (category !== undefined && name !== undefined) {
    const others = otherNames(tags, name, nameKeys);
    batch.pois.push({
      name,
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
  if (feature.lines && isStreet(tags)) parts.add(streetPiece(feature));
}

/** What the addresses say of the cities around. */
function citiesOf(features: Iterable<OsmFeature>): AddressCities {
  const cities = new AddressCities();
  for (const feature of features) {
    const city = taggedCity(feature.tags);
    if (city !== undefined && feature.tags['addr:housenumber'] !== undefined) cities.add(city, feature);
  }
  return cities;
}

/** The houses on interpolation ways, by node id. */
function numberedNodes(features: Iterable<OsmFeature>, options: RecordOptions): Map<number, InterpolationHouse> {
  const needed = new Set<number>();
  for (const { nodeIds } of features) for (const id of nodeIds ?? []) needed.add(id);
  const houses = new Map<number, InterpolationHouse>();
  for (const feature of features) {
    const houseNumber = feature.tags['addr:housenumber'];
    if (feature.type !== 'n' || houseNumber === undefined || !needed.has(feature.id)) continue;
    houses.set(feature.id, {
      houseNumber,
      street: houseStreet(feature.tags, options.streetOfMember(feature))?.street,
      postalCode: feature.tags['addr:postcode'],
    });
  }
  return houses;
}

/** Pieces of streets in as many parts as are needed for one to fit into memory; a name is always in one part. */
class StreetParts {
  readonly #parts: Spool<StreetPiece>[];
  readonly #hints = new Set<string>();
  readonly #settlements: Settlements;

  constructor({ directory, highways, piecesInMemory }: RecordOptions, settlements: Settlements) {
    const count = Math.min(maxParts, Math.max(1, Math.ceil((2 * highways) / piecesInMemory)));
    this.#settlements = settlements;
    this.#parts = Array.from(
      { length: count },
      (_, number) => new Spool(join(directory, `streets-${number}`), piecesInMemory / count),
    );
  }

  add(piece: StreetPiece): void {
    let hash = 0;
    for (let at = 0; at < piece.name.length; at++) hash = (Math.imul(hash, 31) + piece.name.charCodeAt(at)) >>> 0;
    this.#parts[hash % this.#parts.length].add(piece);
  }

  /** Says that an address of a street lies in a city; what was said lately is not said again. */
  hint({ street }: HouseStreet, city: string, lat: number, lng: number): void {
    const key = `${street}\n${city}\n${Math.round(lat / hintCell)} ${Math.round(lng / hintCell)}`;
    if (this.#hints.has(key)) return;
    if (this.#hints.size >= 50_000) this.#hints.clear();
    this.#hints.add(key);
    this.add({ name: street, city, lat, lng });
  }

  *streets() {
    for (const part of this.#parts) yield* mergeStreets(part, this.#settlements);
  }

  close(): void {
    for (const part of this.#parts) part.close();
  }
}
