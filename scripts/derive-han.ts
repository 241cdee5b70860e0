/**
 * Derives src/text/dictionaries/han.json from OpenCC's tables (npm opencc-js, Apache 2.0): characters that have one
 * simplified form in China, traditional ones and those of Japan; and simplified characters with their traditional forms. Usage:
 * node scripts/node26.js scripts/derive-han.ts opencc-js
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [opencc] = process.argv.slice(2);
if (!opencc) throw new Error('usage: derive-han.ts opencc-js');
const { Converter } = await import(pathToFileURL(resolve(opencc, 'dist/esm/full.js')).href);
const simplified: (text: string) => string = Converter({ from: 't', to: 'cn' });
const traditional: (text: string) => string = Converter({ from: 'jp', to: 't' });

const characters = Array.from({ length: 0x9fff - 0x3400 + 1 }, (_, at) => String.fromCharCode(0x3400 + at));
const ofChina = new Map(
  characters.map((from) => [from, simplified(from)] as const).filter(([from, to]) => to !== from && to.length === 1),
);
const forms = new Set(ofChina.values());
// A character that is a simplified one itself stays: 沪 is Shanghai.
const ofJapan = characters
  .map((from) => [from, simplified(traditional(from))] as const)
  .filter(([from, to]) => !ofChina.has(from) && !forms.has(from) && forms.has(to) && to.length === 1);
const pairs = [...ofChina, ...ofJapan].filter(([from]) => !forms.has(from));

/** Characters that are traditional too, as most of them are in names: 里 of 里昂 is not the 裏 of inside. */
const kept = new Set('里于采岳咸斗后台范面升岩余干拐浚夸志征丑姜');
const ofNames: Readonly<Record<string, string>> = { 个: '個', 冲: '沖', 钟: '鐘', 发: '發', 迹: '跡' };
const toTraditional: (text: string) => string = Converter({ from: 'cn', to: 't' });
const back = characters
  .map((from) => [from, ofNames[from] ?? toTraditional(from)] as const)
  .filter(([from, to]) => to !== from && to.length === 1 && !kept.has(from));

const table = {
  from: pairs.map(([from]) => from).join(''),
  to: pairs.map(([, to]) => to).join(''),
  simplified: back.map(([from]) => from).join(''),
  traditional: back.map(([, to]) => to).join(''),
};
writeFileSync(
  join(import.meta.dirname, '../src/text/dictionaries/han.json'),
  `${JSON.stringify(table, undefined, 2)}\n`,
);
