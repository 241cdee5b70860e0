/** What is open without a key: status and health. */
import { coverageByCountry, coverageLevels } from '../../endpoints/coverage.ts';
import { optional, queryMs } from '../../endpoints/parameters.ts';
import { WhereaboutsError } from '../../errors.ts';
import { Nullable, nullable, oneOf, Type } from '../../schema.ts';
import type { Store } from '../../store/store.ts';
import { json } from '../route.ts';
import { currentStore, type Service } from '../service.ts';
import { type ApiRoute, parametersBy } from './openapi.ts';
import { wantsPage } from './portal.ts';

const health = Type.Object({ status: Type.Unsafe<'ok'>({ type: 'string', const: 'ok' }), ...queryMs });
const named = (values: object) => Type.Unsafe<object>({ type: 'object', additionalProperties: values });

const status = Type.Object({
  status: Type.Unsafe<string>({ type: 'string', enum: ['ok', 'starting', 'stopping'] }),
  version: Type.String(),
  uptime_seconds: Type.Integer(),
  dataset: nullable(
    Type.Object({
      version: Type.String(),
      built_at: Type.String({ format: 'date-time' }),
      layers: named(
        Type.Object({
          records: named(Type.Integer()),
          sources: Type.Array(Type.Object({ id: Type.String(), vintage: Nullable.String() })),
        }),
      ),
      coverage: named(
        named(
          Type.Object({
            records: Type.Integer(),
            level: oneOf(coverageLevels, 'How complete a layer is in a country.'),
            share: optional(Type.Number('Of what exists, where that is known.')),
            missing: optional(Type.Array(Type.String(), { description: 'Regions without an outline.' })),
          }),
        ),
      ),
      coming: Type.Array(Type.String(), { description: 'Layers of a first dataset that are still being built.' }),
      sources: Type.Array(
        Type.Object({
          id: Type.String('Identifier, as in the field `sources` of records.'),
          title: Type.String(),
          version: Type.String(),
          vintage: Nullable.String('Date of the data itself.'),
          licence: Type.String(),
          attribution: Type.String(),
          url: Type.String(),
        }),
      ),
    }),
  ),
  ...queryMs,
});

const enough = '`world`: a first dataset that is still being built is enough as soon as it has places and time zones.';
const readiness = parametersBy(Type.Object({ ready: optional(oneOf(['world'], enough)) }));

/** Status and health as they are declared; a browser that asks for a page gets `page` in place of the status. */
export function statusRoutes(service: Service, page: ApiRoute['handle']): ApiRoute[] {
  const { store, version } = service;
  const open = { method: 'GET', tag: 'Service' } as const;
  const vital = { ...open, isVital: true } as const;
  return [
    {
      ...open,
      name: 'status',
      path: '/status',
      summary: 'Version, dataset, its layers and sources',
      answers: { 200: status },
      handle(call) {
        if (wantsPage(call.request)) return page(call);
        const answer = json(200, statusOf(store.current, version, store.isStopping === true));
        answer.headers.push('Vary', 'Accept, Accept-Encoding');
        return answer;
      },
    },
    {
      ...vital,
      name: 'live',
      path: '/health/live',
      summary: 'Liveness',
      answers: { 200: health },
      handle: () => json(200, { status: 'ok' }),
    },
    {
      ...vital,
      name: 'ready',
      path: '/health/ready',
      summary: 'Readiness',
      query: readiness,
      answers: { 200: health },
      errors: [400, 503],
      handle(call) {
        const { ready } = readiness.of(call).parameters;
        if (store.isStopping) throw new WhereaboutsError('unavailable', 'the service is stopping');
        const { coming } = currentStore(service).manifest;
        if (coming && ready !== 'world') {
          throw new WhereaboutsError(
            'unavailable',
            `still being built: ${coming.join(', ')}; with ready=world, places and time zones are enough`,
            { retryAfterSeconds: 10 },
          );
        }
        return json(200, { status: 'ok' });
      },
    },
  ];
}

/** What is reported of each dataset: the coverage of all countries takes some ms. */
const datasets = new WeakMap<Store['manifest'], ReturnType<typeof datasetOf>>();

/** The answer of /status about a dataset and the process. */
function statusOf(store: Store | undefined, version: string, isStopping: boolean) {
  return {
    status: isStopping ? 'stopping' : store ? 'ok' : 'starting',
    version,
    uptime_seconds: Math.floor(process.uptime()),
    dataset: store ? datasets.getOrInsertComputed(store.manifest, () => datasetOf(store)) : null,
  };
}

function datasetOf(store: Store) {
  const { manifest } = store;
  const vintages = new Map(manifest.sources.map(({ id, vintage }) => [id, vintage]));
  return {
    version: manifest.version,
    built_at: manifest.builtAt,
    layers: Object.fromEntries(
      Object.entries(manifest.layers).map(([name, { records, sources }]) => [
        name,
        { records, sources: sources.map((id) => ({ id, vintage: vintages.get(id) ?? null })) },
      ]),
    ),
    coverage: coverageByCountry(store),
    coming: manifest.coming ?? [],
    sources: manifest.sources,
  };
}
