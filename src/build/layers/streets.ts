/**
 * Streets, addresses and points of interest: three layers from the same sources in one go. Data under the ODbL goes to
 * files of its own, so that its share-alike duty is visible and the other files stay free of it.
 */
import { copyFile, link, mkdtempDisposable, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type LatLng, pointAlong } from '../../core/geo.ts';
import type { Drop, Settlement, StreetBatch } from '../../core/source-records.ts';
import type { SourceInfo } from '../../store/manifest.ts';
import { extended } from '../../store/map-contract.ts';
import { openBoundaries } from '../../store/packed/boundaries.ts';
import { openWorld } from '../../store/packed/world.ts';
import { poiWriter } from '../../store/sqlite/poi-writer.ts';
import {
  extractName,
  type LicenceGroup,
  licenceGroups,
  poiFileName,
  streetFileName,
} from '../../store/sqlite/street-level.ts';
import { streetWriter } from '../../store/sqlite/street-writer.ts';
import type { BuilderReport, LayerJob, LayerReport } from '../layer.ts';
import { type Gazetteer, type Settlements, settlementsOf } from './streets/settlements.ts';
import { type StreetSource, streetSources } from './streets/sources.ts';

const kinds = ['addresses', 'streets', 'pois'] as const;
type Kind = (typeof kinds)[number];
/** Reading is about as much work as writing. */
const readingShare = 0.5;

export async function buildStreets(job: LayerJob): Promise<BuilderReport> {
  return buildStreetLevel(job, await streetSources(job.inputs, job.part, job.changes));
}

/**
 * Writes the files of a part of the three layers into the job's directory, where the world and the boundaries are already.
 * Throws SourceError when a source cannot be read.
 */
export async function buildStreetLevel(
  job: Omit<LayerJob, 'inputs'>,
  sources: readonly StreetSource[],
): Promise<BuilderReport> {
  const world = openWorld(job.directory);
  const gazetteer = { ...world, boundaries: openBoundaries(job.directory, world) };
  const report = newReport();
  for (const [index, group] of licenceGroups.entries()) {
    const ofGroup = sources.filter((source) => source.group === group);
    const progress = (share: number, step: string) => job.progress((index + share) / licenceGroups.length, step);
    if (ofGroup.length > 0) await buildGroup({ ...job, progress }, { group, sources: ofGroup }, gazetteer, report);
  }
  const { addresses, streets, pois, emptySources, bounds } = report;
  const also = { addresses, pois };
  // Changes of a part cannot be assigned to one of several files.
  const [{ path = '', replication }] = sources.length === 1 && job.keepsExtract ? sources : [{}];
  if (replication) await keepExtract(path, join(job.directory, extractName(job.part ?? '')));
  return { ...streets, also, emptySources, ...(bounds && { bounds }), ...(replication && { replication }) };
}

/** A link of an extract, or a copy where that is on another disk or of another user. */
async function keepExtract(path: string, kept: string): Promise<void> {
  await rm(kept, { force: true });
  await link(path, kept).catch(() => copyFile(path, kept));
}

type Report = Record<Kind, Required<LayerReport>> & Pick<BuilderReport, 'bounds'> & { emptySources: string[] };

function newReport(): Report {
  const layer = (kind: Kind) => ({ records: { [kind]: 0 }, countries: {}, dropped: {}, sources: [], files: [] });
  return { addresses: layer('addresses'), streets: layer('streets'), pois: layer('pois'), emptySources: [] };
}

type Group = { group: LicenceGroup; sources: readonly StreetSource[] };

