import type { Store } from '../store/store.ts';
import type { Profile } from './endpoint.ts';

/**
 * Whether a code may be given for `country`: one that ISO 3166-1 assigns, in the `default` profile also one that places
 * carry without that (XK).
 */
export function countryFilter({ countries }: Pick<Store, 'countries'>, profile: Profile): (iso2: string) => boolean {
  return (iso2) => {
    const country = countries.get(iso2);
    return country !== undefined && (country.isAssigned || profile === 'default');
  };
}
