import { createInterface } from 'node:readline/promises';
import { nameOf, type Source } from '../build/source-list.ts';
import type { Config } from '../config.ts';
import { type Extract, findExtracts, type Publisher, publishers, remoteSize } from '../download/extracts.ts';
import { UsageError } from '../errors.ts';
import type { SourceKind } from '../sources/source-kinds.ts';

const megabytes = (bytes: number | undefined) =>
  bytes === undefined ? 'size unknown' : `${(bytes / 1e6).toFixed(1)} MB`;

/** Downloads larger than this need a confirmation. */
const askAboveBytes = 100e6;

export type RegionOptions = {
  region: string;
  from: string;
  isAgreed: boolean;
  /** Which kinds the layers to be built are made of; files of others are not fetched. */
  isRead?: (kind: SourceKind) => boolean;
};

/**
 * The public extracts of some countries as sources of a build. Shows what there is to download and how large; large
 * downloads need a yes, from the terminal or `isAgreed`.
 */
export async function regionSources(
  config: Config,
  { region, from, isAgreed, isRead = () => true }: RegionOptions,
): Promise<Source[]> {
  const countries = readList(region, /^[A-Z]{2}$/i, '--region', 'alpha-2 codes such as LI,MC,AT').map((code) =>
    code.toUpperCase(),
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
  const read = extracts.filter(({ kind }) => isRead(kind));
  if (extracts.length > 0 && read.length === 0) {
    throw new UsageError(
      `${wanted.join(', ')} have no data for the layers to build; add their --layer, or change --from`,
    );
  }
  const distinct = [...new Map(read.map((extract) => [extract.url, extract])).values()];
  if (distinct.length === 0) throw new UsageError(`${wanted.join(', ')} have nothing for ${countries.join(', ')}`);
  const isClosed = distinct.some(({ needsToken }) => needsToken) && config.openaddressesToken === '';
  if (isClosed && new URL(config.openaddressesMirror).hostname.endsWith('openaddresses.io')) {
    throw new UsageError(
      'OpenAddresses requires an account for downloads: create a token in your profile at ' +
        'https://batch.openaddresses.io and set openaddressesToken (WHEREABOUTS_OPENADDRESSES_TOKEN), or leave openaddresses out of --from',
    );
  }
  const sizes = await Promise.all(
    distinct.map(async (extract) => ({ ...extract, bytes: extract.bytes ?? (await remoteSize(extract.url)) })),
  );
  // Not every country has postal codes at GeoNames; whatever else is missing is reported when it is fetched.
  const isLeftOut = ({ kind, bytes }: (typeof sizes)[number]) => bytes === 'missing' && kind === 'geonames-postal';
  for (const { country, url } of sizes.filter(isLeftOut)) console.error(`  ${country}  left out: there is no ${url}`);
  const sized = sizes
    .filter((extract) => !isLeftOut(extract))
    .map((extract): Sized => ({ ...extract, bytes: extract.bytes === 'missing' ? undefined : extract.bytes }));
  if (sized.length === 0) throw new UsageError(`${wanted.join(', ')} have nothing for ${countries.join(', ')}`);
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
    console.error(`  ${country}  ${kind.padEnd(16)} ${megabytes(bytes).padStart(12)}  ${url}`);
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
