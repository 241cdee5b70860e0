/** Places in PostgreSQL as one would store them for such queries: an index for each kind. */
import type { Place } from '../../src/store/store.ts';
import { fold } from '../../src/text/fold.ts';

export type Client = {
  connect(): Promise<void>;
  query(
    statement: string | { name: string; text: string; values: readonly unknown[] },
    values?: readonly unknown[],
  ): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
};

const columns = 'id, name, lat, lng, country, population';
const prepared = (name: string, text: string) => (values: readonly unknown[]) => ({ name, text, values });

/** Prepared once on the connection. A similarity of 0.4 leaves out what shares few trigrams, which is most of the work. */
export const statements = {
  nearby: prepared(
    'nearby',
    `SELECT ${columns}, ST_Distance(at, ST_MakePoint($1, $2)::geography) AS m FROM places
     WHERE ST_DWithin(at, ST_MakePoint($1, $2)::geography, $3) ORDER BY at <-> ST_MakePoint($1, $2)::geography LIMIT $4`,
  ),
  search: prepared(
    'search',
    `SELECT ${columns} FROM places WHERE folded % $1 ORDER BY similarity(folded, $1) DESC, population DESC LIMIT 10`,
  ),
  begins: prepared(
    'begins',
    `SELECT ${columns} FROM places WHERE folded LIKE $1 || '%' ORDER BY population DESC LIMIT 10`,
  ),
};

/** Reloads the places and builds the indexes; returns how long that took, ms. */
export async function loadPlaces(client: Client, places: readonly Place[]): Promise<number> {
  const from = performance.now();
  await client.query('CREATE EXTENSION IF NOT EXISTS postgis');
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
  await client.query('DROP TABLE IF EXISTS places');
  await client.query(`CREATE TABLE places (id bigint, name text, folded text, lat float8, lng float8, country text,
    population bigint, at geography(Point))`);
  const rowsPerStatement = 5000;
  for (let start = 0; start < places.length; start += rowsPerStatement) {
    const rows = places.slice(start, start + rowsPerStatement);
    const list = (value: (place: Place) => unknown) => rows.map(value);
    await client.query(
      `INSERT INTO places SELECT id, name, folded, lat, lng, country, population, ST_MakePoint(lng, lat)::geography
       FROM unnest($1::bigint[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::text[], $7::bigint[])
       AS row(id, name, folded, lat, lng, country, population)`,
      [
        list(({ id }) => id),
        list(({ name }) => name),
        list(({ name }) => fold(name)),
        list(({ lat }) => lat),
        list(({ lng }) => lng),
        list(({ country }) => country),
        list(({ population }) => population ?? 0),
      ],
    );
  }
  await client.query('CREATE INDEX ON places USING gist (at)');
  await client.query('CREATE INDEX ON places USING gin (folded gin_trgm_ops)');
  await client.query('CREATE INDEX ON places (folded text_pattern_ops)');
  await client.query('VACUUM ANALYZE places');
  await client.query('SET pg_trgm.similarity_threshold = 0.4');
  return performance.now() - from;
}
