/** The house numbers of an object's tags: lists, numbers of two kinds for one house, and names instead of numbers. */

/** One house: its number as it is shown, and further numbers that it is known by. */
export type NumberedHouse = { houseNumber: string; otherNumbers?: string[] };

/** Keys of which each makes an object an address. */
export const numberKeys: readonly string[] = [
  'addr:housenumber',
  'addr:conscriptionnumber',
  'addr:streetnumber',
  'addr:provisionalnumber',
  'addr:block_number',
  'addr:housename',
];

/** Whether an object has an address, of whatever kind. */
export const hasAddress = (tags: Record<string, string>): boolean => numberKeys.some((key) => tags[key] !== undefined);

/** The single numbers of a list with `;` or `,`; a range such as `12-14` is one, and `51c,d,e` are 51c, 51d and 51e. */
export function listedNumbers(tag: string): string[] {
  const numbers: string[] = [];
  let digits = '';
  for (const part of tag.split(/[;,]/).map((text) => text.trim())) {
    if (part === '') continue;
    const isLetter = /^\p{L}$/u.test(part);
    numbers.push(isLetter ? digits + part : part);
    if (!isLetter) digits = /^(\d+\s?)\p{L}$/u.exec(part)?.[1] ?? '';
  }
  return [...new Set(numbers)];
}

/**
 * The houses that an object's tags number; empty when none. In Czechia and Slovakia a house has a conscription number
 * of its village and often a number in its street: `137/25` is known as 137 and as 25. Provisional numbers (`ev. 12`)
 * are a series of their own. A house without any number has its name.
 */
export function numberedHouses(tags: Record<string, string>): NumberedHouse[] {
  const listed = listedNumbers(tags['addr:housenumber'] ?? '');
  const conscription = tags['addr:conscriptionnumber'];
  const inStreet = tags['addr:streetnumber'];
  const provisional = tags['addr:provisionalnumber'];
  const kinds = [conscription, provisional && `ev. ${provisional}`, inStreet].filter((number) => number !== undefined);
  if (kinds.length > 0) {
    const [houseNumber = kinds.join('/')] = listed;
    const otherNumbers = kinds.filter((number) => number !== houseNumber);
    return [{ houseNumber, ...(kinds.length > 1 && { otherNumbers }) }];
  }
  if (listed.length > 0) return listed.map((houseNumber) => ({ houseNumber }));
  const name = tags['addr:housename'];
  return name === undefined ? [] : [{ houseNumber: name }];
}
