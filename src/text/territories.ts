import territories from './dictionaries/territories.json' with { type: 'json' };

/**
 * Territories that have a country code of their own and that addresses name together with their state: `Le Port, La
 * Réunion, France`. From ISO 3166-1's remarks on each code.
 */
const territoriesOf: Readonly<Record<string, string>> = territories;

/** Whether an address with a country may lie in a territory with another code; alpha-2 codes in upper case. */
export function isPartOf(territory: string, country: string): boolean {
  return territory === country || (territoriesOf[country] ?? '').includes(territory);
}
