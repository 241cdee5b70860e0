/**
 * Chinese, Japanese and Korean addresses are written from the country down to the house, often without a blank. They
 * are split after suffixes of administrative areas, streets and blocks; the parts of a Japanese number become one
 * number. Where a name contains such a suffix the text is split once too often, which look-ups by all words tolerate.
 */
const han = /\p{Script=Han}/u;
const hangul = /\p{Script=Hangul}/u;

const digits = '〇一二三四五六七八九';
/** Kanji numerals are converted only before and after chome: `三番町` and `麻布十番` are names. */
const counted = new RegExp(`[${digits}十百]+(?=丁目)|(?<=丁目|番地?の?)[${digits}十百]+(?=番|号|號)`, 'g');
/** 三丁目1番1号, 3丁目1-1, 1番地: chome, block and house. */
const japaneseNumber = /(\d{1,4})\s*(?:丁目|番地の|番地|番|号)\s*の?-?\s*(?=\d)/g;
const numberEnd = /(?<=\d)(?:番地|番|号室|号|號|丁目)(?!\p{Script=Han})/gu;
/** 建国路88号, 88号楼: the sign of a Chinese number. */
const chineseNumber = /(?<=\d)[号號](?=\p{Script=Han}|\s|$|[,，])/gu;
const prefecture = /^((?:東京都|北海道|(?:京都|大阪)府|\p{Script=Han}{2,3}県))(?=\S)/u;
const province = /(\p{Script=Han}{2,6}?(?:省|自治区|自治州|特别行政区|特別行政區))(?=\S)/u;
/** A name that ends with the sign of a city, ward, district or town, and is not followed by another such sign. */
const area = /([^\s\d,]{1,7}?[市区區町村县縣镇鎮乡鄉郡])(?![市区區町村县縣镇鎮乡鄉郡\s]|$)/gu;
/** A Chinese street before its number or another part. */
const chineseStreet = /(?<=\p{Script=Han})(大道|大街|胡同|路|街|巷|弄|道)(?=\d)/gu;

const koreanProvince =
  /([\p{Script=Hangul}]{2,6}(?:특별시|광역시|특별자치시|특별자치도|[경충전강제][가-힣]{1,2}도|도))(?=[\p{Script=Hangul}])/u;
const koreanArea = /([\p{Script=Hangul}]{1,4}?[시군구읍면])(?=[\p{Script=Hangul}]{2})/gu;
/** 아주로37 but not 월드컵로193번길. */
const koreanNumber = /(?<=\p{Script=Hangul}[로길동리가])(\d{1,5}(?:-\d{1,4})?)(?![\d-]*\p{L})/gu;
const longRun = /[\p{Script=Hangul}\d]{9,}/u;

/** Inserts blanks between the parts of such an address; other texts are unchanged. */
export function withEastAsianBlanks(text: string): string {
  if (hangul.test(text)) return koreanBlanks(text);
  return han.test(text) ? hanBlanks(text) : text;
}

function koreanBlanks(text: string): string {
  const numbered = text.replace(koreanNumber, ' $1');
  return longRun.test(numbered) ? numbered.replace(koreanProvince, '$1 ').replace(koreanArea, '$1 ') : numbered;
}

function hanBlanks(text: string): string {
  return text
    .replace(/〒\s*/g, '')
    .replace(counted, (numeral) => String(numeralValue(numeral)))
    .replace(japaneseNumber, '$1-')
    .replace(numberEnd, ' ')
    .replace(chineseNumber, ' ')
    .split(/(\s+|[,，、])/)
    .map((run) => run.replace(prefecture, '$1 ').replace(province, '$1 ').replace(area, '$1 '))
    .join('')
    .replace(chineseStreet, '$1 ')
    .replace(/(?<=\p{Script=Han}|[ぁ-ヿ])(?=\d)/gu, ' ')
    .replace(/\s{2,}/g, ' ');
}

/** A numeral up to 999. */
function numeralValue(numeral: string): number {
  let [value, ones] = [0, 0];
  for (const sign of numeral) {
    if (sign === '百' || sign === '十') {
      value += (ones || 1) * (sign === '百' ? 100 : 10);
      ones = 0;
    } else ones = ones * 10 + digits.indexOf(sign);
  }
  return value + ones;
}
