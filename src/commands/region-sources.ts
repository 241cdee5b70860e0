import { createInterface } from 'node:readline/promises';
import { nameOf, type Source } from '../build/source-list.ts';
import type { Config } from '../config.ts';
import { type Extract, findExtracts, type Publisher, publishers, remoteSize } from '../download/extracts.ts';
import { officialFiles } from '../download/official.ts';
import { UsageError } from '../errors.ts';
import type { SourceKind } from '../sources/source-kinds.ts';

const megabytes = (bytes: number | undefined) =>
  bytes === undefined ? 'size unknown' : `${(bytes / 1e6).toFixed(1)} MB`;

/** Downloads larger than this need a confirmation. */
const askAboveBytes = 100e6;

type DownloadOptions = {
  isAgreed: boolean;
  /** Which kinds the layers to be built are made of; files of others are not fetched. */
  isRead?: (kind: SourceKind) => boolean;
};

type RegionOptions = DownloadOptions & { region: string; from: string };

/** Which codes are countries, before any list of extracts is fetched. */
const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const unknownRegion = countryNames.of('ZZ');

/**
 * What `--region ten` stands for: small countries whose addresses OpenStreetMap has nearly all, in nine extracts of some
 * 140 MB together.
 */
const tenCountries = 'AD,FO,GG,IM,IS,JE,LI,LU,MC,MT';

/**
 * The world's official files of the day as sources of a build. Shows what there is to download and how large; large
 * downloads need a yes, from the terminal or `isAgreed`.
 */
export async function officialSources(config: Config, { isAgreed, isRead }: DownloadOptions): Promise<Source[]> {
  const mirrors = { geonames: config.geonamesMirror, dbip: config.dbipMirror };
  const files = await officialFiles(mirrors, new Date());
  return agreedSources(files, { isAgreed, isRead }, 'the official publishers', 'the world');
}

/**
 * The public extracts of some countries as sources of a build. Shows what there is to download and how large; large
 * downloads need a yes, from the terminal or `isAgreed`.
 */
export async function regionSources(
  config: Config,
  { region, from, isAgreed, isRead }: RegionOptions,
): Promise<Source[]> {
  const codes = region.trim().toLowerCase() === 'ten' ? tenCountries : region;
  const countries = readList(codes, /^[A-Z]{2}$/i, '--region', 'alpha-2 codes such as LI,MC,AT, or ten').map((code) =>
    code.toUpperCase(),
  );
  const unknown = countries.find((code) => (countryNames.of(code) ?? unknownRegion) === unknownRegion);
  if (unknown)
    throw new UsageError(
      `--region has ${unknown}, which is no country; expected alpha-2 codes such as LI,MC,AT, or ten`,
    );
  const wanted = readList(from, /^[a-z]+$/, '--from', publishers.join(', ')) as Publisher[];
  for (const name of wanted) {
    if (!publishers.includes(name))
      throw new UsageError(`--from has "${name}", expected one or more of ${publishers.join(', ')}`);
  }
  const extracts = await findExtracts(countries, wanted, {
    geofabrik: config.geofabrikMirror,
    geonames: config.geonamesMirror,
    openaddresses: config.openaddressesMirror,
  });
  const isClosed =
    config.openaddressesToken === '' && extracts.some(({ needsToken, kind }) => needsToken && (isRead?.(kind) ?? true));
  if (isClosed && new URL(config.openaddressesMirror).hostname.endsWith('openaddresses.io')) {
    throw new UsageError(
      'OpenAddresses requires an account for downloads: create a token in your profile at ' +
        'https://batch.openaddresses.io and set openaddressesToken (WHEREABOUTS_OPENADDRESSES_TOKEN), or leave openaddresses out of --from',
    );
  }
  return agreedSources(extracts, { isAgreed, isRead }, wanted.join(', '), countries.join(', '));
}

/** The files of some publishers as sources, once they are shown and agreed to. */
async function agreedSources(
  extracts: readonly Extract[],
  { isAgreed, isRead = () => true }: DownloadOptions,
  from: string,
  region: string,
): Promise<Source[]> {
  const read = extracts.filter(({ kind }) => isRead(kind));
  if (extracts.length > 0 && read.length === 0) {
    throw new UsageError(`${from} have no data for the layers to build; add their --layer, or change --from`);
  }
  const distinct = [...new Map(read.map((extract) => [extract.url, extract])).values()];
  const sizes = await Promise.all(
    distinct.map(async (extract) => ({ ...extract, bytes: extract.bytes ?? (await remoteSize(extract.url)) })),
  );
  // Not every country has postal codes at GeoNames; whatever else is missing is reported when it is fetched.
  const isLeftOut = ({ kind, bytes }: (typeof sizes)[number]) => bytes === 'missing' && kind === 'geonames-postal';
  for (const { country, url } of sizes.filter(isLeftOut)) console.error(`  ${country}  left out: there is no ${url}`);
  const sized = sizes
    .filter((extract) => !isLeftOut(extract))
    .map((extract): Sized => ({ ...extract, bytes: extract.bytes === 'missing' ? undefined : extract.bytes }));
  if (sized.length === 0) throw new UsageError(`${from} have nothing for ${region}`);
  await agree(sized, isAgreed);
  return sized.map(({ url, kind, fileName, note }) => ({
    name: nameOf(fileName.replaceAll('/', '-')),
    kind,
    from: url,
    file: fileName,
    ...(note && { note }),
  }));
}

type Sized = Omit<Extract, 'bytes'> & { bytes: number | undefined };

async function agree(extracts: readonly Sized[], isAgreed: boolean): Promise<void> {
  for (const { country, kind, url, bytes } of extracts)
    console.error(`  ${country}  ${kind.padEnd(24)} ${megabytes(bytes).padStart(12)}  ${url}`);
  const total = extracts.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const isLarge = total > askAboveBytes || extracts.some(({ bytes }) => bytes === undefined);
  console.error(`  total ${megabytes(total)}`);
  if (!isLarge || isAgreed) return;
  if (!process.stdin.isTTY) throw new UsageError(`this would download ${megabytes(total)}; confirm with --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Download? [y/N] ');
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('nothing was downloaded');
}

function readList(written: string, pattern: RegExp, option: string, expected: string): string[] {
  const items = written.split(',').map((item) => item.trim());
  for (const item of items) {
    if (!pattern.test(item)) throw new UsageError(`${option} has ${JSON.stringify(item)}, expected ${expected}`);
  }
  return items;
}
