/** What readers of boundaries yield, whatever the publisher's format. */

/** An administrative area and its land. */
export type AdminAreaRecord = {
  /** OpenStreetMap's `admin_level`: 2 country, 4 mostly the region, 6 the county, 8 the municipality, 9 to 11 its parts. */
  level: number;
  /** In the language of the area. */
  name: string;
  /** Names by language code (`de`, `sr-Latn`), where the source has any. */
  names?: Readonly<Record<string, string>>;
  /** ISO 3166-1 alpha-2 of a country, ISO 3166-2 of a part of one, where the source says it. */
  isoCode?: string;
  /** Alpha-2 code of the country, where the source says it. */
  country?: string;
  /** Each an outer ring and its holes as [lng0, lat0, lng1, lat1, …] in degrees, closed; never empty. */
  polygons: Float64Array[][];
  /** Id of the area at the source (`r51477` for OpenStreetMap). */
  sourceId?: string;
};
