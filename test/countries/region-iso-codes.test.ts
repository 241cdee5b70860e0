import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchIsoCodes } from '../../src/build/layers/world/region-names.ts';

const region = (admin1: string, name: string, isoCode?: string, names: string[] = [name]) => ({
  key: `QQ.${admin1}`,
  name,
  crosswalk: isoCode === undefined ? undefined : { isoCode, names },
});
const code = (code: string, ...names: string[]) => ({ code, names, isTopLevel: true });
const below = (code: string, ...names: string[]) => ({ code, names, isTopLevel: false });

test('equal codes do not make two regions the same', () => {
  const found = matchIsoCodes(
    [region('13', 'Kanagawa'), region('40', 'Tokyo')],
    [code('QQ-13', 'Tokyo'), code('QQ-40', 'Fukuoka')],
  );
  assert.deepEqual([...found], [['QQ.40', 'QQ-13']]);
});

test('the crosswalk decides between namesakes', () => {
  const found = matchIsoCodes(
    [region('42', 'Sofia-Capital', 'QQ-22', ['Sofia City', 'Sofia-Capital']), region('58', 'Sofia', 'QQ-23')],
    [code('QQ-22', 'Sofia (stolitsa)', 'Sofia'), code('QQ-23', 'Sofia')],
  );
  assert.deepEqual(Object.fromEntries(found), { 'QQ.42': 'QQ-22', 'QQ.58': 'QQ-23' });
});

test('a withdrawn code of the crosswalk is replaced by the current one of the same name', () => {
  const found = matchIsoCodes([region('15', 'Corsica', 'QQ-COR', ['Corsica', 'Corse'])], [code('QQ-20R', 'Corse')]);
  assert.equal(found.get('QQ.15'), 'QQ-20R');
});

test('a crosswalk entry with the names of another region is ignored', () => {
  const found = matchIsoCodes(
    [region('24', 'Bắc Ninh', 'QQ-41', ['Long An Province', 'Long An'])],
    [code('QQ-41', 'Long An')],
  );
  assert.equal(found.size, 0);
});

test('another spelling of the name confirms the crosswalk', () => {
  const found = matchIsoCodes([region('08', 'Bekaa', 'QQ-BI', ['Beqaa Governorate'])], [code('QQ-BI', 'Béqaa')]);
  assert.equal(found.get('QQ.08'), 'QQ-BI');
});

test('words for the kind of region do not distinguish names', () => {
  const found = matchIsoCodes(
    [region('1', 'Turkana County'), region('2', 'Province of Lima')],
    [code('QQ-43', 'Turkana'), code('QQ-L', 'Lima')],
  );
  assert.deepEqual(Object.fromEntries(found), { 'QQ.1': 'QQ-43', 'QQ.2': 'QQ-L' });
});

test('a code directly below the country takes precedence over one of a part with the same name', () => {
  const found = matchIsoCodes(
    [region('29', 'Madrid')],
    [below('QQ-M', 'Madrid'), code('QQ-MD', 'Comunidad de Madrid', 'Madrid')],
  );
  assert.equal(found.get('QQ.29'), 'QQ-MD');
});

test('no code is given twice and no region gets two', () => {
  const found = matchIsoCodes(
    [region('1', 'Osh', 'QQ-O'), region('2', 'Osh City', 'QQ-O', ['Osh City'])],
    [code('QQ-O', 'Osh'), code('QQ-GO', 'Osh')],
  );
  assert.equal(new Set(found.values()).size, found.size);
  assert.equal(found.get('QQ.1'), 'QQ-O');
});
