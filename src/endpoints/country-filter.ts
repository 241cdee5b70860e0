import type { Store } from '../store/store.ts';
import type { Profile } from './endpoint.ts';

/**
 * Whether a code may be given for `country`: one that ISO 3166-1 assigns, in the `default` profile also one that places
 * carry without that (XK).
 */
export function countryFilter(store: Pick<Store, 'countries'>, profile: Profile): (iso2: string) => boolean {
  return (iso2) => {
    // Read only here: a library opens the world when its countries are first asked for.
    const country = store.countries.get(iso2);
    return country !== undefined && (country.isAssigned || profile === 'default');
  };
}
