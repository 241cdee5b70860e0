/** Writes small OpenStreetMap files, PBF and XML, for tests; also ones that break the format's rules. */
import { deflateSync, zstdCompressSync } from 'node:zlib';
import { PbfWriter } from 'pbf';

type Tags = Record<string, string>;
export type TestNode = { id: number; lat: number; lng: number; tags?: Tags };
export type TestWay = { id: number; nodes: number[]; tags?: Tags };
export type TestRelation = {
  id: number;
  members: { type: 'node' | 'way' | 'relation'; id: number; role?: string }[];
  tags?: Tags;
};
export type TestMap = { nodes?: TestNode[]; ways?: TestWay[]; relations?: TestRelation[] };

export type Packing = 'raw' | 'zlib' | 'lz4' | 'zstd' | 'lzma';
export type PbfOptions = {
  packing?: Packing;
  features?: string[];
  dense?: boolean;
  granularity?: number;
  latOffset?: number;
  lngOffset?: number;
  /** Order of the blobs; one kind of object each. */
  order?: (keyof TestMap)[];
  /** Where the publisher has changes: the last that the file has, and its time in seconds. */
  replication?: { baseUrl: string; sequence: number; timestamp: number };
};

const memberTypes = { node: 0, way: 1, relation: 2 };

export function pbfFile(map: TestMap, options: PbfOptions = {}): Buffer {
  const { features = ['OsmSchema-V0.6', 'DenseNodes'], order = ['nodes', 'ways', 'relations'] } = options;
  const header = new PbfWriter();
  for (const feature of features) header.writeStringField(4, feature);
  if (options.replication) {
    header.writeVarintField(32, options.replication.timestamp);
    header.writeVarintField(33, options.replication.sequence);
    header.writeStringField(34, options.replication.baseUrl);
  }
  const blobs = [pbfBlob('OSMHeader', Buffer.from(header.finish()), options.packing)];
  for (const kind of order) {
    if (!map[kind]?.length) continue;
    blobs.push(pbfBlob('OSMData', primitiveBlock({ [kind]: map[kind] }, options), options.packing));
  }
  return Buffer.concat(blobs);
}

/** A blob with its length and header in front. */
export function pbfBlob(type: string, data: Buffer, packing: Packing = 'zlib'): Buffer {
  const blob = new PbfWriter();
  if (packing !== 'raw') blob.writeVarintField(2, data.length);
  if (packing === 'raw') blob.writeBytesField(1, data);
  if (packing === 'zlib') blob.writeBytesField(3, deflateSync(data));
  if (packing === 'lzma') blob.writeBytesField(4, data);
  if (packing === 'lz4') blob.writeBytesField(6, lz4Literals(data));
  if (packing === 'zstd') blob.writeBytesField(7, zstdCompressSync(data));
  return framed(type, Buffer.from(blob.finish()));
}

/** A blob of data in an LZ4 block, which is said to have so many bytes. */
export function lz4Blob(packed: Uint8Array, size: number): Buffer {
  const blob = new PbfWriter();
  blob.writeVarintField(2, size);
  blob.writeBytesField(6, packed);
  return framed('OSMData', Buffer.from(blob.finish()));
}

function framed(type: string, bytes: Buffer): Buffer {
  const header = new PbfWriter();
  header.writeStringField(1, type);
  header.writeVarintField(3, bytes.length);
  const headerBytes = Buffer.from(header.finish());
  const length = Buffer.alloc(4);
  length.writeUInt32BE(headerBytes.length);
  return Buffer.concat([length, headerBytes, bytes]);
}

/** An LZ4 block without matches. */
function lz4Literals(data: Buffer): Buffer {
  if (data.length < 15) return Buffer.concat([Buffer.from([data.length << 4]), data]);
  const length = [0xf0];
  let rest = data.length - 15;
  for (; rest >= 255; rest -= 255) length.push(255);
  return Buffer.concat([Buffer.from([...length, rest]), data]);
}