async function buildGroup(
  { directory, memoryMb, part, progress }: Omit<LayerJob, 'inputs'>,
  { group, sources }: Group,
  gazetteer: Gazetteer,
  report: Report,
): Promise<void> {
  await using temporary = await mkdtempDisposable(join(directory, 'streets-'));
  const drop: Drop = (reason, count = 1) => {
    const kind: Kind = /point of interest|airport|port |station |^place /.test(reason) ? 'pois' : 'addresses';
    report[kind].dropped[reason] = (report[kind].dropped[reason] ?? 0) + count;
  };
  const streets = streetWriter({ path: join(directory, streetFileName(group, part)), memoryMb, dropped: drop });
  const pois = poiWriter(join(directory, poiFileName(group, part)), drop);
  try {
    const ofAddresses: SourceInfo[] = [];
    const settlements = settlementsOf(gazetteer, streets.areas);
    for (const [at, { info, path: file, read }] of sources.entries()) {
      const step = `reading ${info.title}`;
      const reportShare = (share: number) => progress((readingShare * (at + share)) / sources.length, step);
      reportShare(0);
      const counts = { addresses: 0, streets: 0, pois: 0 };
      for await (const whole of read({
        progress: reportShare,
        dropped: drop,
        memoryMb,
        temporaryDirectory: temporary.path,
      })) {
        const batch = withoutLongTexts(whole, drop);
        for (const poi of batch.pois) if (poi.country !== undefined) poi.country = settlements.countryOf(poi);
        const placed = withArea(batch, settlements, drop);
        for (const position of positionsOf(placed.batch)) report.bounds = extended(report.bounds, position);
        streets.add(placed.batch, streets.source(info.id), (record) => placed.areas.get(record)!);
        pois.add(batch.pois, pois.source(info.id));
        for (const poi of batch.pois)
          addCount(report.pois, poi.country ?? gazetteer.boundaries.countryAt(poi) ?? 'none');
        for (const kind of kinds) counts[kind] += batch[kind].length;
      }
      for (const kind of kinds) if (counts[kind] > 0) addSource(report[kind], info);
      if (counts.addresses > 0) ofAddresses.push(info);
      if (kinds.every((kind) => counts[kind] === 0)) report.emptySources.push(file ?? info.title);
    }
    const written = streets.finish((share) => progress(readingShare + 0.45 * share, 'writing streets and addresses'));
    for (const kind of ['addresses', 'streets'] as const) {
      for (const [country, count] of Object.entries(written[kind])) {
        addCount(report[kind], country, count);
        report[kind].records[kind] += count;
      }
    }
    // Streets made of addresses come from these.
    if (report.streets.sources.length === 0 && report.streets.records.streets > 0)
      for (const info of ofAddresses) addSource(report.streets, info);
    report.pois.records.pois += pois.finish((share) => progress(0.95 + 0.05 * share, 'writing points of interest'));
    report.streets.files.push(streetFileName(group, part));
    report.pois.files.push(poiFileName(group, part));
  } finally {
    streets.close();
    pois.close();
  }
}

/** OpenStreetMap's have 255 at most; of some steps the time grows with the square. */
const maxTextLength = 500;

function withoutLongTexts(batch: StreetBatch, drop: Drop): StreetBatch {
  const isLong = (value: unknown): boolean =>
    typeof value === 'string' ? value.length > maxTextLength : Array.isArray(value) && value.some(isLong);
  const short = <R extends object>(records: R[], what: string) =>
    records.filter((record) => {
      const isDropped = Object.values(record).some(isLong);
      if (isDropped) drop(`${what} with a text of more than ${maxTextLength} characters`);
      return !isDropped;
    });
  return {
    addresses: short(batch.addresses, 'address'),
    streets: short(batch.streets, 'street'),
    interpolations: short(batch.interpolations, 'interpolation'),
    pois: short(batch.pois, 'point of interest'),
  };
}

type Located = StreetBatch['addresses' | 'streets' | 'interpolations'][number];

/** The records of a batch whose country is known, and the area of each. */
function withArea(
  batch: StreetBatch,
  settlements: Settlements,
  drop: Drop,
): { batch: StreetBatch; areas: Map<Located, number> } {
  const areas = new Map<Located, number>();
  const place = <R extends Located>(records: R[], position: (record: R) => LatLng & Settlement, what: string) =>
    records.filter((record) => {
      const area = settlements.areaOf(position(record));
      if (area === undefined) drop(`${what} in no country`);
      else areas.set(record, area);
      return area !== undefined;
    });
  const placed = {
    addresses: place(batch.addresses, (record) => record, 'address'),
    streets: place(
      batch.streets.filter((record) => record.lines.length > 0 || !settlements.knows(record)),
      (record) => record,
      'street',
    ),
    interpolations: place(
      batch.interpolations,
      (record) => ({ ...record, ...pointAlong(record.line) }),
      'interpolation',
    ),
    pois: batch.pois,
  };
  return { batch: placed, areas };
}

/** Every position that records of a batch are found by. */
function* positionsOf({ addresses, streets, pois, interpolations }: StreetBatch): Generator<LatLng> {
  yield* addresses;
  yield* streets;
  yield* pois;
  for (const line of [...streets.flatMap(({ lines }) => lines), ...interpolations.map(({ line }) => line)])
    for (let at = 0; at < line.length; at += 2) yield { lng: line[at], lat: line[at + 1] };
}

function addCount({ countries }: Required<LayerReport>, country: string, count = 1): void {
  countries[country] = (countries[country] ?? 0) + count;
}

function addSource(report: LayerReport, info: SourceInfo): void {
  if (!report.sources.some(({ id }) => id === info.id)) report.sources.push(info);
}
