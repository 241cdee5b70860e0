/** A made-up map with everything that changes can touch, random edits of it, and the change file between two maps. */
import { gzipSync } from 'node:zlib';
import type { TestMap, TestNode, TestRelation, TestWay } from './osm-writer.ts';
import type { Random } from './random-numbers.ts';

type Map3 = Required<TestMap>;

const streetNames = ['Hauptstraße', 'Gasse', 'Weg', 'Allee', 'Ring'];

/** Two towns with boundaries that share a way, streets, houses, interpolations, street relations, quarters and shops. */
export function madeUpMap(): Map3 {
  const nodes: TestNode[] = [];
  const ways: TestWay[] = [];
  const node = (lat: number, lng: number, tags?: Record<string, string>) => {
    nodes.push({ id: nodes.length + 1, lat, lng, ...(tags && { tags }) });
    return nodes.length;
  };
  const way = (members: number[], tags: Record<string, string>) => {
    ways.push({ id: ways.length + 1, nodes: members, tags });
    return ways.length;
  };
  const [south, north, middle] = [52.4, 52.43, 13.33];
  const corners = [13.3, middle, 13.36].map((lng) => [node(south, lng), node(north, lng)]);
  const shared = way([corners[1][0], corners[1][1]], { boundary: 'administrative' });
  const relations: TestRelation[] = [];
  for (const [at, town] of ['Aburg', 'Bdorf'].entries()) {
    const [near, far] = [corners[1], corners[at === 0 ? 0 : 2]];
    const around = way([near[1], far[1], far[0], near[0]], { boundary: 'administrative' });
    relations.push({
      id: relations.length + 1,
      members: [shared, around].map((id) => ({ type: 'way', id, role: 'outer' })),
      tags: { type: 'boundary', boundary: 'administrative', admin_level: '8', name: town },
    });
    node(52.415, 13.315 + at * 0.03, { place: at === 0 ? 'town' : 'village', name: town });
    for (let row = 0; row < 12; row++) {
      const lat = south + 0.001 + row * 0.0024;
      const start = 13.301 + at * 0.03;
      const line = Array.from({ length: 6 }, (_, step) => node(lat, start + step * 0.005));
      const street = streetNames[row % streetNames.length];
      way(line.slice(0, 4), { highway: 'residential', name: street });
      way(line.slice(3), { highway: 'service', name: street });
      const houses = Array.from({ length: 14 }, (_, step) =>
        node(lat + 0.0004, start + step * 0.0018, {
          'addr:housenumber': String(step + 1),
          ...(step % 7 !== 6 && { 'addr:street': street }),
          ...(step % 3 === 0 && { 'addr:city': step % 2 === 0 ? town : `${town}-Post` }),
        }),
      );
      if (row % 3 === 0) way([houses[0], houses[4]], { 'addr:interpolation': 'odd' });
      const members = [houses[6], houses[13]].map((id) => ({ type: 'node' as const, id, role: 'house' }));
      relations.push({ id: relations.length + 1, members, tags: { type: 'associatedStreet', name: street } });
      const yard = [0, 1, 2].map((step) => node(lat + 0.0008 + (step % 2) * 0.0002, start + step * 0.0003));
      way([...yard, yard[0]], row % 2 === 0 ? { building: 'yes' } : { shop: 'bakery', name: `Bäckerei ${row}` });
      node(lat, start + 0.01, { amenity: 'cafe', name: `Café ${town} ${row}` });
    }
  }
  return { nodes, ways, relations };
}

