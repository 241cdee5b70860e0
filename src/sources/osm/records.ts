/** Second stage of reading OpenStreetMap data: objects to addresses, points of interest, interpolations and streets. */
import type { LatLng } from '../../core/geo.ts';
import { batchSize, type Drop, emptyBatch, type StreetBatch, type StreetRecord } from '../../core/source-records.ts';
import type { Spool } from '../../store/sqlite/spool.ts';
import type { Tables } from '../tables.ts';
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
import {
  hasAddress,
  isSettlement,
  isStreet,
  nameKeys,
  type OsmFeature,
  otherNames,
  poiKind,
  poiName,
} from './feature.ts';
import { type Hint, hintKey, mergeStreets, type StreetPiece, streetPiece } from './merge-streets.ts';
import type { Scan } from './scan.ts';
import { StreetCorrections } from './street-corrections.ts';

const recordsPerBatch = 2000;

type RecordOptions = {
  tables: Tables;
  progress(share: number): void;
  dropped: Drop;
};

/** The records of objects: addresses, interpolations and points of interest by tiles, then the streets. */
export function* recordsOf(scan: Scan, options: RecordOptions): Generator<StreetBatch> {
  const streets = streetPieces(options);
  const houses = numberedNodes(scan, options);
  const corrections = new StreetCorrections();
  const context: RecordContext = { ...scan, streets, houses, corrections, dropped: options.dropped };
  let batch = emptyBatch();
  function* full(records = recordsPerBatch) {
    if (batchSize(batch) < records) return;
    yield batch;
    batch = emptyBatch();
  }
  let done = 0;
  for (const feature of scan.features) {
    addObject(feature, batch, context);
    yield* full();
    if (++done % 5000 === 0) options.progress((0.8 * done) / scan.features.size);
  }
  for (const street of streets.merged(scan.adminContext.isCity)) {
    corrections.compare(street);
    batch.streets.push(street);
    yield* full();
  }
  for (const address of corrections.addresses()) {
    batch.addresses.push(address);
    yield* full();
  }
  yield* full(1);
  options.progress(1);
}

/** What an object's records are made with, and where its street goes. */
type RecordContext = Pick<Scan, 'adminContext' | 'streetOfMember'> &
  Pick<RecordOptions, 'dropped'> & {
    streets: ReturnType<typeof streetPieces>;
    houses: Spool<InterpolationHouse>;
    corrections: StreetCorrections;
  };

/** Adds the records of an object to a batch. */
function addObject(feature: OsmFeature, batch: StreetBatch, context: RecordContext): void {
  const { tags, lat, lng } = feature;
  // A house with a city needs no evidence of others of its street.
  const around = context.adminContext.at(feature, taggedCity(tags) === undefined ? tags['addr:street'] : undefined);
  const settlement = settlementOf(tags, around);
  const fromRelation = context.streetOfMember(feature);
  if (hasAddress(tags)) {
    const houses = taggedHouses(tags, fromRelation);
    if (typeof houses === 'string') context.dropped(houses);
    else {
      if (houses.street.isPlace) addQuarterNames(houses.street, feature, context);
      const records = addressRecords(feature, houses, settlement);
      const isKnown = houses.street.isPlace || context.adminContext.isRoad(houses.street.street);
      if (isKnown || !context.corrections.add(records)) batch.addresses.push(...records);
      const city = taggedCity(tags);
      if (city !== undefined && !houses.street.isPlace) context.streets.hint(houses.street.street, { city, lat, lng });
    }
  }
  if (tags['addr:interpolation'] !== undefined && feature.nodeIds) {
    const records = interpolationRecords(
      feature,
      (id) => context.houses.at(id),
      houseStreet(tags, fromRelation)?.street,
      settlement,
    );
    if (typeof records === 'string') context.dropped(records);
    else batch.interpolations.push(...records);
  }
  const kind = poiKind(tags);
  if (kind) {
    const name = poiName(tags);
    const others = name === undefined ? undefined : otherNames(tags, name, nameKeys);
    batch.pois.push({
      ...(name !== undefined && { name }),
      ...(others && { otherNames: others }),
      ...kind,
      ...(tags.cuisine !== undefined && { cuisine: tags.cuisine }),
      ...(tags.brand !== undefined && { brand: tags.brand }),
      ...settlement,
      lat,
      lng,
      sourceId: `${feature.type}${feature.id}`,
    });
  }
  if (feature.lines && isStreet(tags)) context.streets.add(streetPiece(feature, around));
  // A village is found by its name like a street, but has no line, so that no house or point lies on it.
  if (feature.type === 'n' && isSettlement(tags)) {
    const ids = { sourceId: `n${feature.id}`, pieceIds: [`n${feature.id}`] };
    const names = otherNames(tags, tags.name, nameKeys);
    const record = { name: tags.name, ...(names && { otherNames: names }), highwayType: tags.place, lines: [] };
    batch.streets.push({ ...record, ...settlement, lat, lng, ...ids });
  }
}

/** Adds the names of an address's quarter from its place node: few addresses have them in two scripts. */
function addQuarterNames(quarter: HouseStreet, at: LatLng, { adminContext }: RecordContext): void {
  const names = adminContext.quarterNames(quarter.street, at);
  if (names) quarter.otherStreetNames = [...new Set([...(quarter.otherStreetNames ?? []), ...names])];
}

/** The houses on interpolation ways, by node id. */
function numberedNodes({ features, interpolationNodes, streetOfMember }: Scan, { tables }: RecordOptions) {
  const houses = tables.spool<InterpolationHouse>();
  for (const feature of interpolationNodes ? features : []) {
    if (feature.type !== 'n' || !interpolationNodes!.mayHave(feature.id)) continue;
    const house = numberedNode(feature.tags, streetOfMember(feature));
    if (house) houses.add(0, house, feature.id);
  }
  return houses;
}

/** The house on an interpolation way that a node is; `undefined` when it has no number. */
function numberedNode(tags: Record<string, string>, fromRelation?: string): InterpolationHouse | undefined {
  const houseNumber = tags['addr:housenumber'];
  if (houseNumber === undefined) return undefined;
  return { houseNumber, street: houseStreet(tags, fromRelation)?.street, postalCode: tags['addr:postcode'] };
}

/** Streets come in the order of this. */
function nameHash(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) >>> 0;
  return hash;
}

/** Pieces of streets and what addresses say of them, all of one name together. */
function streetPieces({ tables }: RecordOptions) {
  const pieces = tables.spool<StreetPiece>();
  const hints = new Set<string>();
  const add = (piece: StreetPiece) => pieces.add(nameHash(piece.name), piece);
  return {
    add,

    /** Records that an address of a street is in a city; recent duplicates are skipped. */
    hint(street: string, hint: Hint): void {
      const key = hintKey(street, hint);
      if (hints.has(key)) return;
      if (hints.size >= 50_000) hints.clear();
      hints.add(key);
      add({ name: street, ...hint });
    },

    *merged(isCity: (name: string) => boolean): Generator<StreetRecord> {
      let last = -1;
      let ofName: StreetPiece[] = [];
      for (const [key, item] of pieces.entries()) {
        if (key !== last) {
          yield* mergeStreets(ofName, isCity);
          ofName = [];
          last = key;
        }
        ofName.push(item);
      }
      yield* mergeStreets(ofName, isCity);
    },
  };
}
