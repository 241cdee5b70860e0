/**
 * Applies the changes of an extract to its part of street-level data: changed rows go to files next to those that the
 * extract was imported to, which are not modified. The result is that of an import of the newer extract. Streets with changed
 * records are regrouped.
 */
import { join } from 'node:path';
import type { LatLng } from '../../../../core/geo.ts';
import { emptyBatch, type PoiRecord, type Settlement, type StreetBatch } from '../../../../core/street-records.ts';
import { ChangeSet } from '../../../../sources/osm/change-file.ts';
import { keyOfSourceId, objectOfKey } from '../../../../sources/osm/keeper.ts';
import { addObject, nameHash } from '../../../../sources/osm/records.ts';
import { tileAt } from '../../../../sources/osm/tiles.ts';
import { extended } from '../../../../store/bounds.ts';
import { openBoundaries } from '../../../../store/packed/boundaries.ts';
import { openWorld } from '../../../../store/packed/world.ts';
import { AreaTable } from '../../../../store/sqlite/area-table.ts';
import { ExtractBase } from '../../../../store/sqlite/extract-base.ts';
import {
  extractBaseName,
  type KeptObject,
  type KeptStreet,
  streetHash,
} from '../../../../store/sqlite/extract-base-schema.ts';
import { PoiWriter } from '../../../../store/sqlite/poi-writer.ts';
import { changesSchema, writeStreetChanges } from '../../../../store/sqlite/street-changes.ts';
import { cleanField, fieldsOf, positionOf, recordsIn } from '../../../../store/sqlite/street-fields.ts';
import { StreetFile } from '../../../../store/sqlite/street-file.ts';
import { changesFileName, poiFileName, streetFileName } from '../../../../store/sqlite/street-files.ts';
import { groupStreets, type StreetRow } from '../../../../store/sqlite/street-groups.ts';
import { isCorrectable } from '../../../../store/sqlite/vocabulary.ts';
import { nameWords, streetKey } from '../../../../text/words.ts';
import type { BuilderReport, ExtractChanges, LayerJob, LayerReport } from '../../../layer.ts';
import { type Gazetteer, Settlements } from '../settlements.ts';
import { ChangedExtract } from './changed-extract.ts';
import { RemadeRecords } from './remade-records.ts';

/** Data of OpenStreetMap are under the ODbL. */
const group = 'odbl';

/** Writes the changes of a part into the job's directory, where the files of its extract are already. */
export async function applyChanges(
  { directory, part = '', progress }: Pick<LayerJob, 'directory' | 'part' | 'progress'>,
  { files, sequence, timestamp }: ExtractChanges,
): Promise<BuilderReport> {
  const world = openWorld(directory);
  const gazetteer = { ...world, boundaries: openBoundaries(directory, world) };
  const base = new ExtractBase(join(directory, extractBaseName(part)));
  const streets = new StreetFile(join(directory, streetFileName(group, part)), 0);
  try {
    const report: BuilderReport = JSON.parse(base.fact('report')!);
    progress(0, 'reading changes');
    const changes = await ChangeSet.read(files);
    progress(0.3, 'finding what changed');
    const extract = new ChangedExtract(base, changes);
    const remade = new RemadeRecords(base, extract);
    progress(0.6, 'making records');
    const areas = new AreaTable(streets.areas());
    const settlements = new Settlements(gazetteer, areas);
    const changed = changedStreets(base, remade, (record) => settlements.areaOf(record));
    progress(0.8, 'writing changes');
    const streetChanges = changesFileName(streetFileName(group, part));
    writeStreetChanges(join(directory, streetChanges), base, streets, { ...changed, areas: areas.areas });
    const addresses = report.also!.addresses!;
    for (const { area, houses, isMapped } of changed.replaced) {
      count(addresses, 'addresses', areas.areas[area].country, -houses);
      count(report, 'streets', areas.areas[area].country, isMapped ? -1 : 0);
    }
    for (const { area, houseCount, lines } of changed.rows) {
      count(addresses, 'addresses', areas.areas[area].country, houseCount);
      count(report, 'streets', areas.areas[area].country, lines ? 1 : 0);
    }
    const poiChanges = changesFileName(poiFileName(group, part));
    writePoiChanges(join(directory, poiChanges), { base, extract, remade, gazetteer, report });
    report.files.push(streetChanges);
    report.also!.pois!.files.push(poiChanges);
    for (const { after } of extract.features.values()) {
      if (!after) continue;
      report.bounds = extended(report.bounds, after);
      for (const line of after.lines ?? [])
        for (let at = 0; at < line.length; at += 2)
          report.bounds = extended(report.bounds, { lng: line[at], lat: line[at + 1] });
    }
    const { baseUrl, extract: first } = report.replication!;
    const vintage = timestamp?.slice(0, 10);
    const sources = vintage ? report.sources.map((source) => ({ ...source, vintage })) : report.sources;
    return { ...report, sources, replication: { baseUrl, extract: first, sequence, timestamp } };
  } finally {
    base.close();
    streets.close();
  }
}

