/** Every source of street-level data, of default packages and of a user's files: what it is, under which licence, and how it is read. */
import { basename } from 'node:path';
import type { ReadOptions, StreetBatch } from '../../../core/source-records.ts';
import {
  defaultParts,
  readAirports,
  readDbStations,
  readRrad,
  readSeaPorts,
  tilesOfCity,
} from '../../../sources/default-data.ts';
import { openAddressesLicences, type SourceLicence } from '../../../sources/openaddresses.ts';
import { extractStateOf, type Replication } from '../../../sources/osm/change-file.ts';
import { readQaTiles } from '../../../sources/osm/qa-tiles.ts';
import { overtureTheme } from '../../../sources/overture.ts';
import {
  kindOf,
  readStreets,
  type SourceId,
  type SourceKind,
  type StreetKind,
  streetKinds,
} from '../../../sources/source-kinds.ts';
import { oldestOf, type SourceInfo } from '../../../store/manifest.ts';
import type { LicenceGroup } from '../../../store/sqlite/street-level.ts';
import { type ExtractChanges, type Inputs, namesOf, sourceInfo, termsOf } from '../../layer.ts';
import { airportsFile, ourAirports } from '../world/features.ts';

export type StreetSource = {
  group: LicenceGroup;
  info: SourceInfo;
  /** The user's file. */
  path?: string;
  /** Where the changes of an OpenStreetMap extract are published. */
  replication?: (Replication & { extract: number }) | undefined;
  read(options: ReadOptions): AsyncIterable<StreetBatch>;
};

type Described = { group: LicenceGroup } & Omit<SourceInfo, 'version' | 'vintage'>;

/**
 * The sources of a user's files. Files of one publisher under the same terms are one source of the dataset. Throws
 * SourceError when the terms cannot be read because a file is broken.
 */
export async function userStreetSources(
  userFiles: (kind: SourceKind) => readonly string[],
  changes?: ExtractChanges,
): Promise<StreetSource[]> {
  const files: {
    replication: Replication | undefined;
    kind: StreetKind;
    path: string;
    described: Described;
    licences: SourceLicence[];
    timestamp: string | undefined;
  }[] = [];
  for (const kind of streetKinds) {
    for (const path of userFiles(kind)) {
      // Boundaries are not street-level data.
      if (kind === 'overture' && (await overtureTheme(path)) === 'divisions') continue;
      const licences = kind === 'openaddresses' ? await openAddressesLicences(path) : [];
      const state = kind === 'osm-pbf' ? await extractStateOf(path) : { replication: undefined, timestamp: undefined };
      files.push({ kind, path, licences, ...state, described: await describe(kind, path, licences) });
    }
  }
  const bySource = Map.groupBy(files, ({ described }) => described.id);
  return files.map(({ kind, path, replication, described: { group, ...info } }): StreetSource => {
    const together = bySource.get(info.id) ?? [];
    return {
      group,
      path,
      replication: replication && { ...replication, ...(changes && latestOf(changes)), extract: replication.sequence },
      info: {
        ...info,
        ...credits(
          info,
          together.flatMap(({ licences }) => licences),
        ),
        version: changes?.version ?? namesOf(together.map(({ path }) => path)),
        vintage: oldestOf(together.map(({ timestamp }) => (changes?.timestamp ?? timestamp)?.slice(0, 10) ?? null)),
      },
      read: (options) => readStreets(kind, path, { ...options, ...(changes && { changes: changes.files }) }),
    };
  });
}

async function describe(kind: StreetKind, path: string, licences: readonly SourceLicence[]): Promise<Described> {
  const id = kindOf(kind).source ?? (`overture-${await overtureTheme(path)}` as SourceId);
  const { group, title, licence, attribution, url } = termsOf(id);
  const described = { group: group as LicenceGroup, id: id as string, title, licence, attribution, url };
  if (licences.some(({ isShareAlike }) => isShareAlike)) {
    return { ...described, group: 'odbl', id: `${described.id}-share-alike`, title: `${described.title}, share-alike` };
  }
  // The register of 2015 was published under two other licences, which are part of its file names.
  const [, older] = (kind === 'ban' && /BAN_(odbl|licence_gratuite_repartage)/i.exec(basename(path))) || [];
  if (!older) return described;
  const isOdbl = older.toLowerCase() === 'odbl';
  return {
    ...described,
    group: 'odbl',
    id: isOdbl ? 'ban-odbl' : 'ban-repartage',
    title: `${described.title} of 2015`,
    licence: isOdbl ? 'ODbL-1.0' : 'Licence gratuite de repartage (IGN, La Poste, 2015)',
    attribution: isOdbl ? 'BAN, © OpenStreetMap contributors' : 'IGN, La Poste',
  };
}

/** Licence and attribution of a source whose files state those of their parts. */
function credits(info: Pick<SourceInfo, 'licence' | 'attribution'>, licences: readonly SourceLicence[]) {
  const known = new Set(licences.map(({ licence }) => licence).filter((licence) => licence !== undefined));
  const named = new Set(licences.map(({ attribution }) => attribution).filter((name) => name !== undefined));
  return {
    licence: known.size > 0 ? [...known].sort().join('; ') : info.licence,
    attribution: named.size > 0 ? `OpenAddresses; ${[...named].sort().join('; ')}` : info.attribution,
  };
}

const latestOf = ({ sequence, timestamp }: ExtractChanges) => ({ sequence, timestamp });

/** The sources of a part: default data, the user's files, or the part's kept extract with changes. */
export async function streetSources(inputs: Inputs, part = '', changes?: ExtractChanges): Promise<StreetSource[]> {
  if (changes) return userStreetSources((kind) => (kind === 'osm-pbf' ? [changes.extract] : []), changes);
  if (part === defaultParts.samples) return sampleSources(inputs);
  if (part === defaultParts.worldwide) return worldwideSources(inputs);
  return userStreetSources((kind) => inputs.userFiles(kind));
}

function sampleSources(inputs: Inputs): StreetSource[] {
  const tiles = (id: SourceId, country: string): StreetSource => ({
    group: 'odbl',
    info: infoOf(id, '@mapbox/mvt-fixtures', inputs),
    read: (options) => {
      const paths = tilesOfCity(id.replace('osm-', '')).map((file) => inputs.packageFile('@mapbox/mvt-fixtures', file));
      return readQaTiles(paths, { ...options, country });
    },
  });
  return [
    tiles('osm-montevideo', 'UY'),
    tiles('osm-astana', 'KZ'),
    {
      group: 'open',
      info: infoOf('db-stations', 'db-stations', inputs),
      read: (options) => readDbStations(inputs.packageFile('db-stations', 'data.ndjson'), options),
    },
    {
      group: 'open',
      info: infoOf('rrad', 'rrad', inputs),
      read: (options) => readRrad(inputs.packageFile('rrad', 'addresses-us-all.json'), options),
    },
  ];
}

/** Points of interest of the whole world. */
const worldwideSources = (inputs: Inputs): StreetSource[] => [
  {
    group: 'open',
    info: ourAirports(inputs),
    read: (options) => readAirports(airportsFile(inputs), options),
  },
  {
    group: 'open',
    info: infoOf('sea-ports', 'sea-ports', inputs),
    read: (options) => readSeaPorts(inputs.packageFile('sea-ports', 'lib/ports.json'), options),
  },
];

const infoOf = (id: SourceId, name: string, inputs: Inputs) =>
  sourceInfo(id, inputs, { version: `${name} ${inputs.packageVersion(name)}` });
