/** A small map, and all objects of a file in one plain list. */
import { openOsm } from '../../src/sources/osm/read-osm.ts';
import type { TestMap } from './osm-writer.ts';

export const map: TestMap = {
  nodes: [
    { id: -3, lat: 1, lng: 2 },
    { id: 12_000_000_001, lat: 47.1410001, lng: 9.5209999, tags: { name: 'Rathaus', 'addr:housenumber': '1' } },
    { id: 12_000_000_002, lat: -89.9999999, lng: -179.9999999, tags: { name: 'Größe 漢' } },
  ],
  ways: [
    { id: 7, nodes: [12_000_000_002, -3, 12_000_000_001], tags: { highway: 'residential' } },
    { id: 8, nodes: [] },
  ],
  relations: [
    {
      id: 9,
      members: [
        { type: 'way', id: 7, role: 'outer' },
        { type: 'node', id: -3 },
      ],
      tags: { type: 'site' },
    },
  ],
};

export const everything = { nodes: true, ways: true, relations: true };

/** All objects of a file in one plain list. */
export async function objectsOf(path: string, wanted = everything) {
  const objects: unknown[] = [];
  for await (const { texts, nodes, ways, relations } of (await openOsm(path)).blocks(wanted)) {
    const tags = (of: typeof nodes | typeof ways | typeof relations, at: number) => {
      const list: Record<string, string> = {};
      for (let tag = at === 0 ? 0 : of.tagEnds[at - 1]; tag < of.tagEnds[at]; tag++) {
        list[texts.at(of.tags[2 * tag])] = texts.at(of.tags[2 * tag + 1]);
      }
      return list;
    };
    const part = (
      values: Iterable<number> & { slice(a: number, b: number): Iterable<number> },
      ends: Uint32Array,
      at: number,
    ) => [...values.slice(at === 0 ? 0 : ends[at - 1], ends[at])];
    for (let at = 0; at < nodes.count; at++) {
      objects.push({ node: nodes.ids[at], lat: nodes.lats[at], lng: nodes.lngs[at], tags: tags(nodes, at) });
    }
    for (let at = 0; at < ways.count; at++) {
      objects.push({ way: ways.ids[at], refs: part(ways.refs, ways.refEnds, at), tags: tags(ways, at) });
    }
    for (let at = 0; at < relations.count; at++) {
      objects.push({
        relation: relations.ids[at],
        members: part(relations.memberIds, relations.memberEnds, at),
        types: part(relations.memberTypes, relations.memberEnds, at),
        roles: part(relations.memberRoles, relations.memberEnds, at).map((role) => texts.at(role)),
        tags: tags(relations, at),
      });
    }
  }
  return objects;
}