function count({ records, countries = {} }: LayerReport, kind: string, country: string, by: number): void {
  records[kind] += by;
  countries[country] = (countries[country] ?? 0) + by;
  if (countries[country] === 0) delete countries[country];
}

type PoiChanges = {
  base: ExtractBase;
  extract: ChangedExtract;
  remade: RemadeRecords;
  gazetteer: Gazetteer;
  report: BuilderReport;
};

function writePoiChanges(path: string, { base, extract, remade, gazetteer, report }: PoiChanges): void {
  const layer = report.also!.pois!;
  const countryOf = (poi: PoiRecord) => poi.country ?? gazetteer.boundaries.countryAt(poi) ?? 'none';
  const file = new PoiWriter(path, () => {}, changesSchema);
  try {
    const addReplaced = file.insert('INSERT INTO replaced VALUES (?)');
    const lost = new Map<string, number>();
    let next = base.lastPoi() + 1;
    const numbers = new Map<string, number>();
    const [source] = layer.sources;
    for (const [key, { before }] of extract.features) {
      const id = base.poi(key);
      const former = before && id !== undefined ? poiOf(before) : undefined;
      if (former) {
        addReplaced(id!);
        for (const word of wordsOf(former)) lost.set(word, (lost.get(word) ?? 0) + 1);
        count(layer, 'pois', countryOf(former), -1);
      }
      const { pois } = remade.batchOf(key);
      for (const poi of pois) {
        numbers.set(poi.sourceId!, id ?? next++);
        count(layer, 'pois', countryOf(poi), 1);
      }
      file.add(pois, file.source(source?.id ?? 'openstreetmap'));
    }
    file.useNumbers((sourceId) => numbers.get(sourceId)!);
    const addLost = file.insert('INSERT INTO lost VALUES (?, ?)');
    for (const [word, records] of lost) if (isCorrectable(word)) addLost(word, records);
    file.finish(() => {});
  } finally {
    file.close();
  }
}

/** The former point of interest of an object. */
function poiOf(kept: KeptObject): PoiRecord | undefined {
  const batch = emptyBatch();
  const around = kept.around as Settlement;
  const { type, id } = objectOfKey(kept.key);
  addObject({ type, id, tags: kept.tags, lat: kept.lat, lng: kept.lng }, batch, {
    around: () => around,
    quarterNames: () => undefined,
    streetOfMember: () => undefined,
    house: () => undefined,
    hint() {},
    piece() {},
    dropped() {},
  });
  return batch.pois.find(({ sourceId }) => keyOfSourceId(sourceId!) === kept.key);
}

const wordsOf = ({ name = '', otherNames = [] }: PoiRecord) =>
  new Set([name, ...otherNames].flatMap((text) => nameWords(text).flat()));

type AreaOf = (record: Settlement & LatLng) => number | undefined;
type Named = { area: number; key: string };
type Line = { fields: string[]; order: readonly number[] };
type Placed = Named & Line;

type ChangedStreets = {
  /** Streets of the base that were deleted or have another row. */
  replaced: KeptStreet[];
  rows: StreetRow[];
};

const textOf = ({ area, key }: Named) => `${area} ${key}`;

