/** Streets after changes: those with changed records are regrouped. */
import type { LatLng } from '../../../../core/geo.ts';
import type { Settlement, StreetBatch } from '../../../../core/street-records.ts';
import { nameHash } from '../../../../sources/osm/records.ts';
import { tileAt } from '../../../../sources/osm/tiles.ts';
import type { ExtractBase } from '../../../../store/sqlite/extract-base.ts';
import { type KeptStreet, streetHash } from '../../../../store/sqlite/extract-base-schema.ts';
import { cleanField, fieldsOf, positionOf, recordsIn } from '../../../../store/sqlite/street-fields.ts';
import { groupStreets, type StreetRow } from '../../../../store/sqlite/street-groups.ts';
import { streetKey } from '../../../../text/words.ts';
import type { RemadeRecords } from './remade-records.ts';

type AreaOf = (record: Settlement & LatLng) => number | undefined;
type Named = { area: number; key: string };
type Line = { fields: string[]; order: readonly number[] };
type Placed = Named & Line;

type ChangedStreets = {
  /** Streets of the base that were deleted or have another row. */
  replaced: KeptStreet[];
  rows: StreetRow[];
};

const textOf = ({ area, key }: Named) => `${area} ${key}`;

export function changedStreets(base: ExtractBase, remade: RemadeRecords, areaOf: AreaOf): ChangedStreets {
  const dirty = new Map<string, Named>();
  const mark = (each: Named) => dirty.set(textOf(each), each);
  const marked = new Set<number>();
  const markHash = (hash: number) => {
    if (!marked.has(hash)) for (const street of base.streets(hash)) mark(street);
    marked.add(hash);
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

  const tileOfObject = (key: number) => tileAt(base.feature(key)!);
  const rows: StreetRow[] = [];
  const replaced: KeptStreet[] = [];
  for (const street of dirty.values()) {
    const text = textOf(street);
    const hash = streetHash(street.area, street.key);
    // Another street may have the same hash.
    const isOwn = ({ fields }: { fields: string[] }) =>
      Number(fields[1]) === street.area && streetKey(fields[2]) === street.key;
    const before = base.streets(hash);
    replaced.push(...before.filter((each) => textOf(each) === text));
    const own = <T extends { fields: string[] }>(kept: T[]) =>
      before.every((each) => textOf(each) === text) ? kept : kept.filter(isOwn);
    const kept = own(base.recordsOf(hash))
      .filter(({ key }) => !remade.batches.has(key))
      .map(({ key, tile, fields }, at) => ({ fields, order: [tile, key, at] }));
    const pieces = own(base.piecesOf(hash)).filter((each) => !remade.isRemade(each));
    const added = ofNames.get(text) ?? [];
    const isOne = pieces.length + added.length === 1;
    const ofKeptNames = pieces.map(({ name, key, fields }) => ({
      fields,
      order: isOne ? [] : [nameHash(name), tileOfObject(key), key],
    }));
    const lines = [...inOrder([...kept, ...(ofObjects.get(text) ?? [])]), ...inOrder([...ofKeptNames, ...added])].map(
      ({ fields }) => fields,
    );
    if (lines.length > 0) rows.push(...groupStreets(lines, () => {}, isMapped));
  }
  return { replaced, rows };
}

const nothing: StreetBatch = { addresses: [], streets: [], pois: [], interpolations: [] };

/** The records of a batch whose country is known. They are ordered by tile, object, and position in the object. */
function placedRecords(batch: StreetBatch, order: readonly number[], areaOf: AreaOf): Placed[] {
  let at = 0;
  return [...recordsIn(batch)].flatMap((each): Placed[] => {
    const position = positionOf(each);
    const area = areaOf({ ...each.record, lat: position.lat, lng: position.lng });
    if (area === undefined) return [];
    const place = each.kind === 's' ? order : [tileAt(position), ...order, at++];
    return [{ fields: fieldsOf(each, area, 0).map(cleanField), area, key: streetKey(each.street), order: place }];
  });
}

function inOrder(records: readonly Line[]): readonly Line[] {
  if (records.length < 2) return records;
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
