/** The sources of a user's files: the licence of each kind, and how it is read. */
import { basename } from 'node:path';
import type { ReadOptions, StreetBatch } from '../../../core/street-records.ts';
import { openAddressesLicences, type SourceLicence } from '../../../sources/openaddresses.ts';
import { extractStateOf, type Replication } from '../../../sources/osm/change-file.ts';
import type { ExtractKeeper } from '../../../sources/osm/keeper.ts';
import { type OvertureTheme, overtureTheme } from '../../../sources/overture.ts';
import type { SourceKind } from '../../../sources/source-kinds.ts';
import { streetReaders } from '../../../sources/street-readers.ts';
import { oldestOf, type SourceInfo } from '../../../store/manifest-format.ts';
import type { LicenceGroup } from '../../../store/sqlite/street-files.ts';

export type StreetSource = {
  group: LicenceGroup;
  info: SourceInfo;
  /** The user's file. */
  path?: string;
  /** Where the changes of an OpenStreetMap extract are published. */
  replication?: Replication | undefined;
  read(options: ReadOptions & { keeper?: ExtractKeeper | undefined }): AsyncIterable<StreetBatch>;
};

type StreetKind = keyof typeof streetReaders;
type Described = { group: LicenceGroup } & Omit<SourceInfo, 'version' | 'vintage'>;

export const openStreetMap = {
  licence: 'ODbL-1.0',
  attribution: '© OpenStreetMap contributors',
  url: 'https://www.openstreetmap.org/copyright',
};

// The terms are those the publishers state; docs/sources.md says where each was read and when.
const kinds: Record<Exclude<StreetKind, 'overture'>, Described> = {
  'osm-pbf': { group: 'odbl', id: 'openstreetmap', title: 'OpenStreetMap', ...openStreetMap },
  'osm-xml': { group: 'odbl', id: 'openstreetmap', title: 'OpenStreetMap', ...openStreetMap },
  openaddresses: {
    group: 'open',
    id: 'openaddresses',
    title: 'OpenAddresses',
    licence: 'as the publisher of each source says: https://batch.openaddresses.io/data',
    attribution: 'OpenAddresses and the publishers of its sources',
    url: 'https://openaddresses.io/',
  },
  ban: {
    group: 'open',
    id: 'ban',
    title: 'Base Adresse Nationale',
    licence: 'Licence Ouverte 2.0 (Etalab)',
    attribution: 'Base Adresse Nationale (adresse.data.gouv.fr)',
    url: 'https://adresse.data.gouv.fr/',
  },
  bag: {
    group: 'open',
    id: 'bag',
    title: 'Basisregistratie Adressen en Gebouwen',
    licence: 'Public Domain Mark 1.0',
    attribution: 'Kadaster',
    url: 'https://www.kadaster.nl/zakelijk/registraties/basisregistraties/bag',
  },
  stadfang: {
    group: 'open',
    id: 'stadfang',
    title: 'Staðfangaskrá',
    licence: 'reuse of public information, the source named (Iceland): https://opingogn.is/pages/notkunarleidbeiningar',
    attribution: 'Staðföng: Húsnæðis- og mannvirkjastofnun (HMS)',
    url: 'https://fasteignaskra.is/gogn/grunngogn-til-nidurhals/stadfangaskra/',
  },
  prg: {
    group: 'open',
    id: 'prg',
    title: 'Państwowy Rejestr Granic',
    licence: 'no conditions (Polish law on geodesy and cartography of 17 May 1989)',
    attribution: 'Główny Urząd Geodezji i Kartografii',
    url: 'https://www.geoportal.gov.pl/',
  },
};

export const overtureThemes: Record<OvertureTheme, Described> = {
  // Both are mostly derived from OpenStreetMap.
  transportation: {
    group: 'odbl',
    id: 'overture-transportation',
    title: 'Overture Maps transportation',
    licence: 'ODbL-1.0',
    attribution: '© OpenStreetMap contributors, Overture Maps Foundation, overturemaps.org',
    url: 'https://docs.overturemaps.org/attribution/#transportation',
  },
  divisions: {
    group: 'odbl',
    id: 'overture-divisions',
    title: 'Overture Maps divisions',
    licence: 'ODbL-1.0',
    attribution: '© OpenStreetMap contributors, geoBoundaries, Overture Maps Foundation, overturemaps.org',
    url: 'https://docs.overturemaps.org/attribution/#divisions',
  },
  addresses: {
    group: 'open',
    id: 'overture-addresses',
    title: 'Overture Maps addresses',
    licence: 'permissive, by country and source: https://docs.overturemaps.org/attribution/#addresses',
    attribution: 'Overture Maps Foundation, overturemaps.org, and the registers it names for each country',
    url: 'https://docs.overturemaps.org/attribution/#addresses',
  },
  places: {
    group: 'open',
    id: 'overture-places',
    title: 'Overture Maps places',
    licence: 'CDLA-Permissive-2.0; parts Apache-2.0 and CC0-1.0',
    attribution:
      'Overture Maps Foundation, overturemaps.org; data from Meta, Microsoft, BrightQuery, DAC, Krick, PinMeTo, ' +
      'RenderSEO, AllThePlaces, and Foursquare (Copyright 2024 Foursquare Labs, Inc., transformed to the Overture schema)',
    url: 'https://docs.overturemaps.org/attribution/#places',
  },
};

/**
 * The sources of a user's files. Files of one publisher under the same terms are one source of the dataset. Throws
 * SourceError when the terms cannot be read because a file is broken.
 */
export async function userStreetSources(userFiles: (kind: SourceKind) => readonly string[]): Promise<StreetSource[]> {
  const files: (Pick<StreetSource, 'replication'> & {
    kind: StreetKind;
    path: string;
    described: Described;
    licences: SourceLicence[];
    timestamp: string | undefined;
  })[] = [];
  for (const kind of Object.keys(streetReaders) as StreetKind[]) {
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
      replication,
      info: {
        ...info,
        ...credits(
          info,
          together.flatMap(({ licences }) => licences),
        ),
        version: together.map((file) => basename(file.path)).join(', '),
        vintage: oldestOf(together.map(({ timestamp }) => timestamp?.slice(0, 10) ?? null)),
      },
      read: (options) => streetReaders[kind](path, options),
    };
  });
}

async function describe(kind: StreetKind, path: string, licences: readonly SourceLicence[]): Promise<Described> {
  if (kind === 'overture') return overtureThemes[await overtureTheme(path)];
  const described = kinds[kind];
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