/** The map after some edits of every kind. */
export function edited(map: Map3, random: Random, edits: number): Map3 {
  const { nodes, ways, relations } = structuredClone(map);
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)];
  const drop = <T>(list: T[]) => list.splice(Math.floor(random() * list.length), 1);
  const nextId = (list: { id: number }[]) => Math.max(...list.map(({ id }) => id)) + 1;
  const edit = [
    () => (pick(nodes).lat += (random() - 0.5) * 0.004),
    () => drop(nodes),
    () => drop(ways),
    () => random() < 0.3 && drop(relations),
    () => Object.assign((pick(nodes).tags ??= {}), { 'addr:housenumber': String(Math.ceil(random() * 40)) }),
    () => Object.assign((pick(nodes).tags ??= {}), { 'addr:street': pick(streetNames) }),
    () => Object.assign((pick(nodes).tags ??= {}), { 'addr:city': pick(['Aburg', 'Bdorf', 'Neustadt']) }),
    () => delete pick(nodes).tags,
    () => Object.assign((pick(ways).tags ??= {}), { name: pick(streetNames) }),
    () => Object.assign((pick(ways).tags ??= {}), { 'addr:housenumber': '7', 'addr:street': pick(streetNames) }),
    () => pick(ways).nodes.pop(),
    () => pick(ways).nodes.push(pick(nodes).id),
    () =>
      ways.push({
        id: nextId(ways),
        nodes: [pick(nodes).id, pick(nodes).id],
        tags: { highway: 'path', name: 'Steig' },
      }),
    () => pick(relations).members.pop(),
    () => pick(relations).members.push({ type: 'node', id: pick(nodes).id, role: 'house' }),
    () => Object.assign((pick(relations).tags ??= {}), { name: pick([...streetNames, 'Cstadt']) }),
    () => {
      const { lat, lng } = pick(nodes);
      nodes.push({
        id: nextId(nodes),
        lat,
        lng: lng + 1e-4,
        tags: { place: 'town', name: pick(['Neustadt', 'Cstadt']) },
      });
    },
    () => {
      const { lat, lng } = pick(nodes);
      nodes.push({ id: nextId(nodes), lat, lng: lng + 1e-4, tags: { shop: 'florist', name: 'Blumen' } });
    },
  ];
  for (let at = 0; at < edits; at++) pick(edit)();
  for (const each of ways) if (each.nodes.length === 0) each.nodes.push(nodes[0].id);
  return { nodes, ways, relations };
}

/** The change file that leads from one map to another, packed. */
export function changeFile(before: Map3, after: Map3): Buffer {
  const parts: Record<'create' | 'modify' | 'delete', string> = { create: '', modify: '', delete: '' };
  for (const kind of ['nodes', 'ways', 'relations'] as const) {
    const old = new Map<number, unknown>(before[kind].map((each) => [each.id, each]));
    for (const each of after[kind]) {
      const known = old.get(each.id);
      if (JSON.stringify(known) !== JSON.stringify(each)) parts[known ? 'modify' : 'create'] += xmlOf(each);
      old.delete(each.id);
    }
    for (const id of old.keys()) parts.delete += `<${kind.slice(0, -1)} id="${id}" version="2"/>`;
  }
  const all = Object.entries(parts).map(([name, content]) => `<${name}>${content}</${name}>`);
  return gzipSync(`<osmChange version="0.6">${all.join('')}</osmChange>`);
}

function xmlOf(object: TestNode | TestWay | TestRelation): string {
  const tags = Object.entries(object.tags ?? {}).map(([k, v]) => `<tag k="${k}" v="${v}"/>`);
  if ('lat' in object)
    return `<node id="${object.id}" lat="${object.lat.toFixed(7)}" lon="${object.lng.toFixed(7)}">${tags.join('')}</node>`;
  if ('nodes' in object) {
    const refs = object.nodes.map((ref) => `<nd ref="${ref}"/>`);
    return `<way id="${object.id}">${refs.join('')}${tags.join('')}</way>`;
  }
  const members = object.members.map(
    ({ type, id, role }) => `<member type="${type}" ref="${id}" role="${role ?? ''}"/>`,
  );
  return `<relation id="${object.id}">${members.join('')}${tags.join('')}</relation>`;
}
