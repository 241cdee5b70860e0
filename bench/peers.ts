/**
 * Addresses of one file, queried at this service and at a running Nominatim that has imported the same file: how many
 * are found, and how long an answer takes. Both are queried over HTTP, one question after the other on one connection.
 *   node bench/peers.ts <osm file> <country> <this service's address> <its key> <Nominatim's address> [sample size]
 */
import { basename } from 'node:path';
import { distanceKm, type LatLng } from '../src/core/geo.ts';
import { type Form, forms } from './quality/forms.ts';
import { addressesOf, draw, randomNumbers, type Sample } from './quality/samples.ts';

const nearEnoughKm = 0.025;

/** The houses among a service's results, in order; `undefined` for results without a house number. */
type Peer = { name: string; ask(text: string): Promise<(LatLng | undefined)[]> };

const [file, country, ours, key, nominatim, sampleSize = '500'] = process.argv.slice(2);
if (!nominatim) throw new Error('usage: node bench/peers.ts <osm file> <country> <our address> <key> <Nominatim>');

const peers: readonly Peer[] = [
  {
    name: 'Whereabouts',
    async ask(text) {
      const query = new URLSearchParams({ q: text, country, limit: '10' });
      const response = await fetch(`${ours}/v1/address?${query}`, { headers: { 'x-api-key': key } });
      if (response.status === 404) return [];
      const { results } = (await answer(response)) as { results: (LatLng & { match_type: string })[] };
      return results.map((result) => (result.match_type === 'exact' ? result : undefined));
    },
  },
  {
    name: 'Nominatim',
    async ask(text) {
      const query = new URLSearchParams({
        q: text,
        countrycodes: country.toLowerCase(),
        limit: '10',
        addressdetails: '1',
        format: 'jsonv2',
      });
      const results = (await answer(await fetch(`${nominatim}/search?${query}`))) as {
        lat: string;
        lon: string;
        address: { house_number?: string };
      }[];
      return results.map(({ lat, lon, address }) =>
        address.house_number === undefined ? undefined : { lat: Number(lat), lng: Number(lon) },
      );
    },
  },
];

async function answer(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

type Tally = { queries: number; first: number; found: number; milliseconds: number[] };

async function measure(peer: Peer, samples: readonly Sample[], form: Form): Promise<Tally> {
  const random = randomNumbers(7);
  const tally: Tally = { queries: 0, first: 0, found: 0, milliseconds: [] };
  for (const sample of samples) {
    const text = form.ask(sample, random);
    if (text === undefined) continue;
    const startedAt = performance.now();
    const houses = await peer.ask(text);
    tally.milliseconds.push(performance.now() - startedAt);
    const isHit = houses.map((house) => house !== undefined && distanceKm(house, sample) <= nearEnoughKm);
    tally.queries++;
    if (isHit[0]) tally.first++;
    if (isHit.includes(true)) tally.found++;
  }
  tally.milliseconds.sort((a, b) => a - b);
  return tally;
}

const share = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

const samples = draw(addressesOf(file), Number(sampleSize), randomNumbers(42));
console.log(`${samples.length} addresses of ${basename(file)}\n`);
console.log('| asked as | service | first answer | among ten | p50 ms | p99 ms |\n|---|---|---|---|---|---|');
for (const form of forms) {
  for (const peer of peers) {
    const { queries, first, found, milliseconds } = await measure(peer, samples, form);
    const percentile = (part: number) => milliseconds[Math.floor((milliseconds.length - 1) * part)]?.toFixed(2) ?? '–';
    console.log(
      `| ${form.name} | ${peer.name} | ${share(first, queries)} | ${share(found, queries)} | ${percentile(0.5)} | ${percentile(0.99)} |`,
    );
  }
}
