/**
 * Some thousands of OpenStreetMap objects as columns, the common format of the PBF and XML readers. The columns belong
 * to the reader and hold their values only until the next block is requested.
 */

/** Texts of a block by number. `at` decodes a text once. */
export type Texts = { at(index: number): string };

/** Tags of object i are `tags[2j]` (key) and `tags[2j + 1]` (value), numbers of texts, for j in [ends[i-1], ends[i]). */
export type Tagged = { count: number; ids: Float64Array; tagEnds: Uint32Array; tags: Uint32Array };

/** Positions are in units of 1e-7 degrees. */
type Nodes = Tagged & { lats: Int32Array; lngs: Int32Array };

/** Node ids of way i are `refs[refEnds[i-1] … refEnds[i]]`. */
type Ways = Tagged & { refEnds: Uint32Array; refs: Float64Array };

/** Members of relation i are at `memberEnds[i-1] … memberEnds[i]`; types are 0 node, 1 way, 2 relation. */
type Relations = Tagged & {
  memberEnds: Uint32Array;
  memberIds: Float64Array;
  memberTypes: Uint8Array;
  memberRoles: Uint32Array;
};

export type OsmBlock = { texts: Texts; nodes: Nodes; ways: Ways; relations: Relations };

/** The kinds of objects that a reader is to return. */
export type Wanted = { nodes: boolean; ways: boolean; relations: boolean };

/** An OpenStreetMap file that can be read more than once. */
export type OsmFile = {
  /** Bytes of a file whose kinds of objects can be read apart from each other at little cost; others say nothing. */
  bytes?: number;
  /** Blocks with the wanted kinds of objects; other kinds may be missing. All nodes come before the first way. */
  blocks(wanted: Wanted, progress?: (share: number) => void): AsyncIterable<OsmBlock>;
};

/** A block without objects, with room for a usual block of 8,000. */
export function emptyBlock(texts: Texts): OsmBlock {
  const tagged = (count: number): Tagged => ({
    count: 0,
    ids: new Float64Array(count),
    tagEnds: new Uint32Array(count),
    tags: new Uint32Array(4 * count),
  });
  return {
    texts,
    nodes: { ...tagged(8192), lats: new Int32Array(8192), lngs: new Int32Array(8192) },
    ways: { ...tagged(8192), refEnds: new Uint32Array(8192), refs: new Float64Array(65536) },
    relations: {
      ...tagged(1024),
      memberEnds: new Uint32Array(1024),
      memberIds: new Float64Array(16384),
      memberTypes: new Uint8Array(16384),
      memberRoles: new Uint32Array(16384),
    },
  };
}

/** The nodes of a block's way. */
export const refsOf = ({ refs, refEnds }: Ways, at: number): Float64Array =>
  refs.subarray(at === 0 ? 0 : refEnds[at - 1], refEnds[at]);

const wayType = 1;

/** The member ways of a block's relation. */
export function memberWays(block: OsmBlock, at: number): { way: number; isInner: boolean }[] {
  const ways = [...membersOf(block, at)].filter(({ type }) => type === wayType);
  return ways.map(({ id, role }) => ({ way: id, isInner: role === 'inner' }));
}

/** The members of a block's relation; `type` is 0 for nodes, 1 for ways, 2 for relations. */
export function* membersOf(
  { texts, relations }: OsmBlock,
  at: number,
): Generator<{ type: number; id: number; role: string }> {
  const { memberEnds, memberTypes, memberIds, memberRoles } = relations;
  for (let member = at === 0 ? 0 : memberEnds[at - 1]; member < memberEnds[at]; member++) {
    yield { type: memberTypes[member], id: memberIds[member], role: texts.at(memberRoles[member]) };
  }
}
