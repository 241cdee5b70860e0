import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { regionsOf } from './small-regions.ts';

type Listed = [code: string, names: string[], isTopLevel: boolean];
const region = (admin1: string, name: string, isoCode?: string, names: string[] = [name]) => ({
  ...{ admin1, name },
  crosswalk: isoCode === undefined ? undefined : { isoCode, names },
});
const code = (code: string, ...names: string[]): Listed => [code, names, true];
const below = (code: string, ...names: string[]): Listed => [code, names, false];

/** The ISO codes of regions of France, whose codes the tests make up, by their own. */
async function matched(t: TestContext, regions: readonly ReturnType<typeof region>[], codes: readonly Listed[]) {
  const { find, get } = await regionsOf(t, {
    country: 'FR',
    regions: regions.map(({ crosswalk, ...rest }) => ({
      ...rest,
      ...(crosswalk && {
        isoCode: crosswalk.isoCode,
        names: Object.fromEntries(crosswalk.names.map((name, at) => [`x${'abc'[at]}`, name])),
      }),
    })),
    codes: codes.map(([listed, [name, english], isTopLevel]) => ({ code: listed, name, english, isTopLevel })),
  });
  const found = regions.map(({ admin1 }) => [admin1, get(find('FR', admin1)).isoCode]);
  return Object.fromEntries(found.filter(([, isoCode]) => isoCode !== null));
}

test('equal codes do not make two regions the same', async (t) => {
  const found = await matched(
    t,
    [region('13', 'Kanagawa'), region('40', 'Tokyo')],
    [code('FR-13', 'Tokyo'), code('FR-40', 'Fukuoka')],
  );
  assert.deepEqual(found, { 40: 'FR-13' });
});

test('the crosswalk decides between namesakes', async (t) => {
  const found = await matched(
    t,
    [region('42', 'Sofia-Capital', 'FR-22', ['Sofia City', 'Sofia-Capital']), region('58', 'Sofia', 'FR-23')],
    [code('FR-22', 'Sofia (stolitsa)', 'Sofia'), code('FR-23', 'Sofia')],
  );
  assert.deepEqual(found, { 42: 'FR-22', 58: 'FR-23' });
});

test('a withdrawn code of the crosswalk is replaced by the current one of the same name', async (t) => {
  const regions = [region('15', 'Corsica', 'FR-COR', ['Corsica', 'Corse'])];
  assert.deepEqual(await matched(t, regions, [code('FR-20R', 'Corse')]), { 15: 'FR-20R' });
});

test('a crosswalk entry with the names of another region is ignored', async (t) => {
  const regions = [region('24', 'Bắc Ninh', 'FR-41', ['Long An Province', 'Long An'])];
  assert.deepEqual(await matched(t, regions, [code('FR-41', 'Long An')]), {});
});

test('another spelling of the name confirms the crosswalk', async (t) => {
  const regions = [region('08', 'Bekaa', 'FR-BI', ['Beqaa Governorate'])];
  assert.deepEqual(await matched(t, regions, [code('FR-BI', 'Béqaa')]), { '08': 'FR-BI' });
});

test('words for the kind of region do not distinguish names', async (t) => {
  const found = await matched(
    t,
    [region('1', 'Turkana County'), region('2', 'Province of Lima')],
    [code('FR-43', 'Turkana'), code('FR-L', 'Lima')],
  );
  assert.deepEqual(found, { 1: 'FR-43', 2: 'FR-L' });
});

test('a code directly below the country takes precedence over one of a part with the same name', async (t) => {
  const codes = [below('FR-M', 'Madrid'), code('FR-MD', 'Comunidad de Madrid', 'Madrid')];
  assert.deepEqual(await matched(t, [region('29', 'Madrid')], codes), { 29: 'FR-MD' });
});

test('no code is given twice and no region gets two', async (t) => {
  const found = await matched(
    t,
    [region('1', 'Osh', 'FR-O'), region('2', 'Osh City', 'FR-O', ['Osh City'])],
    [code('FR-O', 'Osh'), code('FR-GO', 'Osh')],
  );
  const codes = Object.values(found);
  assert.equal(new Set(codes).size, codes.length);
  assert.equal(found[1], 'FR-O');
});
