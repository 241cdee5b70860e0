/** What a place lies in, from its country down. */
import { Type } from '../schema.ts';
import { areaId, areaOfCountry, areaOfRegion } from '../store/gazetteer.ts';
import type { Place, Store } from '../store/store.ts';
import { nullable, oneOf } from './parameters.ts';
import { countryName, regionName } from './place-fields.ts';

const layers = ['country', 'region', 'subregion', 'place', 'suburb', 'street'] as const;

export const hierarchyField = {
  hierarchy: Type.Array(
    Type.Object({
      layer: oneOf(layers, 'Layer of the entry.'),
      id: nullable(Type.Integer({ description: 'Identifier for /place/{id}; null for a country without places.' })),
      code: nullable(
        Type.String({
          description:
            'ISO 3166-1 alpha-2 code of a country, ISO 3166-2 code of a region, or else the concatenated codes of the source (`DE.02.091`).',
        }),
      ),
      name: Type.String(),
    }),
    { description: 'From the country down to the place itself.' },
  ),
};

/** Region positions, -1 for none. */
export type Within = Pick<Place, 'country' | 'admin1' | 'admin2'>;
export type HierarchyEntry = { layer: (typeof layers)[number]; id: number | null; code: string | null; name: string };

/** The country and regions that hold something, by region positions (-1 for none), and then places from the larger to the smaller. */
export function hierarchyOf(
  store: Store,
  within: Within,
  settlements: readonly Place[],
  lang?: string,
): HierarchyEntry[] {
  const { regions, places, gazetteer } = store;
  const { country, admin1, admin2 } = within;
  const number = gazetteer.countryNumber(country);
  const entries: HierarchyEntry[] = [];
  if (country !== '') {
    const id = number === undefined ? null : areaId(areaOfCountry(number));
    entries.push({ layer: 'country', id, code: country, name: countryName(store, country, lang) });
  }
  const add = (layer: 'region' | 'subregion', position: number) => {
    const name = regionName(store, position, lang);
    if (name === null) return;
    entries.push({ layer, id: areaId(areaOfRegion(position)), code: regionCode(store, position), name });
  };
  add('region', admin1);
  // A region from the boundaries may differ from the place's own, and then does not have its subregion.
  if (admin2 >= 0 && regions.get(admin2).parent === admin1) add('subregion', admin2);
  for (const [at, { id, index, name }] of settlements.entries()) {
    const shown = lang === undefined ? name : places.nameIn(index, lang);
    entries.push({ layer: at === 0 ? 'place' : 'suburb', id, code: null, name: shown });
  }
  return entries;
}

function regionCode({ regions }: Store, position: number): string {
  const { country, isoCode, sourceCode, parent } = regions.get(position);
  if (isoCode !== null) return isoCode;
  return parent < 0 ? `${country}.${sourceCode}` : `${country}.${regions.get(parent).sourceCode}.${sourceCode}`;
}
