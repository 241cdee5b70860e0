import type { Store } from '../../src/store/store.ts';

/**
 * Requests sent in turn: enough distinct ones that no cache of answers would do; countries have fewer, as there are
 * 249.
 */
const distinct = 2000;

/** Paths by endpoint, made from the dataset's own places, so that every one has an answer. Same dataset, same paths. */
export function benchQueries({ places, countries, regions, postal }: Store): Record<string, string[]> {
  // Steps that share no factor with the sizes, so that big and small places of all countries come in turn.
  const sample = Array.from({ length: distinct }, (_, i) => places.get((i * 7919) % places.size));
  const cities = Array.from({ length: distinct }, (_, i) => places.get((i * 7) % Math.min(places.size, 20_000)));
  const assigned = countries.assigned;
  const country = (i: number) => assigned[i % assigned.length].iso2;
  const enc = encodeURIComponent;
  const region = (index: number) => (index < 0 ? '' : ` ${regions.get(index).name}`);
  const isAssigned = ({ country: code }: { country: string }) => countries.get(code)?.isAssigned === true;
  const near = ({ lat, lng }: { lat: number; lng: number }, i: number) =>
    `lat=${Math.min(90, Math.max(-90, lat + (i % 13) * 0.011)).toFixed(5)}&lng=${Math.min(180, lng + (i % 7) * 0.013).toFixed(5)}`;
  const codes = sample.flatMap(({ index, country: code, name }) =>
    (postal?.ofPlace(index) ?? []).slice(0, 1).map((postalCode) => ({ code: postalCode, country: code, name })),
  );
  const prefix = (name: string, i: number) => [...name].slice(0, 2 + (i % 4)).join('');
  const address = (i: number) => `${1 + ((i * 37) % 222)}.${(i * 101) % 256}.${(i * 29) % 256}.${(i * 53) % 256}`;
  const byEndpoint: Record<string, string[]> = {
    country: sample.map((_, i) => `/v1/country/${i % 2 ? country(i) : country(i).toLowerCase()}`),
    countries: sample.map((_, i) => `/v1/countries?limit=${1 + (i % 50)}`),
    'countries/all': ['/v1/countries/all'],
    postal: codes.map(({ code, country: iso2 }) => `/v1/postal?code=${enc(code)}&country=${iso2}`),
    validate: codes.map(
      ({ code, country: iso2, name }) => `/v1/validate?city=${enc(name)}&postal_code=${enc(code)}&country=${iso2}`,
    ),
    ip: sample.map((_, i) => `/v1/ip?ip=${address(i)}`),
    timezone: sample.map((place, i) => `/v1/timezone?${near(place, i)}`),
    sun: sample.map((place, i) => `/v1/sun?${near(place, i)}&date=2026-0${1 + (i % 9)}-15`),
    'distance (coordinates, b)': sample.map((place, i) => {
      const other = sample[(i + 1) % distinct];
      return `/v1/distance?from_lat=${place.lat}&from_lng=${place.lng}&to_lat=${other.lat}&to_lng=${other.lng}&variant=b`;
    }),
    'distance (coordinates)': sample.map((place, i) => {
      const other = sample[(i + 1) % distinct];
      return `/v1/distance?from_lat=${place.lat}&from_lng=${place.lng}&to_lat=${other.lat}&to_lng=${other.lng}`;
    }),
    autocomplete: cities
      .map(({ name }, i) => prefix(name, i).trim())
      .filter((typed) => [...typed].length > 1)
      .map((typed) => `/v1/autocomplete?q=${enc(typed)}`),
    // Typical searches: names spelled correctly, every other one with its region; misspelled ones are in
    // bench/search.ts.
    search: cities.map(({ name, admin1 }, i) => `/v1/search?q=${enc(i % 2 ? name : name + region(admin1))}`),
    nearby: sample.map((place, i) => `/v1/nearby?${near(place, i)}`),
    reverse: sample.map((place, i) => `/v1/reverse?${near(place, i)}`),
    cities: cities
      .filter(isAssigned)
      .map(({ country: iso2 }, i) => `/v1/cities?country=${iso2}&min_population=${1000 + i}`),
    admin: sample.map((_, i) => `/v1/admin?country=${country(i)}`),
  };
  const { search, autocomplete } = byEndpoint;
  const cheap = ['country', 'timezone', 'ip', 'distance (coordinates, b)', 'postal'];
  return {
    ...byEndpoint,
    'search (Zipf 1.0)': zipf(search),
    'autocomplete (Zipf 1.0)': zipf(autocomplete),
    'batch of 100, cheap endpoints': batches(cheap.map((name) => byEndpoint[name])),
    'batch of 100, all endpoints': batches(Object.values(byEndpoint).filter((paths) => paths.length > 1)),
  };
}

/** The target, as a ratio to the constant answer. */
export const aims: Readonly<Record<string, number>> = {
  ...{ country: 0.6, ip: 0.6, timezone: 0.6, 'distance (coordinates, b)': 0.6, 'distance (coordinates)': 0.6 },
  ...{ cities: 0.5, autocomplete: 0.45, sun: 0.4, nearby: 0.4, reverse: 0.4, validate: 0.4, postal: 0.5, search: 0.33 },
  'search (Zipf 1.0)': 0.45,
};

/** Twice as many questions, the nth of them sent in proportion to 1/n: like real traffic, a few very often. */
function zipf(paths: readonly string[]): string[] {
  let seed = 1;
  return Array.from({ length: paths.length * 2 }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return paths[Math.floor(paths.length ** (seed / 2_147_483_647)) - 1];
  });
}

/** A hundred requests to the batch endpoint, each of a hundred entries of all lists in turn; a path, a tab and a body. */
function batches(lists: readonly (readonly string[])[]): string[] {
  return Array.from({ length: 100 }, (_batch, batch) => {
    const requests = Array.from({ length: 100 }, (_entry, at) => {
      const list = lists[at % lists.length];
      const { pathname, searchParams } = new URL(list[(batch * 101 + at) % list.length], 'http://localhost');
      const { variant: _variant, ...params } = Object.fromEntries(searchParams);
      return { endpoint: pathname.replace('/v1/', ''), params };
    });
    return `/v1/batch\t${JSON.stringify({ requests })}`;
  });
}
