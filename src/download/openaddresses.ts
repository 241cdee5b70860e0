/**
 * Results of OpenAddresses by its API (github.com/openaddresses/batch): `data` lists the latest result of each source,
 * `job/<job>` has its licence, `job/<job>/output/source.geojson.gz` leads to the file, for those who are signed in.
 */
import { UsageError } from '../errors.ts';
import { type Extract, readJsonList, under } from './extracts.ts';

type Result = {
  source: string;
  layer: string;
  name: string;
  job: number;
  size?: number | null;
  output?: { output?: boolean };
};

/** The results of a country's address sources, with the address of each one's licence note. Empty when it has none. */
export async function openAddressesExtracts(country: string, base: string): Promise<Extract[]> {
  const folder = `${country.toLowerCase()}/`;
  const url = under(base, `data?source=${encodeURIComponent(folder)}&layer=addresses`);
  const results = (await readJsonList(url)) as Result[];
  if (!Array.isArray(results) || results.some((result) => typeof result?.source !== 'string' || !result.job)) {
    throw new UsageError(
      `${url} did not return a list of results with "source" and "job"; check openaddressesMirror in the configuration`,
    );
  }
  // The API finds the text anywhere in a source's name, so `li/` has `us/nc/li/…` too.
  const own = results.filter(
    ({ source, layer, output }) => source.startsWith(folder) && layer === 'addresses' && output?.output !== false,
  );
  return own.map(({ source, layer, name, job, size }) => ({
    country,
    kind: 'openaddresses',
    url: under(base, `job/${job}/output/source.geojson.gz`),
    // As the collections name their files; the reader takes country and state from the folders.
    fileName: `openaddresses/${source}-${layer}-${name}.geojson.gz`.replace(/[^\p{L}\p{N}/._-]/gu, '_'),
    ...(typeof size === 'number' && size > 0 && { bytes: size }),
    note: under(base, `job/${job}`),
    needsToken: true,
  }));
}
