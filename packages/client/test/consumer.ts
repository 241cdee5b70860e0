/** What a program may and may not write against the client; the compiler is the test. */
import { createClient, type ErrorCode, type Search, WhereaboutsApiError } from '../src/index.ts';

export async function consume(): Promise<void> {
  const whereabouts = createClient({ baseUrl: 'http://localhost:8080', apiKey: 'wab_' });
  const found: Search = await whereabouts.search({ q: 'paris', limit: 3, type: 'city' });
  const region: string | null | undefined = found.results[0]?.admin1;
  const asA = createClient({ baseUrl: 'http://localhost:8080', variant: 'a' });
  const nearby = await asA.nearby({ lat: 0, lng: 0 });
  const collection = await whereabouts.geojson('cities', { country: 'DE' });
  const longitude: number | undefined = collection.features[0]?.geometry?.coordinates[0];
  const csv: string = await whereabouts.csv('countriesAll', {});
  const version: string = (await whereabouts.status()).version;
  void [region, nearby.results[0]?.distance_km, longitude, csv, version];

  // @ts-expect-error q is required
  await whereabouts.search({});
  // @ts-expect-error a limit is a number
  await whereabouts.search({ q: 'paris', limit: '3' });
  // @ts-expect-error there is no such parameter
  await whereabouts.search({ q: 'paris', size: 3 });
  // @ts-expect-error there is no such type of place
  await whereabouts.search({ q: 'paris', type: 'metropolis' });
  // @ts-expect-error variant A has no id here
  void nearby.results[0]?.id;
  // @ts-expect-error countries have no position
  await whereabouts.geojson('countries', {});
  // @ts-expect-error there is no such variant
  createClient({ baseUrl: '', variant: 'c' });

  try {
    await whereabouts.country({ code: 'XX' });
  } catch (error) {
    if (!(error instanceof WhereaboutsApiError)) throw error;
    const code: ErrorCode = error.code;
    // @ts-expect-error there is no such code
    void (code === 'no_such_code');
    void error.errors.map(({ parameter }) => parameter);
  }
}
