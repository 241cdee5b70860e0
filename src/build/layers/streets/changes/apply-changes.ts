/**
 * Applies the changes of an extract to its part of street-level data: changed rows go to files next to those that the
 * extract was imported to, which are not modified. The result is that of an import of the newer extract.
 */
import { join } from 'node:path';
import { emptyBatch, type PoiRecord, type Settlement } from '../../../../core/street-records.ts';
import { ChangeSet } from '../../../../sources/osm/change-file.ts';
import { keyOfSourceId, objectOfKey } from '../../../../sources/osm/keeper.ts';
import { addObject } from '../../../../sources/osm/records.ts';
import { extended } from '../../../../store/bounds.ts';
import { openBoundaries } from '../../../../store/packed/boundaries.ts';
import { openWorld } from '../../../../store/packed/world.ts';
import { AreaTable } from '../../../../store/sqlite/area-table.ts';
import { ExtractBase } from '../../../../store/sqlite/extract-base.ts';
import { extractBaseName, type KeptObject } from '../../../../store/sqlite/extract-base-schema.ts';
import { PoiWriter } from '../../../../store/sqlite/poi-writer.ts';
import { changesSchema, writeStreetChanges } from '../../../../store/sqlite/street-changes.ts';
import { StreetFile } from '../../../../store/sqlite/street-file.ts';
import { changesFileName, poiFileName, streetFileName } from '../../../../store/sqlite/street-files.ts';
import { isCorrectable } from '../../../../store/sqlite/vocabulary.ts';
import { nameWords } from '../../../../text/words.ts';
import type { BuilderReport, ExtractChanges, LayerJob, LayerReport } from '../../../layer.ts';
import { type Gazetteer, Settlements } from '../settlements.ts';
import { ChangedExtract } from './changed-extract.ts';
import { changedStreets } from './changed-streets.ts';
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
