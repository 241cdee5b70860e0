import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { regionsOf } from './small-regions.ts';

type Listed = [code: string, names: string[], isTopLevel: boolean];
type Region = [admin1: string, name: string, crosswalk?: string, ...names: string[]];
const code = (code: string, ...names: string[]): Listed => [code, names, true];
const below = (code: string, ...names: string[]): Listed => [code, names, false];

/** The ISO codes of regions of a country by GeoNames' own. */
async function matched(t: TestContext, country: string, regions: readonly Region[], codes: readonly Listed[] = []) {
  const { find, get } = await regionsOf(t, {
    country,
    regions: regions.map(([admin1, name, isoCode, ...names]) => ({
      ...{ admin1, name },
      ...(isoCode && { isoCode, names: Object.fromEntries(names.map((name, at) => [`x${'abc'[at]}`, name])) }),
    })),
    codes: codes.map(([listed, [name, english], isTopLevel]) => ({ code: listed, name, english, isTopLevel })),
  });
  const found = regions.map(([admin1]) => [admin1, get(find(country, admin1)).isoCode]);
  return Object.fromEntries(found.filter(([, isoCode]) => isoCode !== null));
}

test('equal codes do not make two regions the same', async (t) => {
  const regions: Region[] = [
    ['19', 'Kanagawa'],
    ['40', 'Tokyo'],
  ];
  assert.deepEqual(await matched(t, 'JP', regions), { 19: 'JP-14', 40: 'JP-13' });
  const others: Region[] = [
    ['13', 'Kanagawa'],
    ['40', 'Tokyo'],
  ];
  const found = await matched(t, 'FR', others, [code('FR-13', 'Tokyo'), code('FR-40', 'Fukuoka')]);
  assert.deepEqual(found, { 40: 'FR-13' });
});

test('namesakes have each their own code', async (t) => {
  const regions: Region[] = [
    ['42', 'Sofia-Capital', 'BG-22', 'Sofia City', 'Sofia-Capital'],
    ['58', 'Sofia', 'BG-23'],
  ];
  const found = await matched(t, 'BG', regions, [code('BG-22', 'Sofia (stolitsa)', 'Sofia'), code('BG-23', 'Sofia')]);
  assert.deepEqual(found, { 42: 'BG-22', 58: 'BG-23' });
});

test('a withdrawn code of the crosswalk is replaced by the current one', async (t) => {
  const regions: Region[] = [['94', 'Corsica', 'FR-COR', 'Corsica', 'Corse']];
  assert.deepEqual(await matched(t, 'FR', regions, [code('FR-20R', 'Corse')]), { 94: 'FR-20R' });
});

test('a crosswalk entry with the names of another region is ignored', async (t) => {
  const regions: Region[] = [['24', 'Bắc Ninh', 'VN-41', 'Long An Province', 'Long An']];
  assert.deepEqual(await matched(t, 'VN', regions, [code('VN-41', 'Long An')]), { 24: 'VN-56' });
});

test('another spelling of the name makes no difference', async (t) => {
  const regions: Region[] = [['08', 'Bekaa', 'LB-BI', 'Beqaa Governorate']];
  assert.deepEqual(await matched(t, 'LB', regions, [code('LB-BI', 'Béqaa')]), { '08': 'LB-BI' });
});

test('words for the kind of region do not distinguish names', async (t) => {
  assert.deepEqual(await matched(t, 'KE', [['51', 'Turkana County']], [code('KE-43', 'Turkana')]), { 51: 'KE-43' });
  assert.deepEqual(await matched(t, 'PE', [['15', 'Lima Region']], [code('PE-LIM', 'Lima')]), { 15: 'PE-LIM' });
});

test('a code directly below the country takes precedence over one of a part with the same name', async (t) => {
  const codes = [below('ES-M', 'Madrid'), code('ES-MD', 'Comunidad de Madrid', 'Madrid')];
  assert.deepEqual(await matched(t, 'ES', [['29', 'Madrid']], codes), { 29: 'ES-MD' });
  assert.deepEqual(await matched(t, 'ES', [['99', 'Madrid']], codes), { 99: 'ES-MD' }, 'by its name alone');
});

test('no code is given twice and no region gets two', async (t) => {
  const regions: Region[] = [
    ['98', 'Osh'],
    ['99', 'Osh'],
    ['10', 'Osh City', 'KG-O', 'Osh City'],
  ];
  const found = await matched(t, 'KG', regions, [code('KG-O', 'Osh'), code('KG-GO', 'Osh', 'Osh City')]);
  assert.deepEqual(found, { 10: 'KG-GO', 98: 'KG-O' });
  for (const line of readFileSync('sources/names/region-iso-codes.tsv', 'utf8').trimEnd().split('\n')) {
    const [country, list] = line.split('\t');
    const pairs = list.split(' ').map((entry) => entry.split('='));
    const codes = pairs.map(([own, iso = own]) => iso).filter((iso) => iso !== '');
    assert.equal(new Set(pairs.map(([own]) => own)).size, pairs.length, country);
    assert.equal(new Set(codes).size, codes.length, country);
  }
});
