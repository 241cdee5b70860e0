/** Stores what is needed to apply changes to an extract, while its part is built. */
import type { StreetBatch } from '../../../core/street-records.ts';
import { addressCity } from '../../../sources/osm/addresses.ts';
import { isQuarter, isSettlement } from '../../../sources/osm/feature.ts';
import { type ExtractKeeper, keyOfSourceId, objectKey } from '../../../sources/osm/keeper.ts';
import { cellAt, cellKey, tileAt } from '../../../sources/osm/tiles.ts';
import { streetHash } from '../../../store/sqlite/extract-base-schema.ts';
import { ExtractBaseWriter } from '../../../store/sqlite/extract-base-writer.ts';
import { fieldsOf, positionOf, recordsIn } from '../../../store/sqlite/street-fields.ts';
import type { StreetRow } from '../../../store/sqlite/street-groups.ts';
import { cleanField } from '../../../store/sqlite/street-spool.ts';
import { streetKey } from '../../../text/words.ts';

export type Keeping = {
  keeper: ExtractKeeper;
  /** Takes records with the number of the area of each. */
  records(batch: StreetBatch, areaOf: (record: object) => number): void;
  street(street: StreetRow, id: number, rank: number): void;
  poi(sourceId: string, id: number): void;
  finish(facts: Record<string, string>): void;
  close(): void;
};

/** Writes the base of an extract to a file. */
export function keepExtract(path: string): Keeping {
  const writer = new ExtractBaseWriter(path);
  return {
    keeper: {
      node: (id, lat, lng) => writer.node(id, lat, lng),
      way: (id, refs, isUsed) => writer.way(id, refs, isUsed),
      area({ id, tags, ways, isInner, outers, inners }, boundary) {
        const rings = boundary && [...outers, ...inners];
        writer.area({ id, tags, ways: [...ways], isInner: [...isInner], ...(boundary && { boundary, rings }) });
      },
      member: (key, relation, street) => writer.member(key, relation, street),
      city: (name, addresses) => writer.city(name, addresses),
      feature(feature, around) {
        const { type, id, tags, lat, lng } = feature;
        const isPlace = type === 'n' && (isSettlement(tags) || isQuarter(tags));
        const kept = { key: objectKey(type, id), tags, lat, lng, around };
        writer.feature(kept, { cell: cellKey(cellAt(feature)), isPlace, city: addressCity(feature) });
      },
      piece: (key, name, city) => writer.piece(key, name, city),
    },
    records(batch, areaOf) {
      for (const each of recordsIn(batch)) {
        const area = areaOf(each.record);
        const hash = streetHash(area, streetKey(each.street));
        const key = keyOfSourceId(each.record.sourceId!);
        const fields = fieldsOf(each, area, 0).map(cleanField);
        if (each.kind === 's') writer.streetPieces(hash, { name: each.street, city: each.record.city, key, fields });
        else writer.record(hash, { key, tile: tileAt(positionOf(each)), fields });
      }
    },
    street({ area, key, houseCount: houses, lines }, id, rank) {
      writer.street({ area, key, id, rank, houses, isMapped: lines !== null });
    },
    poi: (sourceId, id) => writer.poi(keyOfSourceId(sourceId), id),
    finish(facts) {
      for (const [name, value] of Object.entries(facts)) writer.fact(name, value);
      writer.finish();
    },
    close: () => writer.close(),
  };
}
