import { type Profile, profiles } from '../endpoints/endpoint.ts';
import { invalidParameter } from '../errors.ts';

const byName = new Map<string, Profile>(profiles.map((profile) => [profile, profile]));

/**
 * The profile of a request: its header `X-API-Variant` or its parameter `variant`, in any case, else the key's own
 * setting, else `default`. Throws `invalid_parameter` for any other value, and when the two differ.
 */
export function profileOf(header: string | string[] | undefined, parameter: unknown, ofKey: Profile | null): Profile {
  if (header === undefined && parameter === undefined) return ofKey ?? 'default';
  const fromHeader = header === undefined ? undefined : read(header, 'the header X-API-Variant');
  const fromParameter = parameter === undefined ? undefined : read(parameter, 'variant');
  if (fromHeader !== undefined && fromParameter !== undefined && fromHeader !== fromParameter) {
    throw invalidParameter(
      'variant',
      `variant is ${fromParameter} and the header X-API-Variant is ${fromHeader}; send one of them`,
    );
  }
  return (fromParameter ?? fromHeader)!;
}

function read(got: unknown, what: string): Profile {
  const profile = typeof got === 'string' ? byName.get(got.trim().toLowerCase()) : undefined;
  if (profile) return profile;
  const shown = typeof got === 'string' ? JSON.stringify(got.slice(0, 60)) : 'given more than once';
  throw invalidParameter('variant', `${what} is ${shown}, expected one of a, b, default`);
}
