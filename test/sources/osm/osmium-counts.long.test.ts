/**
 * What is read from the files of ../shared/data/osm, against counts by osmium-tool 1.15:
 * - addresses: `osmium tags-filter -R FILE` with `nwr/` and each of the keys of house-numbers.ts, all of them either
 *   read or dropped with a reason;
 * - street names: `tags-filter wr/highway=<the values of feature.ts>`, then `wr/name`, then `tags-count 'name=*' | wc -l`;
 * - settlements: `tags-filter -R FILE n/place=city,town,village,hamlet`, those with a name;
 * - categories: `tags-filter -R FILE nwr/amenity=<the values of poi-tags.ts>`, then `tags-filter -R -i nwr/access=private,no`
 *   for those of its conditions.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStreets } from '../../../src/sources/source-kinds.ts';
import { sharedData } from '../../support/shared-data.ts';
import type { StreetRecord } from '../../support/street-batches.ts';
import { collect } from '../../support/street-batches.ts';

const files: Record<
  string,
  {
    addresses: number;
    streetNames: number;
    villages?: number;
    restaurant?: number;
    bank?: number;
    fuel?: number;
    parking?: number;
  }
> = {
  'liechtenstein-2024.osm.pbf': {
    addresses: 12_519,
    streetNames: 1032,
    villages: 33,
    restaurant: 116,
    bank: 26,
    fuel: 20,
    parking: 381,
  },
  'liechtenstein-2021.osm.pbf': { addresses: 3735, streetNames: 985, villages: 34 },
  'liechtenstein-2013-08-03.osm.bz2': { addresses: 200, streetNames: 734, villages: 17 },
  'monaco-planetiler.osm.pbf': { addresses: 269, streetNames: 244, villages: 1, restaurant: 152, bank: 29, fuel: 4 },
  'monaco-planetiler.lz4.osm.pbf': {
    addresses: 269,
    streetNames: 244,
    villages: 1,
    restaurant: 152,
    bank: 29,
    fuel: 4,
  },
  'fi-helsinki.osm.pbf': {
    addresses: 1472,
    streetNames: 109,
    villages: 1,
    restaurant: 432,
    bank: 39,
    fuel: 4,
    parking: 36,
  },
  'us-baltimore.osm.pbf': { addresses: 1333, streetNames: 566, restaurant: 177, bank: 12, fuel: 22, parking: 123 },
  'pt-porto.osm.pbf': { addresses: 66, streetNames: 6665, villages: 8 },
  'de-dreieich.osm.gz': {
    addresses: 915,
    streetNames: 101,
    villages: 1,
    restaurant: 16,
    bank: 1,
    fuel: 0,
    parking: 24,
  },
  'at-krems.osm.gz': { addresses: 324, streetNames: 153, villages: 3 },
  'ru-moscow.osm.gz': { addresses: 379, streetNames: 39 },
};

const isVillage = ({ lines }: StreetRecord) => lines.length === 0;

for (const [file, expected] of Object.entries(files)) {
  test(`${file} has what osmium counts`, async (t) => {
    const path = sharedData(t, `osm/${file}`);
    if (!path) return;
    const { addresses, streets, pois, dropped } = await collect((options) => readStreets('osm-pbf', path, options));
    const withAddress = new Set(addresses.map(({ sourceId }) => sourceId)).size;
    assert.equal(withAddress + (dropped['house number without street, place or quarter'] ?? 0), expected.addresses);
    const [ways, villages] = [streets.filter(({ lines }) => lines.length > 0), streets.filter(isVillage)];
    assert.equal(new Set(ways.map(({ name }) => name)).size, expected.streetNames);
    assert.equal(villages.length, expected.villages ?? 0, 'settlements');
    for (const category of ['restaurant', 'bank', 'fuel', 'parking'] as const) {
      if (expected[category] === undefined) continue;
      assert.equal(pois.filter((poi) => poi.category === category).length, expected[category], category);
    }
  });
}