/** The block of a blob of data, before it is packed. */
export function primitiveBlock(map: TestMap, options: PbfOptions = {}): Buffer {
  const { dense = true, granularity = 100, latOffset = 0, lngOffset = 0 } = options;
  const strings = [''];
  const text = (value: string) => {
    const at = strings.indexOf(value, 1);
    return at > 0 ? at : strings.push(value) - 1;
  };
  const units = (degrees: number, offset: number) => Math.round((degrees * 1e9 - offset) / granularity);
  const group = new PbfWriter();
  const writeTags = (tags: Tags | undefined, out: PbfWriter) => {
    if (!tags) return;
    out.writePackedVarint(2, Object.keys(tags).map(text));
    out.writePackedVarint(3, Object.values(tags).map(text));
  };
  const nodes = map.nodes ?? [];
  if (nodes.length > 0 && dense) {
    group.writeMessage(
      2,
      (_, out) => {
        const deltas = (values: number[]) =>
          values.map((value, index) => value - (index === 0 ? 0 : values[index - 1]));
        out.writePackedSVarint(1, deltas(nodes.map(({ id }) => id)));
        out.writePackedSVarint(8, deltas(nodes.map(({ lat }) => units(lat, latOffset))));
        out.writePackedSVarint(9, deltas(nodes.map(({ lng }) => units(lng, lngOffset))));
        const tags = nodes.flatMap((node) => [
          ...Object.entries(node.tags ?? {})
            .flat()
            .map(text),
          0,
        ]);
        out.writePackedVarint(10, tags);
      },
      undefined,
    );
  }
  for (const node of dense ? [] : nodes) {
    group.writeMessage(
      1,
      (_, out) => {
        out.writeSVarintField(1, node.id);
        writeTags(node.tags, out);
        out.writeSVarintField(8, units(node.lat, latOffset));
        out.writeSVarintField(9, units(node.lng, lngOffset));
      },
      undefined,
    );
  }
  for (const way of map.ways ?? []) {
    group.writeMessage(
      3,
      (_, out) => {
        out.writeVarintField(1, way.id);
        writeTags(way.tags, out);
        out.writePackedSVarint(
          8,
          way.nodes.map((id, index) => id - (index === 0 ? 0 : way.nodes[index - 1])),
        );
      },
      undefined,
    );
  }
  for (const { id, tags, members } of map.relations ?? []) {
    group.writeMessage(
      4,
      (_, out) => {
        out.writeVarintField(1, id);
        writeTags(tags, out);
        out.writePackedVarint(
          8,
          members.map(({ role }) => text(role ?? '')),
        );
        out.writePackedSVarint(
          9,
          members.map((member, index) => member.id - (members[index - 1]?.id ?? 0)),
        );
        out.writePackedVarint(
          10,
          members.map(({ type }) => memberTypes[type]),
        );
      },
      undefined,
    );
  }
  const groupBytes = group.finish();
  const block = new PbfWriter();
  block.writeMessage(
    1,
    (_, out) => {
      for (const value of strings) out.writeBytesField(1, Buffer.from(value));
    },
    undefined,
  );
  block.writeBytesField(2, groupBytes);
  if (granularity !== 100) block.writeVarintField(17, granularity);
  if (latOffset !== 0) block.writeVarintField(19, latOffset);
  if (lngOffset !== 0) block.writeVarintField(20, lngOffset);
  return Buffer.from(block.finish());
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export function xmlFile(map: TestMap): string {
  const tags = (of?: Tags) =>
    Object.entries(of ?? {})
      .map(([k, v]) => `    <tag k="${escaped(k)}" v="${escaped(v)}"/>\n`)
      .join('');
  return `<?xml version='1.0' encoding='UTF-8'?>
<osm version="0.6" generator="test">
${(map.nodes ?? []).map(({ id, lat, lng, tags: of }) => `  <node id="${id}" lat="${lat}" lon="${lng}">\n${tags(of)}  </node>\n`).join('')}${(
  map.ways ?? []
)
  .map(
    ({ id, nodes, tags: of }) =>
      `  <way id="${id}">\n${nodes.map((ref) => `    <nd ref="${ref}"/>\n`).join('')}${tags(of)}  </way>\n`,
  )
  .join('')}${(map.relations ?? [])
  .map(
    ({ id, members, tags: of }) =>
      `  <relation id="${id}">\n${members.map((member) => `    <member type="${member.type}" ref="${member.id}" role="${escaped(member.role ?? '')}"/>\n`).join('')}${tags(of)}  </relation>\n`,
  )
  .join('')}</osm>
`;
}
