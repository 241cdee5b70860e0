/** The records of a dataset's street-level files, one by one. */
import type { LatLng } from '../../src/core/geo.ts';
import { poiCategories } from '../../src/core/place-kinds.ts';
import { poiTags } from '../../src/server/drop-in/record.ts';
import { readManifest } from '../../src/store/manifest.ts';
import { openWorld } from '../../src/store/packed/world.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';

export type Place = LatLng & {
  kind: 'street' | 'house' | 'poi';
  /** Of a street and of a point, which may have none. */
  name?: string;
  number?: string;
  street?: string;
  city?: string;
  admin1?: string;
  postcode?: string;
  /** Alpha-2 code in upper case. */
  country?: string;
  /** OpenStreetMap's. */
  tags: readonly [key: string, value: string];
};

const every = 1e7;

/** All streets, each followed by its houses, and all points. */
export function* placesOf(directory: string): Generator<Place> {
  const { streets: files, pois, close } = openStreetFiles(directory, readManifest(directory).parts);
  for (const file of files) {
    for (const { iso2: country } of openWorld(directory).countries.assigned) {
      for (const id of file.matching([{ country }], every)) {
        const { names, area, postcodes, lat, lng, highway } = file.street(id);
        const { city, admin1 } = file.area(area);
        const settlement = { ...(city && { city }), ...(admin1 && { admin1 }), country };
        const tags = ['highway', highway ?? 'residential'] as const;
        yield { kind: 'street', name: names[0], ...settlement, postcode: postcodes[0], lat, lng, tags };
        for (const { text, lat, lng, postcode } of file.houses(id)) {
          const address = { number: text, street: names[0], ...settlement, postcode: postcodes[postcode] };
          yield { kind: 'house', ...address, lat, lng, tags: ['place', 'house'] };
        }
      }
    }
  }
  for (const file of pois) {
    for (const category of poiCategories) {
      for (const { id, lat, lng } of file.matching([{ category }])) {
        const name = file.poi(id)?.name ?? undefined;
        yield { kind: 'poi', name, lat, lng, tags: poiTags[category] };
      }
    }
  }
  close();
}
