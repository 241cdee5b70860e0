/** What is open without a key: status and health. */
import { nullable, queryMs } from '../../endpoints/parameters.ts';
import { WhereaboutsError } from '../../errors.ts';
import { Type } from '../../schema.ts';
import type { Action } from '../action.ts';
import { json } from '../route.ts';
import { currentStore, type Service } from '../service.ts';
import { statusOf } from './dataset-status.ts';

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
          sources: Type.Array(Type.Object({ id: Type.String(), vintage: nullable(Type.String()) })),
        }),
      ),
      sources: Type.Array(
        Type.Object({
          id: Type.String({ description: 'Identifier, as in the field `sources` of records.' }),
          title: Type.String(),
          version: Type.String(),
          vintage: nullable(Type.String({ description: 'Date of the data itself.' })),
          licence: Type.String(),
          attribution: Type.String(),
          url: Type.String(),
        }),
      ),
    }),
  ),
  ...queryMs,
});

/** Status and health as they are declared. */
export function serviceActions(service: Service): Action[] {
  const { store, version } = service;
  const open = { method: 'GET', tag: 'Service', isOpen: true } as const;
  return [
    {
      ...open,
      name: 'status',
      path: '/status',
      summary: 'Version, dataset, its layers and sources',
      answers: { 200: status },
      errors: [],
      handle: () => json(200, statusOf(store.current, version, store.isStopping === true)),
    },
    {
      ...open,
      name: 'live',
      path: '/health/live',
      summary: 'Liveness',
      answers: { 200: health },
      errors: [],
      handle: () => json(200, { status: 'ok' }),
    },
    {
      ...open,
      name: 'ready',
      path: '/health/ready',
      summary: 'Readiness',
      answers: { 200: health },
      errors: [503],
      handle() {
        if (store.isStopping) throw new WhereaboutsError('unavailable', 'the service is stopping');
        currentStore(service);
        return json(200, { status: 'ok' });
      },
    },
  ];
}
