import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { DatasetError, filesOf, type LayerInfo, type Manifest, readManifest, verifyFiles } from '../store/manifest.ts';
import { configFor, currentDataset, streetEngineOf } from './settings.ts';

type StatusOptions = { details?: boolean; json?: boolean; attribution?: boolean; verify?: boolean };

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('show the current dataset: layers, records, sources, licences')
    .option('--details', 'also show what each layer holds, how long it took and what was left out')
    .option('--json', 'print the manifest')
    .option('--attribution', 'print the required attribution as Markdown')
    .option('--verify', "compare every file with the manifest's SHA-256")
    .action(async (options: StatusOptions, command: Command) => {
      const config = configFor(command);
      const directory = currentDataset(config);
      const own = readManifest(directory);
      const manifest = options.json ? own : await served(own, config, options);
      if (options.json) console.log(JSON.stringify(manifest, null, 2));
      else if (options.attribution) console.log(attributionOf(manifest));
      else {
        console.log(describeDataset(manifest));
        if (options.details) console.log(`\n${summarise(manifest)}`);
        console.log('\nSources');
        const width = Math.max(0, ...manifest.sources.map(({ id }) => id.length));
        for (const { id, title, version, vintage, licence } of manifest.sources) {
          console.log(`  ${id.padEnd(width)}  ${title}, ${version}, data of ${vintage ?? 'unknown date'}, ${licence}`);
        }
      }
      if (!options.verify) return;
      await verifyFiles(directory, own, { isFresh: true });
      console.error('all files match their SHA-256');
    });
}

/**
 * The manifest as a service with these settings has it: street-level layers and their sources, those of live data
 * included, are those of the search cluster where there is one. Throws DatasetError if credits would be incomplete.
 */
async function served(own: Manifest, config: Config, { attribution }: StatusOptions): Promise<Manifest> {
  await using opened = new AsyncDisposableStack();
  const engine = opened.adopt(await streetEngineOf(config), (one) => one?.close());
  if (!engine) return own;
  const { facts } = engine;
  if (facts === undefined && attribution) {
    throw new DatasetError(
      'the search cluster in the setting "streets" does not answer or has no dataset, so that its sources cannot be ' +
        'credited; try again when it does, or publish a dataset there',
    );
  }
  const { servedManifest } = await import('../api/open.ts');
  return servedManifest(own, facts);
}

/** The credits required of a dataset's operator, as Markdown: a section per licence, a line per source. */
export function attributionOf({ sources }: Pick<Manifest, 'sources'>): string {
  const byLicence = Map.groupBy(
    [...sources].sort((a, b) => (a.title < b.title ? -1 : 1)),
    ({ licence }) => licence,
  );
  const sections = [...byLicence].sort().map(([licence, credited]) => {
    const lines = credited.map(({ title, url, attribution, version, vintage }) => {
      const data = vintage === null ? 'data of unknown date' : `data of ${vintage}`;
      return `- ${url === '' ? title : `[${title}](${url})`}: ${attribution} (${version}, ${data})`;
    });
    return `## ${licence}\n\n${lines.join('\n')}`;
  });
  return sections.join('\n\n');
}

// Describes what a dataset contains and lacks, for users and operators.

const number = new Intl.NumberFormat('en');
const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const sizeOf = (bytes: number) =>
  bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const bytesOf = (files: LayerInfo['files']) => files.reduce((sum, { bytes }) => sum + bytes, 0);
/** Countries with small extracts, to show how one is added. */
const examples = ['LI', 'MC', 'AD', 'SM', 'MT'];
/** More countries than these are counted, and not named. */
const maxNamed = 8;

/** What a newcomer can query in a dataset, what not, and how to add what is missing. */
export function describeDataset(manifest: Manifest): string {
  const { layers } = manifest;
  const count = (layer: LayerInfo | undefined, record: string) => number.format(layer?.records[record] ?? 0);
  const { world, zones, boundaries, postal, ip, addresses, streets, pois } = layers;
  const has: [string, string | undefined | false][] = [
    ['places', world && `${count(world, 'places')} cities, towns and villages, ${count(world, 'names')} names of them`],
    [
      'countries',
      world &&
        `${count(world, 'countries')}, with ${count(world, 'regions')} regions and ${count(world, 'subregions')} districts`,
    ],
    ['borders', boundaries && 'the country and region of any point'],
    ['time zones', zones && `${count(zones, 'zones')}, including oceans; sun times anywhere`],
    ['postal codes', postal && `${count(postal, 'postal_codes')}${byCountry(postal)}`],
    ['IP addresses', ip && 'with country, city and provider'],
    ['addresses', addresses && `${count(addresses, 'addresses')}${byCountry(addresses)}`],
    ['streets', streets && `${count(streets, 'streets')}${byCountry(streets)}`],
    ['points of interest', pois && `${count(pois, 'pois')}${byCountry(pois)}`],
  ];
  const rows = has.flatMap(([what, text]) => (text ? [`  ${what.padEnd(18)}  ${text}`] : []));
  const example = examples.find((code) => !addresses?.countries?.[code]) ?? examples[0];
  const missing = has.filter(([, text]) => !text).map(([what]) => what);
  return [
    `The dataset ${manifest.version} (${sizeOf(bytesOf(filesOf(manifest)))}) has`,
    ...rows,
    'and lacks',
    ...(missing.length > 0 ? [`  ${missing.join(', ')}`] : []),
    `  addresses and streets of ${addresses ? 'other countries, and of these all but some places' : 'every country'}`,
    `Add those of your country by its code. For ${countryNames.of(example)}:`,
    `  npx whereabouts build --region ${example}`,
  ].join('\n');
}

/** How many records of a layer each country has, where the build counted them; of many countries only how many these are. */
function byCountry({ countries = {} }: LayerInfo): string {
  const counts = Object.entries(countries).sort(([, one], [, other]) => other - one);
  if (counts.length === 0) return '';
  if (counts.length > maxNamed) return ` in ${counts.length} countries`;
  return `: ${counts.map(([code, count]) => `${countryNames.of(code) ?? code} ${number.format(count)}`).join(', ')}`;
}

/** Records, size and time of each layer, and the rows that were dropped and why. */
export function summarise(manifest: Manifest): string {
  const lines = [`Dataset ${manifest.version}`];
  for (const [name, layer] of Object.entries(manifest.layers)) {
    // Layers that are built together share files, which are counted with one of them.
    const size = layer.files.length === 0 ? 'with streets' : sizeOf(bytesOf(layer.files));
    const records = Object.entries(layer.records).map(([kind, count]) => `${number.format(count)} ${inWords(kind)}`);
    lines.push(
      `  ${name.padEnd(10)} ${size.padStart(12)}  ${`${layer.buildSeconds} s`.padStart(7)}  ${records.join(', ')}`,
    );
    const dropped = Object.entries(layer.dropped).filter(([, count]) => count > 0);
    if (dropped.length > 0)
      lines.push(
        `${' '.repeat(35)}dropped: ${dropped.map(([reason, count]) => `${number.format(count)} ${reason}`).join(', ')}`,
      );
  }
  lines.push(`  ${'total'.padEnd(10)} ${sizeOf(bytesOf(filesOf(manifest))).padStart(12)}`);
  return lines.join('\n');
}

/** `regionsWithIsoCode` and `postal_codes` as people write them. */
const inWords = (kind: string) =>
  kind
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\b(iso|ipv4|ipv6)\b/g, (word) => (word === 'iso' ? 'ISO' : word.replace('ip', 'IP')));
