/**
 * Territories that have a country code of their own and that addresses name together with their state: `Le Port, La
 * Réunion, France`. From ISO 3166-1's remarks on each code.
 */
const territories: Readonly<Record<string, string>> = {
  AU: 'CC CX NF HM',
  CN: 'HK MO TW',
  DK: 'FO GL',
  FI: 'AX',
  FR: 'BL GF GP MF MQ NC PF PM RE TF WF YT',
  GB: 'AI BM FK GG GI GS IM IO JE KY MS PN SH TC VG',
  NL: 'AW BQ CW SX',
  NO: 'BV SJ',
  NZ: 'CK NU TK',
  US: 'AS GU MP PR UM VI',
};

/** Whether an address that names a country may lie where another code holds: alpha-2 codes in upper case. */
export function isPartOf(territory: string, country: string): boolean {
  return territory === country || (territories[country] ?? '').includes(territory);
}
