/** The facts of places and features as columns, by position; in each part position order is falling prominence. */
export type FactColumns = {
  /** Identifiers, which break ties. */
  id: Uint32Array;
  population: Uint32Array;
  prominence: Float32Array;
  /** Millionths of a degree. */
  lat: Int32Array;
  lng: Int32Array;
  /** Region positions, -1 when unknown. */
  admin1: Int32Array;
  admin2: Int32Array;
  /** Numbers of the kind of row, the country, the time zone and the source. */
  type: Uint8Array;
  country: Uint8Array;
  timezone: Uint16Array;
  source: Uint8Array;
  /** Position of the main name in the table of names. */
  name: Uint32Array;
};

export type PlaceTable = ReturnType<typeof placeTable>;

/** The same by functions, as `PlaceFacts` has them. */
export const placeTable = (columns: FactColumns) => {
  const { id, population, prominence, lat, lng, admin1, admin2, type, country, timezone, source, name } = columns;
  return {
    size: id.length,
    id: (index: number) => id[index],
    population: (index: number) => population[index],
    prominence: (index: number) => prominence[index],
    lat: (index: number) => lat[index],
    lng: (index: number) => lng[index],
    admin1: (index: number) => admin1[index],
    admin2: (index: number) => admin2[index],
    type: (index: number) => type[index],
    country: (index: number) => country[index],
    timezone: (index: number) => timezone[index],
    source: (index: number) => source[index],
    name: (index: number) => name[index],
  };
};
