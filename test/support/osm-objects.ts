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
    const tagsOf = (tags: readonly number[] = []) => {
      const list: Record<string, string> = {};
      for (let at = 0; at < tags.length; at += 2) list[texts.at(tags[at])] = texts.at(tags[at + 1]);
      return list;
    };
    for (let at = 0; at < nodes.count; at++) {
      objects.push({ node: nodes.ids[at], lat: nodes.lats[at], lng: nodes.lngs[at], tags: tagsOf(nodes.tags[at]) });
    }
    for (const { id, refs, tags } of ways) objects.push({ way: id, refs, tags: tagsOf(tags) });
    for (const { id, members, tags } of relations) {
      objects.push({
        relation: id,
        members: members.map((member) => member.id),
        types: members.map(({ type }) => type),
        roles: members.map(({ role }) => texts.at(role)),
        tags: tagsOf(tags),
      });
    }
  }
  return objects;
}
