/** The coverage of a country by a dataset, so that an empty answer shows whether there is no such record or no data. */
import knownCodes from '../core/postal/known-codes.json' with { type: 'json' };
import { type Layer, layers } from '../geocoding/layers.ts';
import { Nullable, nullable, oneOf, Type } from '../schema.ts';
import { type FeatureLayer, rowKinds, type Store } from '../store/store.ts';

/** Layers whose records belong to a country. */
const coveredLayers = ['postal', 'addresses', 'streets', 'pois'] as const;
type CoveredLayer = (typeof coveredLayers)[number];
export const coverageLevels = ['none', 'partial', 'full'] as const;

/** Minimum share of existing records for a layer to count as full. */
const fullFrom = 0.95;
const knownShares: Readonly<Record<string, { codes?: number; share?: number }>> = knownCodes;

/** Number of a dataset's records of a layer in a country (alpha-2), and their share of what exists. */
function coverageOf(store: Store, country: string, layer: CoveredLayer) {
  const records = recordsOf(store, country, layer);
  const share = layer === 'postal' ? postalShare(country, records) : null;
  return { records, level: levelOf(records, share !== null && share >= fullFrom), share };
}

const levelOf = (records: number, isFull = false): (typeof coverageLevels)[number] =>
  records === 0 ? 'none' : isFull ? 'full' : 'partial';

/** The coverage of every country for /status: its layers, with the number of records and their share of what exists. */
export function coverageByCountry(store: Store) {
  const codes = [...store.countries.assigned.map(({ iso2 }) => iso2), 'XK'].sort();
  return Object.fromEntries(
    codes.map((country) => {
      const layers = coveredLayers.filter((layer) => isCounted(store, layer));
      const covered = layers.map((layer) => {
        const { records, level, share } = coverageOf(store, country, layer);
        return [layer, { records, level, ...(share !== null && { share: Math.round(share * 100) / 100 }) }];
      });
      return [country, { ...Object.fromEntries(covered), ...outlinesOf(store, country) }];
    }),
  );
}

/** How many level-1 regions of a country have an outline, and the codes of those without. */
function outlinesOf({ boundaries, regions }: Store, country: string) {
  const listed = regions.list(country, 1);
  if (!boundaries || listed.length === 0) return {};
  const without = listed.filter(({ index }) => !boundaries.hasShape(index));
  const records = listed.length - without.length;
  const level = levelOf(records, without.length === 0);
  const missing = without.map(({ isoCode, sourceCode }) => isoCode ?? `${country}.${sourceCode}`);
  return { outlines: { records, level, share: Math.round((100 * records) / listed.length) / 100, missing } };
}

/** Whether a dataset has record counts by country: not while nobody knows those of a search cluster. */
const isCounted = ({ manifest, postal }: Store, layer: CoveredLayer) =>
  layer === 'postal' ? postal !== undefined : Object.keys(manifest.layers[layer]?.countries ?? {}).length > 0;

function recordsOf({ postal, manifest }: Store, country: string, layer: CoveredLayer): number {
  if (layer === 'postal') return postal?.countByCountry()[country] ?? 0;
  return manifest.layers[layer]?.countries?.[country] ?? 0;
}

/** Share of a country's codes that the dataset has, where the number of those in use is known; null elsewhere. */
function postalShare(country: string, codes: number): number | null {
  const known = knownShares[country];
  if (!known) return null;
  return known.codes === undefined ? (known.share ?? null) : Math.min(1, codes / known.codes);
}

/** The field of answers that are empty or uncertain; null where the answer needs none. */
export const coverageField = (layer: CoveredLayer) => ({
  coverage: nullable(
    Type.Object(
      {
        country: Nullable.String('ISO 3166-1 alpha-2 code; null if the query names or is in no country.'),
        [layer]: Type.Integer('Number of records in the country, or else in all.'),
        level: oneOf(
          coverageLevels,
          'Share of all existing records: `full` from 95%, `none`, or `partial`, which includes an unknown share.',
        ),
      },
      { description: 'How complete the dataset is there; null if the answer is neither empty nor uncertain.' },
    ),
  ),
});

/** The value of that field. */
export function coverageRecord(store: Store, country: string, layer: CoveredLayer) {
  const { records, level } = coverageOf(store, country, layer);
  return { country, [layer]: records, level };
}

/** The same for a text or point, of all countries if it names or is in none; null for datasets without counts. */
export function coverageForText(store: Store, country: string | undefined, layer: 'addresses' | 'streets' | 'pois') {
  const countries = store.manifest.layers[layer]?.countries;
  if (countries === undefined) return null;
  if (country !== undefined) return coverageRecord(store, country, layer);
  const records = Object.values(countries).reduce((sum, count) => sum + count, 0);
  return { country: null, [layer]: records, level: levelOf(records) };
}

/** For answers without results: the dataset's coverage of the requested layers. */
export const layersCoverageSchema = Type.Object(
  {
    country: Nullable.String('ISO 3166-1 alpha-2 code; null if the query names no country.'),
    layers: Type.Array(
      Type.Object({
        layer: oneOf(layers, 'One of the requested layers.'),
        records: Type.Integer('Number of records of the layer there.'),
        level: oneOf(coverageLevels, '`none` if there are no records.'),
      }),
    ),
  },
  {
    description:
      'How complete the requested layers are, in the country or in total; only if nothing was found. For the town of ' +
      'an address that the dataset lacks: how complete addresses are in its country.',
  },
);

/** The value of that field. */
export function layersCoverage(store: Store, requestedLayers: readonly Layer[], country: string | undefined) {
  const covered = requestedLayers.map((layer) => {
    const records = recordsOfLayer(store, layer, country);
    // Every dataset has all countries and, where the text or point is in one, that country.
    return { layer, records, level: levelOf(records, layer === 'country') };
  });
  return { country: country ?? null, layers: covered };
}

/** Where a manifest counts the records of a layer of answers. */
const counts = {
  region: ['world', 'regions'],
  subregion: ['world', 'subregions'],
  postal: ['postal', 'postal_codes'],
  street: ['streets', 'streets'],
  address: ['addresses', 'addresses'],
  poi: ['pois', 'pois'],
} as const;
const isCountedLayer = (layer: Layer): layer is keyof typeof counts => layer in counts;

function recordsOfLayer(store: Store, layer: Layer, country: string | undefined): number {
  const { regions, countries, places, manifest } = store;
  if (layer === 'country') return country === undefined ? countries.assigned.length : 1;
  if (layer === 'place')
    return country === undefined ? places.size : places.ofCountry(country, { limit: places.size }).length;
  if (!isCountedLayer(layer)) return featuresOf(store, layer, country);
  const [built, kind] = counts[layer];
  if (country === undefined) return manifest.layers[built]?.records[kind] ?? 0;
  return built === 'world'
    ? regions.list(country, layer === 'region' ? 1 : 2).length
    : recordsOf(store, country, built);
}

/** Features stand behind the places in the gazetteer's table. */
function featuresOf({ gazetteer, places }: Store, layer: FeatureLayer, country: string | undefined): number {
  const { facts, countryNumber } = gazetteer;
  const kind = rowKinds.indexOf(layer);
  const number = country === undefined ? undefined : countryNumber(country);
  let count = 0;
  for (let index = places.size; index < facts.size; index++) {
    if (facts.type(index) === kind && (country === undefined || facts.country(index) === number)) count++;
  }
  return count;
}
