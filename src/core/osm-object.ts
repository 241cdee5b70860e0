/** Objects of OpenStreetMap, as records name them: `n123` is a node, `w5` a way, `r7` a relation. */

export const osmTypes = ['node', 'way', 'relation'] as const;
type OsmType = (typeof osmTypes)[number];
const letters = ['n', 'w', 'r'];

/** Whether an identifier of a source is an object of OpenStreetMap; other publishers have letters elsewhere or none. */
export const isOsmObject = (sourceId: string | undefined): sourceId is string =>
  sourceId !== undefined && /^[nwr][1-9]\d{0,14}$/.test(sourceId);

/** Type and id of an object; both null for none. */
export function osmReference(object: string | null | undefined): { osm_type: OsmType | null; osm_id: number | null } {
  if (!object) return { osm_type: null, osm_id: null };
  return { osm_type: osmTypes[letters.indexOf(object[0])], osm_id: Number(object.slice(1)) };
}

/** A whole number for an object, near those of objects that were mapped with it. */
export const numberOfObject = (object: string): number => Number(object.slice(1)) * 4 + letters.indexOf(object[0]);

export const objectOfNumber = (number: number): string => `${letters[number % 4]}${Math.floor(number / 4)}`;
