/** A compact encoding of a street's houses: sorted by number, each as the difference from the one before. */
import { numberOfObject, objectOfNumber } from '../../core/osm-object.ts';
import type { House } from '../street-parts.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

export type NewHouse = Pick<House, 'text' | 'otherNumber' | 'lat' | 'lng' | 'postcode' | 'source' | 'object'>;

const scale = 1e6;
const hasText = 1;
const hasPostcode = 2;
const hasSource = 4;
/** Added to the first ordinal of a block whose houses have objects of OpenStreetMap, above every ordinal. */
const withObjects = 2 ** 20;

const writer = new ByteWriter();

/** Packs houses that are sorted by base number; `firstOrdinal` is the ordinal of the first one. */
export function packHouses(houses: readonly (NewHouse & { base: number })[], firstOrdinal: number): Buffer {
  const hasObjects = houses.some(({ object }) => object !== undefined);
  writer.unsigned(hasObjects ? withObjects + firstOrdinal : firstOrdinal);
  let [base, lat, lng, postcode, source, number] = [0, 0, 0, -1, 0, 0];
  for (const house of houses) {
    const y = Math.round(house.lat * scale);
    const x = Math.round(house.lng * scale);
    const text = house.otherNumber === undefined ? house.text : `${house.text}\t${house.otherNumber}`;
    const flags =
      (text === String(house.base) ? 0 : hasText) |
      (house.postcode === postcode ? 0 : hasPostcode) |
      (house.source === source ? 0 : hasSource);
    // Flags and a small step in number share a byte.
    writer.unsigned((house.base - base) * 8 + flags);
    if (flags & hasText) writer.text(text);
    if (flags & hasPostcode) writer.unsigned(house.postcode + 1);
    if (flags & hasSource) writer.unsigned(house.source);
    writer.signed(y - lat);
    writer.signed(x - lng);
    if (hasObjects) {
      const own = house.object === undefined ? 0 : numberOfObject(house.object);
      writer.signed(own - number);
      number = own;
    }
    [base, lat, lng, postcode, source] = [house.base, y, x, house.postcode, house.source];
  }
  return writer.take();
}

/** The houses of a block, by base number. */
export function unpackHouses(bytes: Uint8Array): House[] {
  const reader = new ByteReader(bytes);
  const start = reader.unsigned();
  const hasObjects = start >= withObjects;
  let ordinal = start % withObjects;
  const houses: House[] = [];
  let [base, lat, lng, postcode, source, number] = [0, 0, 0, -1, 0, 0];
  while (!reader.isAtEnd) {
    const head = reader.unsigned();
    base += Math.floor(head / 8);
    // No field of a record has a tab in it.
    const [text, otherNumber] = head & hasText ? reader.text().split('\t', 2) : [String(base)];
    if (head & hasPostcode) postcode = reader.unsigned() - 1;
    if (head & hasSource) source = reader.unsigned();
    lat += reader.signed();
    lng += reader.signed();
    if (hasObjects) number += reader.signed();
    houses.push({
      ordinal,
      text,
      ...(otherNumber !== undefined && { otherNumber }),
      base,
      lat: lat / scale,
      lng: lng / scale,
      postcode,
      source,
      ...(number !== 0 && { object: objectOfNumber(number) }),
    });
    ordinal++;
  }
  return houses;
}
