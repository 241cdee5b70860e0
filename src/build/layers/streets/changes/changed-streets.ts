/** Streets after changes: all of those that have other records than before are put together anew. */
import type { LatLng } from '../../../../core/geo.ts';
import { middleOfLine } from '../../../../core/line-geometry.ts';
import type { Settlement, StreetBatch } from '../../../../core/street-records.ts';
import { tileAt } from '../../../../sources/osm/tiles.ts';
import type { ExtractBase } from '../../../../store/sqlite/extract-base.ts';
import { type KeptStreet, streetHash } from '../../../../store/sqlite/extract-base-schema.ts';
import { fieldsOf, recordsIn, type SpooledRecord } from '../../../../store/sqlite/street-fields.ts';
import { groupStreets, type StreetRow } from '../../../../store/sqlite/street-groups.ts';
import { cleanField } from '../../../../store/sqlite/street-spool.ts';
import { streetKey } from '../../../../text/words.ts';
import type { RemadeRecords } from './remade-records.ts';

type AreaOf = (record: Settlement & LatLng) => number | undefined;
type Named = { area: number; key: string };
type Placed = SpooledRecord & Named & { order: readonly number[] };

export type ChangedStreets = {
  /** Streets of the base that are gone or have another row. */
  replaced: KeptStreet[];
  rows: StreetRow[];
};

const textOf = ({ area, key }: Named) => `${area} ${key}`;

export function changedStreets(base: ExtractBase, remade: RemadeRecords, areaOf: AreaOf): ChangedStreets {
  const dirty = new Map<string, Named>();
  const mark = (each: Named) => dirty.set(textOf(each), each);
  const markHash = (hash: number) => {
    for (const street of base.streets(hash)) mark(street);
  };
  const placed = (batch: StreetBatch, order: readonly number[]): Placed[] => placedRecords(batch, order, areaOf);
  const streetsOf = (name: Parameters<RemadeRecords['streetsOf']>[0]) =>
    remade.streetsOf(name).flatMap(({ record, order }) => placed({ ...nothing, streets: [record] }, order));

  const ofObjects = new Map<string, Placed[]>();
  const add = (lists: Map<string, Placed[]>, each: Placed) => {
    const list = lists.get(textOf(each));
    if (list) list.push(each);
    else lists.set(textOf(each), [each]);
  };
  for (const [key, batch] of remade.batches) {
    for (const hash of base.streetsOf(key)) markHash(hash);
    for (const each of placed({ ...batch, streets: [] }, [key])) {
      mark(each);
      add(ofObjects, each);
    }
  }
  const ofNames = new Map<string, Placed[]>();
  for (const name of remade.names) {
    for (const hash of base.streetsOfName(name.name, name.city)) markHash(hash);
    for (const each of streetsOf(name)) {
      mark(each);
      add(ofNames, each);
    }
  }
  const isMapped = mappedAreas(base, remade, ofNames);
  for (const area of new Set([...dirty.values()].map((each) => each.area)))
    if (isMapped(area) !== isMappedBefore(base, area)) for (const street of base.streetsIn(area)) mark(street);

  const rows: StreetRow[] = [];
  const replaced: KeptStreet[] = [];
  for (const street of dirty.values()) {
    const text = textOf(street);
    const hash = streetHash(street.area, street.key);
    replaced.push(...base.streets(hash).filter((each) => textOf(each) === text));
    const kept = base
      .recordsOf(hash)
      .filter((key) => !remade.batches.has(key))
      .flatMap((key) => placed({ ...remade.batchOf(key), streets: [] }, [key]));
    const ofKeptNames = base
      .namesOf(hash)
      .filter((name) => !remade.isRemade(name))
      .flatMap(streetsOf);
    const own = (list: readonly Placed[]) => inOrder(list.filter((each) => textOf(each) === text));
    const records = [
      ...own([...kept, ...(ofObjects.get(text) ?? [])]),
      ...own([...ofKeptNames, ...(ofNames.get(text) ?? [])]),
    ];
    if (records.length === 0) continue;
    const lines = records.map((each) => fieldsOf(each, each.area, 0).map(cleanField));
    rows.push(...groupStreets(lines, () => {}, isMapped));
  }
  return { replaced, rows };
}

const nothing: StreetBatch = { addresses: [], streets: [], pois: [], interpolations: [] };

/** The records of a batch whose country is known. Those of objects come in the order of tiles, objects and then their own. */
function placedRecords(batch: StreetBatch, order: readonly number[], areaOf: AreaOf): Placed[] {
  let at = 0;
  return [...recordsIn(batch)].flatMap((each): Placed[] => {
    const position = each.kind === 'i' ? middleOfLine(each.record.line) : each.record;
    const area = areaOf({ ...each.record, lat: position.lat, lng: position.lng });
    if (area === undefined) return [];
    const place = each.kind === 's' ? order : [tileAt(each.kind === 'i' ? position : each.record), ...order, at++];
    return [{ ...each, area, key: streetKey(each.street), order: place }];
  });
}

function inOrder(records: readonly Placed[]): Placed[] {
  return records.toSorted((a, b) => {
    for (let at = 0; at < a.order.length; at++) if (a.order[at] !== b.order[at]) return a.order[at] - b.order[at];
    return 0;
  });
}

const isMappedBefore = (base: ExtractBase, area: number) => base.namesIn(area).next().done === false;

/** Whether a source has streets of an area after changes. */
function mappedAreas(base: ExtractBase, remade: RemadeRecords, added: ReadonlyMap<string, Placed[]>) {
  const known = new Map<number, boolean>();
  for (const [{ area }] of added.values()) known.set(area, true);
  return (area: number): boolean => {
    let isMapped = known.get(area);
    if (isMapped === undefined) {
      isMapped = base.namesIn(area).some((name) => !remade.isRemade(name));
      known.set(area, isMapped);
    }
    return isMapped;
  };
}
