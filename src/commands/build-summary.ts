/** Describes what a dataset contains and lacks, for users and operators. */
import { filesOf, type LayerInfo, type Manifest } from '../store/manifest.ts';

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
