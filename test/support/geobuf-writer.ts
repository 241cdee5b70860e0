/** Writes collections of polygons in the protocol-buffer form of GeoJSON (github.com/mapbox/geobuf), as geo-tz has them. */
import { PbfWriter } from 'pbf';

/** A polygon with its properties; `rings` are the outer one and holes. */
export type GeobufPolygon = { properties: Record<string, string>; rings: readonly (readonly (readonly number[])[])[] };

/** One collection, with six decimals. Rings are closed here and open in the file. */
export function geobuf(polygons: readonly GeobufPolygon[]): Uint8Array {
  const keys = [...new Set(polygons.flatMap(({ properties }) => Object.keys(properties)))];
  const writer = new PbfWriter();
  for (const key of keys) writer.writeStringField(1, key);
  writer.writeMessage(4, writeCollection, { keys, polygons });
  return writer.finish();
}

function writeCollection(
  { keys, polygons }: { keys: string[]; polygons: readonly GeobufPolygon[] },
  writer: PbfWriter,
): void {
  for (const polygon of polygons) {
    const write = (_: unknown, feature: PbfWriter) => {
      feature.writeMessage(1, writeRings, polygon.rings);
      for (const value of Object.values(polygon.properties))
        feature.writeMessage(13, (text: string, message: PbfWriter) => message.writeStringField(1, text), value);
      const pairs = Object.keys(polygon.properties).flatMap((key, at) => [keys.indexOf(key), at]);
      feature.writePackedVarint(14, pairs);
    };
    writer.writeMessage(1, write, undefined);
  }
}

const polygonType = 4;

function writeRings(rings: GeobufPolygon['rings'], writer: PbfWriter): void {
  const open = rings.map((ring) => ring.slice(0, -1).map((point) => point.map((degrees) => Math.round(degrees * 1e6))));
  writer.writeVarintField(1, polygonType);
  writer.writePackedVarint(
    2,
    open.map(({ length }) => length),
  );
  const steps = open.flatMap((ring) =>
    ring.flatMap(([x, y], at) => (at === 0 ? [x, y] : [x - ring[at - 1][0], y - ring[at - 1][1]])),
  );
  writer.writePackedSVarint(3, steps);
}