function changedStreets(base: ExtractBase, remade: RemadeRecords, areaOf: AreaOf): ChangedStreets {
  const dirty = new Map<string, Named>();
  const mark = (each: Named) => dirty.set(textOf(each), each);
  const marked = new Set<number>();
  const markHash = (hash: number) => {
    if (!marked.has(hash)) for (const street of base.streets(hash)) mark(street);
    marked.add(hash);
  };
  const placed = (batch: StreetBatch, order: readonly number[]): Placed[] => placedRecords(batch, order, areaOf);
  const streetsOf = (name: Parameters<RemadeRecords['streetsOf']>[0]) =>
    remade.streetsOf(name).flatMap(({ record, order }) => placed({ ...nothing, streets: [record] }, order));

  const ofObjects = new Map<string, Placed[]>();
  const add = (lists: Map<string, Placed[]>, each: Placed) => {
    const list = lists.get(textOf(each));
    if (list) list.push(each);
    else lists.set(textOf(each), [each]);
  };
  for (const [key, batch] of remade.batches) {
    for (const hash of base.streetsOf(key)) markHash(hash);
    for (const each of placed({ ...batch, streets: [] }, [key])) {
      mark(each);
      add(ofObjects, each);
    }
  }
  const ofNames = new Map<string, Placed[]>();
  for (const name of remade.names) {
    for (const hash of base.streetsOfName(name.name, name.city)) markHash(hash);
    for (const each of streetsOf(name)) {
      mark(each);
      add(ofNames, each);
    }
  }
  const isMapped = mappedAreas(base, remade, ofNames);
  for (const area of new Set([...dirty.values()].map((each) => each.area)))
    if (isMapped(area) !== isMappedBefore(base, area)) for (const street of base.streetsIn(area)) mark(street);

  const tileOfObject = (key: number) => tileAt(base.feature(key)!);
  const rows: StreetRow[] = [];
  const replaced: KeptStreet[] = [];
  for (const street of dirty.values()) {
    const text = textOf(street);
    const hash = streetHash(street.area, street.key);
    // Another street may have the same hash.
    const isOwn = ({ fields }: { fields: string[] }) =>
      Number(fields[1]) === street.area && streetKey(fields[2]) === street.key;
    const before = base.streets(hash);
    replaced.push(...before.filter((each) => textOf(each) === text));
    const own = <T extends { fields: string[] }>(kept: T[]) =>
      before.every((each) => textOf(each) === text) ? kept : kept.filter(isOwn);
    const kept = own(base.recordsOf(hash))
      .filter(({ key }) => !remade.batches.has(key))
      .map(({ key, tile, fields }, at) => ({ fields, order: [tile, key, at] }));
    const pieces = own(base.piecesOf(hash)).filter((each) => !remade.isRemade(each));
    const added = ofNames.get(text) ?? [];
    const isOne = pieces.length + added.length === 1;
    const ofKeptNames = pieces.map(({ name, key, fields }) => ({
      fields,
      order: isOne ? [] : [nameHash(name), tileOfObject(key), key],
    }));
    const lines = [...inOrder([...kept, ...(ofObjects.get(text) ?? [])]), ...inOrder([...ofKeptNames, ...added])].map(
      ({ fields }) => fields,
    );
    if (lines.length > 0) rows.push(...groupStreets(lines, () => {}, isMapped));
  }
  return { replaced, rows };
}

const nothing: StreetBatch = { addresses: [], streets: [], pois: [], interpolations: [] };

/** The records of a batch whose country is known. They are ordered by tile, object, and position in the object. */
function placedRecords(batch: StreetBatch, order: readonly number[], areaOf: AreaOf): Placed[] {
  let at = 0;
  return [...recordsIn(batch)].flatMap((each): Placed[] => {
    const position = positionOf(each);
    const area = areaOf({ ...each.record, lat: position.lat, lng: position.lng });
    if (area === undefined) return [];
    const place = each.kind === 's' ? order : [tileAt(position), ...order, at++];
    return [{ fields: fieldsOf(each, area, 0).map(cleanField), area, key: streetKey(each.street), order: place }];
  });
}

function inOrder(records: readonly Line[]): readonly Line[] {
  if (records.length < 2) return records;
  return records.toSorted((a, b) => {
    for (let at = 0; at < a.order.length; at++) if (a.order[at] !== b.order[at]) return a.order[at] - b.order[at];
    return 0;
  });
}

const isMappedBefore = (base: ExtractBase, area: number) => base.namesIn(area).next().done === false;

/** Whether a source has streets of an area after changes. */
function mappedAreas(base: ExtractBase, remade: RemadeRecords, added: ReadonlyMap<string, Placed[]>) {
  const known = new Map<number, boolean>();
  for (const [{ area }] of added.values()) known.set(area, true);
  return (area: number): boolean => {
    let isMapped = known.get(area);
    if (isMapped === undefined) {
      isMapped = base.namesIn(area).some((name) => !remade.isRemade(name));
      known.set(area, isMapped);
    }
    return isMapped;
  };
}
