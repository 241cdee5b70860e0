/** Digits, blanks and letters of other scripts, as address search reads them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withEastAsianBlanks, withPlainDigits } from '../../src/text/scripts.ts';

test('digits of every script, full-width signs and the dashes of numbers are those of ASCII', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['Ｔｏｋｙｏ　１２－３', 'Tokyo 12-3'],
    ['٣٦', '36'],
    ['۳۶', '36'],
    ['३६ और ০১', '36 और 01'],
    ['๑๒๓', '123'],
    ['𝟏𝟮', '12'],
    ['3−1ー1', '3-1-1'],
    ['センター 5', 'センター 5'],
    ['№ 5 ½ º', '№ 5 ½ º'],
  ];
  for (const [text, plain] of texts) assert.equal(withPlainDigits(text), plain);
});

test('addresses of China, Japan and Korea are cut where a part ends', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['東京都千代田区霞が関3-1-1', '東京都 千代田区 霞が関 3-1-1'],
    ['三重県四日市市諏訪町1番5号', '三重県 四日市市 諏訪町 1-5'],
    ['新宿区西新宿二丁目8番1号', '新宿区 西新宿 2-8-1'],
    ['中央区十二丁目3番', '中央区 12-3'],
    ['千代田区五番町1-9', '千代田区 五番町 1-9'],
    ['〒160-0021 東京都新宿区歌舞伎町1-21-7', '160-0021 東京都 新宿区 歌舞伎町 1-21-7'],
    ['北京市朝阳区建国路88号', '北京市 朝阳区 建国路 88'],
    ['广东省深圳市南山区科技园路1号', '广东省 深圳市 南山区 科技园路 1'],
    ['台北市信義區信義路五段7號', '台北市 信義區 信義路五段 7'],
    ['上海市静安区南京西路1266号恒隆广场', '上海市 静安区 南京西路 1266 恒隆广场'],
    ['월드컵로193번길8', '월드컵로193번길 8'],
    ['경기도수원시영통구아주로42', '경기도 수원시 영통구 아주로 42'],
    ['서울특별시중구세종대로110', '서울특별시 중구 세종대로 110'],
    ['Städtle 15, 9490 Vaduz', 'Städtle 15, 9490 Vaduz'],
  ];
  for (const [text, cut] of texts) assert.equal(withEastAsianBlanks(text).trim(), cut);
});
