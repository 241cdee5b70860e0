/**
 * Addresses by quarter, block and number, as Japan has them: 霞が関三丁目1番1号 is house 1 of block 1 in the third chōme
 * of Kasumigaseki, and is written 霞が関3-1-1 (wiki.openstreetmap.org/wiki/JA:Key:addr). The quarter stands where other
 * countries have the street, and the three numbers together are the house number.
 */

export type BlockAddress = { quarter: string; otherQuarterNames: string[]; houseNumber: string };

const digits = '〇一二三四五六七八九';
/** A chōme behind the name of its quarter, or alone: `代々木二丁目`, `1丁目`, `西新宿1`, `2`. */
const chomePattern = new RegExp(`^(.*?)(?:(\\d+|[${digits}十]+)丁目|(\\d+))$`, 'u');
/** A whole address instead of its number: `千代田区五番町1-9`. */
const wholePattern = /^(?:[^\d\s]{1,3}[都道府県])?[^\d\s]{1,6}?[市区町村]([^\d\s]{1,12})(\d{1,4}(?:-\d{1,4}){1,3})$/u;

/** Fullwidth digits and the many dashes of Japanese keyboards as plain ones. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[‐‑–—−ー](?=\d)/gu, '-')
    .trim();

/** Keys whose values reveal a Japanese address by their script. */
const scriptKeys = ['addr:quarter', 'addr:neighbourhood', 'addr:suburb', 'addr:city', 'addr:province'];

/**
 * Whether an object's houses are numbered by quarter though it names a street: with a block in Japan (in Bahrain houses
 * of a block are numbered by streets), where a quarter stands as the street, and with a whole address as the number.
 */
export function isInBlock(tags: Record<string, string>): boolean {
  if (isQuarter(tags['addr:street'])) return true;
  if (tags['addr:block_number'] === undefined) return wholePattern.test(plain(tags['addr:housenumber'] ?? ''));
  return isJapanese(tags);
}

const isQuarter = (street: string | undefined) => street?.endsWith('丁目') ?? false;

const isJapanese = (tags: Record<string, string>): boolean =>
  tags['addr:country'] === 'JP' ||
  scriptKeys.some((key) => /\p{Script=Hiragana}|[都道府県市区町村]$|丁目$/u.test(tags[key] ?? ''));

/** The address by quarter of an object's tags; `undefined` when they name no quarter or no number. */
export function blockAddress(tags: Record<string, string>): BlockAddress | undefined {
  const block = plain(tags['addr:block_number'] ?? '');
  const number = plain(tags['addr:housenumber'] ?? '');
  const whole = wholePattern.exec(number);
  if (whole) return { quarter: whole[1], otherQuarterNames: [], houseNumber: whole[2] };
  const quarter = plain(quarterOf(tags) ?? '');
  const neighbourhood = plain(tags['addr:neighbourhood'] ?? '');
  const name = neighbourhood.startsWith(quarter) ? neighbourhood : quarter + neighbourhood;
  const chome = block !== '' || isJapanese(tags) ? chomePattern.exec(name) : null;
  // Houses with a name instead of a number use the block number.
  const numbers = [chome ? arabic(chome[2] ?? chome[3]) : '', block, block === '' || /^\d/.test(number) ? number : ''];
  if ((chome?.[1] ?? name) === '' || (block === '' && number === '')) return undefined;
  const others = Object.entries(tags)
    .filter(([key]) => neighbourhood.replace(/\d+|丁目/gu, '') === '' && quarterNameKeys.test(key))
    .map(([, value]) => value);
  return {
    quarter: chome?.[1] ?? name,
    otherQuarterNames: others,
    houseNumber: numbers.filter((part) => part !== '').join('-'),
  };
}

const quarterNameKeys = /^addr:quarter:[a-z]{2,3}(-[A-Za-z]+)?$/;

/** The quarter; in its place some write the suburb, which elsewhere is the ward. */
function quarterOf(tags: Record<string, string>): string | undefined {
  const { 'addr:suburb': suburb, 'addr:street': street } = tags;
  if (isQuarter(street)) return street;
  return tags['addr:quarter'] ?? (suburb === undefined || /[区市]$/.test(suburb) ? undefined : suburb);
}

/** The ward or town of a block address that names no city. */
export const wardOf = (tags: Record<string, string>): string | undefined =>
  [tags['addr:suburb'], tags['addr:county']].find((name) => name !== undefined && /[区市町村]$/.test(name));

/** A number of Japanese or Arabic digits up to 99, as the text of an Arabic one. */
function arabic(text: string): string {
  if (/^\d+$/.test(text)) return String(Number(text));
  const [tens, ones] = text.includes('十') ? text.split('十') : ['〇', text];
  return String((tens === '' ? 1 : digits.indexOf(tens)) * 10 + (ones === '' ? 0 : digits.indexOf(ones)));
}
