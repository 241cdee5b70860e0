/** Areas that give a place context, as one number: a country's number, or a region's position after all of those. */
const firstRegion = 1024;

/** The area of a country, by its number in the place table. */
export const areaOfCountry = (number: number) => number;

/** The area of a region, by its position in the region table. */
export const areaOfRegion = (position: number) => firstRegion + position;

/** Whether an area is a country; else it is a region. */
export const isCountryArea = (area: number) => area < firstRegion;

/** Position of a region area in the region table. */
export const regionOfArea = (area: number) => area - firstRegion;
