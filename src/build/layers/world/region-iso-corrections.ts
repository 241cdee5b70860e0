/**
 * ISO 3166-2 codes of level-1 regions that neither crosswalk nor names lead to, by alpha-2 and GeoNames admin1 code;
 * `''` for a region that has none although a namesake has. Each was looked up in ISO's list by hand.
 */
export const isoCodesByHand: Readonly<Record<string, string>> = {};
