/** What a place lies in, from its country down. */
import { Type } from '../schema.ts';
import type { Place, Store } from '../store/store.ts';
import { nullable, oneOf } from './parameters.ts';
import { countryName, regionName } from './place-fields.ts';

export const hierarchyField = {
  hierarchy: Type.Array(
    Type.Object({
      layer: oneOf(['country', 'region', 'subregion', 'place', 'suburb'], 'What the entry is.'),
      id: nullable(Type.Integer({ description: 'Identifier of a place; null for areas, which have a code.' })),
      code: nullable(
        Type.String({
          description:
            'Of a country its ISO 3166-1 alpha-2 code, of a region its ISO 3166-2 code, else the codes of the source after each other (`DE.02.091`).',
        }),
      ),
      name: Type.String(),
    }),
    { description: 'From the country down to the place itself.' },
  ),
};

/** Country, regions and place, and the part of it where one is given; names in a language where one is given. */
export function hierarchyOf(store: Store, place: Place, suburb?: Place, lang?: string) {
  const { regions, places } = store;
  const entries: {
    layer: 'country' | 'region' | 'subregion' | 'place' | 'suburb';
    id: number | null;
    code: string | null;
    name: string;
  }[] = [{ layer: 'country', id: null, code: place.country, name: countryName(store, place.country, lang) }];
  const area = (layer: 'region' | 'subregion', position: number) => {
    if (position >= 0)
      entries.push({ layer, id: null, code: regionCode(store, position), name: regionName(store, position, lang)! });
  };
  area('region', place.admin1);
  // A region that the boundaries tell may be another than the place's own, whose subregion it then has not.
  if (place.admin2 >= 0 && regions.get(place.admin2).parent === place.admin1) area('subregion', place.admin2);
  for (const each of suburb ? [place, suburb] : [place]) {
    const name = lang === undefined ? each.name : places.nameIn(each.index, lang);
    entries.push({ layer: each === place ? 'place' : 'suburb', id: each.id, code: null, name });
  }
  return entries;
}

function regionCode({ regions }: Store, position: number): string {
  const { country, isoCode, sourceCode, parent } = regions.get(position);
  if (isoCode !== null) return isoCode;
  return parent < 0 ? `${country}.${sourceCode}` : `${country}.${regions.get(parent).sourceCode}.${sourceCode}`;
}
