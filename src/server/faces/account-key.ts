/** The properties of a key that its owner sees and changes. */
import type { Static } from 'typebox';
import { UsageError, WhereaboutsError } from '../../errors.ts';
import { type KeyRecord, timeOf } from '../../keys/key-record.ts';
import { formerTexts, parseOrigin } from '../../keys/key-rules.ts';
import type { ChangeCheck } from '../../keys/key-store.ts';
import { isInside, parseAddress, parseNetwork } from '../../keys/networks.ts';
import { fallbackPlan } from '../../keys/plans.ts';
import { addressOf } from '../call.ts';
import type { Call, Service } from '../service.ts';
import type { changeRequest } from './account-schemas.ts';

/** Changes a key and describes the result. Throws `invalid_body`. */
export async function changeKey(
  service: Service,
  call: Call,
  { id }: KeyRecord,
  changes: Static<typeof changeRequest>,
  check: ChangeCheck,
): Promise<Record<string, unknown>> {
  const origins = changes.origins?.map(originOf) ?? changes.origins;
  if (changes.networks) checkNetworks(changes.networks, addressOf(service, call));
  const { name, networks } = changes;
  const wanted = Object.entries({ name, origins, networks }).filter(([, value]) => value !== undefined);
  try {
    const { key, code } = await service.keys.changeAsOwner(id, Object.fromEntries(wanted), check);
    return { ...describeKey(service, call, key), ...(code === undefined ? {} : { owner_code: code }) };
  } catch (error) {
    if (error instanceof UsageError) throw bodyError(networks ? 'networks' : 'name', error.message);
    throw error;
  }
}

/** An origin as browsers send it. Throws `invalid_body`. */
export function originOf(text: string): string {
  try {
    return parseOrigin(text);
  } catch (error) {
    throw bodyError('origins', (error as Error).message);
  }
}

function checkNetworks(networks: readonly string[], from: string | undefined): void {
  const parsed = networks.map((network) => {
    try {
      return parseNetwork(network);
    } catch (error) {
      throw bodyError('networks', (error as Error).message);
    }
  });
  const address = from === undefined ? undefined : parseAddress(from);
  if (address && isInside(address, parsed)) return;
  throw bodyError(
    'networks',
    `none of the networks contains your own address ${from ?? '(unknown)'}, which would lock you out; add it`,
  );
}

export const bodyError = (parameter: string, detail: string) =>
  new WhereaboutsError('invalid_body', detail, { errors: [{ parameter, detail }] });

/** The properties of a key that its owner sees. */
export function describeKey({ keys }: Service, { now }: Call, key: KeyRecord): Record<string, unknown> {
  const plan = keys.plans[key.plan] ?? keys.plans[fallbackPlan];
  return {
    key: key.display,
    name: key.name,
    plan: key.plan,
    calls_per_day: plan.callsPerDay,
    calls_per_second: plan.callsPerSecond,
    burst: plan.burst,
    profile: key.profile,
    created: timeOf(key.createdAt),
    expires: timeOf(key.expiresAt),
    origins: key.origins,
    networks: key.networks,
    endpoints: key.endpoints,
    former_keys: formerTexts(key, now).map(({ display, expiresAt }) => ({ key: display, until: timeOf(expiresAt) })),
    needs_owner_code: key.ownerHash !== null,
  };
}
