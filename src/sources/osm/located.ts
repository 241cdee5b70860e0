/** Objects of an OpenStreetMap file with their positions, from tags and the lines of their ways. */
import { centroidOfRings, isRing, middleOfLine } from '../../core/line-geometry.ts';
import type { LocatedArea } from './area-relations.ts';
import { membersOf, type OsmBlock } from './block.ts';
import { countryOf, isBoundary, isStreet, type ObjectType, type OsmFeature } from './feature.ts';
import { objectKey } from './keeper.ts';
import type { Boundary } from './settlements.ts';

const memberTypes: readonly ObjectType[] = ['n', 'w', 'r'];

/** A way of which some record is made; `line` is not empty, and `nodeIds` are its nodes. */
export function wayFeature(
  id: number,
  tags: Record<string, string>,
  line: Float64Array,
  nodeIds: Float64Array,
): OsmFeature {
  const point = isRing(line) ? centroidOfRings([line]) : middleOfLine(line);
  const feature: OsmFeature = { type: 'w', id, tags, ...point };
  if (tags['addr:interpolation'] !== undefined) return { ...feature, lines: [line], nodeIds };
  return isStreet(tags) ? { ...feature, lines: [line] } : feature;
}

/** A relation of which some record is made; `undefined` where none of its ways is located. */
export function areaFeature({ id, tags, outers, lines }: LocatedArea): OsmFeature | undefined {
  const point = outers.length > 0 ? centroidOfRings(outers) : lines[0] && middleOfLine(lines[0]);
  if (!point) return undefined;
  const feature: OsmFeature = { type: 'r', id, tags, ...point };
  return isStreet(tags) ? { ...feature, lines } : feature;
}

/** The boundary that a relation is, if any; `cut` where it has no closed ring because the extract's edge cuts it. */
export function boundaryOf({ tags, outers }: LocatedArea): Boundary | 'cut' | undefined {
  if (!isBoundary(tags)) return undefined;
  if (outers.length === 0) return 'cut';
  const country = countryOf(tags);
  return { level: Number(tags.admin_level), name: tags.name, ...(country && { country }) };
}

/** Keys of the members of a street relation that are houses. */
export function* housesOfRelation(block: OsmBlock, at: number): Generator<number> {
  for (const { type, id, role } of membersOf(block, at)) {
    if (role === 'house' || role === 'address' || role === '') yield objectKey(memberTypes[type], id);
  }
}

/** The member ways of a relation. */
export function waysOfRelation(block: OsmBlock, at: number): { way: number; isInner: boolean }[] {
  const ways = [...membersOf(block, at)].filter(({ type }) => memberTypes[type] === 'w');
  return ways.map(({ id, role }) => ({ way: id, isInner: role === 'inner' }));
}
