import { basename, join } from 'node:path';
import { StringTableBuilder } from '../../../core/columns.ts';
import { emptyRangeList, isEmpty, overlay, type RangeList } from '../../../core/ip/ranges.ts';
import { dropCounter } from '../../../core/source-records.ts';
import { UsageError } from '../../../errors.ts';
import { MmdbError } from '../../../sources/mmdb/file.ts';
import type { SourceId } from '../../../sources/source-kinds.ts';
import type { SourceInfo } from '../../../store/manifest.ts';
import { ipFile, writeIp } from '../../../store/packed/ip.ts';
import { openWorld } from '../../../store/packed/world.ts';
import { isPartOf } from '../../../text/word-lists.ts';
import { type BuilderReport, type LayerJob, sourceInfo, termsOf } from '../../layer.ts';
import publishers from './publishers.json' with { type: 'json' };
import {
  type Families,
  gazetteerNames,
  locationTable,
  type MmdbContent,
  networkTable,
  readAsnTables,
  readMmdbContent,
  type Tables,
} from './read-sources.ts';

// The default sources of IP ranges, one per role. All are frozen; see docs/ip.md for what that means.

const defaultIpSources = {
  city: 'dbip-city-lite',
  country: 'geo-whois-asn-country',
  operator: 'ip-location-db-asn',
} as const;

/**
 * IP ranges: where an address is, and who runs its network. Three roles are filled (city, country, operator); the
 * user's MMDB files replace the default data in the roles they can fill. See docs/ip.md.
 */
export async function buildIp({ inputs, directory, progress }: LayerJob): Promise<BuilderReport> {
  // Of both tables; number 0 is null.
  const texts = new StringTableBuilder();
  texts.add('');
  const tables: Tables = {
    locations: locationTable(texts),
    networks: networkTable(texts),
    named: gazetteerNames(openWorld(directory)),
  };
  const { dropped, drop } = dropCounter();
  const sources: SourceInfo[] = [];

  progress(0, 'given MMDB files');
  const userFiles = inputs.userFiles('mmdb').map((path) => readUserFile(path, tables));
  sources.push(...userFiles.map(userSource));
  const cities = userFiles.filter(({ hasCities }) => hasCities);
  const countries = userFiles.filter(({ hasCities, locations }) => !hasCities && locations);

  /** Paths of the files of a default source, which is added to the report. */
  const filesOf = (id: SourceId): string[] => {
    const { packages: [name] = [''], files = [] } = termsOf(id);
    sources.push(sourceInfo(id, inputs));
    return files.map((file) => inputs.packageFile(name, file));
  };
  /** Reads the MMDB files of a default source, as one. */
  const readDefault = (id: SourceId): Families =>
    layered(filesOf(id).map((path) => readMmdbContent(path, tables).locations));
  progress(0.05, 'cities of IP ranges');
  let locations =
    cities.length > 0 ? layered(cities.map(({ locations }) => locations)) : readDefault(defaultIpSources.city);
  progress(0.5, 'countries of IP ranges');
  // The countries of a user's city file are trusted unless there is a country file too.
  if (countries.length > 0)
    locations = withCountries(locations, layered(countries.map(({ locations }) => locations)), tables);
  else if (cities.length === 0) locations = withCountries(locations, readDefault(defaultIpSources.country), tables);

  progress(0.65, 'operators of IP ranges');
  const withNetworks = userFiles.filter(({ networks }) => networks);
  let networks: Families;
  if (withNetworks.length > 0) {
    networks = layered(withNetworks.map(({ networks }) => networks));
  } else {
    const [ipv4, ipv6] = filesOf(defaultIpSources.operator);
    networks = readAsnTables({ ipv4, ipv6 }, tables, drop);
  }

  progress(0.85, 'writing IP ranges');
  writeIp(join(directory, ipFile), {
    texts: texts.finish(),
    locations: tables.locations.finish(),
    networks: tables.networks.finish(),
    locationRanges: locations,
    networkRanges: networks,
  });
  progress(1, 'IP ranges');
  return {
    records: {
      ipv4LocationRanges: locations.ipv4.size,
      ipv6LocationRanges: locations.ipv6.size,
      ipv4NetworkRanges: networks.ipv4.size,
      ipv6NetworkRanges: networks.ipv6.size,
      locations: tables.locations.size(),
      networks: tables.networks.size(),
    },
    dropped,
    files: [ipFile],
    sources,
  };
}

function readUserFile(path: string, tables: Tables): MmdbContent {
  let content: MmdbContent;
  try {
    content = readMmdbContent(path, tables);
  } catch (error) {
    if (!(error instanceof MmdbError)) throw error;
    throw new UsageError(`${error.message}; download it again from its publisher, or leave it out`);
  }
  if (!content.locations && !content.networks) {
    throw new UsageError(
      `${path} (database type "${content.file.databaseType}") has no record with a country, place or operator; use a City, Country, ASN, ISP or Enterprise database`,
    );
  }
  return content;
}

const nothing: Families = { ipv4: emptyRangeList(), ipv6: emptyRangeList() };

/** Merges several files of one role; where two have an address, the later file wins. */
function layered(files: readonly (Families | undefined)[]): Families {
  // Most files have one address family; those are used as they are, without a copy.
  const over = (below: RangeList, above: RangeList) =>
    isEmpty(below) ? above : isEmpty(above) ? below : overlay(below, above, (lower, upper) => upper || lower);
  return files.reduce<Families>(
    (below, above) => (above ? { ipv4: over(below.ipv4, above.ipv4), ipv6: over(below.ipv6, above.ipv6) } : below),
    nothing,
  );
}

/** Registries have no code for Kosovo (XK) and file its networks under these. */
const kosovosRegistryCountries = ['AL', 'RS'];

/**
 * Locations under the countries of another source. Where they name another country, theirs wins and the rest of the
 * location is dropped: a city, region or position in the wrong country is worse than none. A territory with a code of
 * its own stays where the other source names the state that it belongs to: registries file Hong Kong's networks under
 * China.
 */
function withCountries(locations: Families, countries: Families, { locations: table }: Tables): Families {
  return both(locations, countries, (location, country) => {
    if (country === 0) return location;
    if (location === 0) return table.countryOnly(country);
    const own = table.countryOf(location);
    const other = table.countryOf(country);
    const isFiner = own !== null && other !== null && isPartOf(own, other);
    if (isFiner || (own === 'XK' && other !== null && kosovosRegistryCountries.includes(other))) return location;
    return own === null ? table.withCountryOf(location, country) : table.countryOnly(country);
  });
}

const both = (left: Families, right: Families, combine: (left: number, right: number) => number): Families => ({
  ipv4: overlay(left.ipv4, right.ipv4, combine),
  ipv6: overlay(left.ipv6, right.ipv6, combine),
});

/**
 * A user's MMDB file as the manifest lists it; with its terms where the publisher is known: texts as
 * the publishers require them (docs/sources.md says where each was read); the first that matches counts.
 */
export function userSource({ file: { path, databaseType, buildDate, metadata } }: MmdbContent): SourceInfo {
  const name = basename(path).replace(/\.mmdb(\.gz)?$/i, '');
  const known = publishers.find(({ pattern }) => new RegExp(pattern, 'i').test(`${databaseType}\n${name}`));
  const { licence = 'as agreed with its publisher', attribution = databaseType || name, url = '' } = known ?? {};
  const { en } = (metadata.description ?? {}) as Record<string, unknown>;
  return {
    id: name.toLowerCase(),
    title: typeof en === 'string' ? en : databaseType || name,
    version: basename(path),
    vintage: buildDate,
    licence,
    attribution,
    url,
  };
}
