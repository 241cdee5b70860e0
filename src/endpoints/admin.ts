import { invalidParameter } from '../errors.ts';
import { Nullable, Type } from '../schema.ts';
import type { Region, Regions } from '../store/store.ts';
import { orderOf } from '../text/language-tags.ts';
import { defineEndpoint } from './endpoint.ts';
import { country, languageParameter, listOf, offsetParameter, optional, text } from './parameters.ts';

const level = Type.Integer({
  minimum: 1,
  maximum: 2,
  default: 1,
  description: '1: states, provinces; 2: counties, districts.',
});
const parameters = Type.Object({ country: country(), level });
const withParent = Type.Object({
  ...parameters.properties,
  parent: optional(
    text('With `level=2`: only regions of this level-1 region, by code (`BY`, `DE-BY`) or name.', {
      examples: ['BY'],
    }),
  ),
  lang: languageParameter,
  offset: offsetParameter,
});

const fields = {
  name: Type.String(),
  code: Type.String(
    'Level 1: the part of the ISO 3166-2 code after the country, or else the code of the source (GeoNames). ' +
      'Level 2: the code of the source, unique inside its level-1 region.',
  ),
  level: Type.Integer({ minimum: 1, maximum: 2 }),
};
const countryCode = Type.String('ISO 3166-1 alpha-2 code.');
const prefixedCode = Type.String(
  'The short code after its country (`US-CA`); at level 2 after its level-1 region (`US-CA-037`).',
);

export const admin = defineEndpoint({
  path: '/admin',
  summary: 'Administrative regions of a country',
  description: 'First-level (states, provinces) or second-level (counties, districts) regions, ordered by name.',
  parameters: { default: withParent, a: parameters, b: parameters },
  response: {
    default: listOf(
      {
        ...fields,
        iso_code: Nullable.String('ISO 3166-2 code; null where there is none.'),
        country: countryCode,
        parent: Nullable.String('Code of the level-1 region; null at level 1.'),
      },
      { country: countryCode },
    ),
    a: listOf(fields, { country: countryCode }),
    b: listOf({ ...fields, code: prefixedCode, country: countryCode }, {}),
  },
  dependencies: ['IF parent THEN level==2;'],
  layers: ['world'],
  handle({ country, level, parent, lang, offset = 0 }, { store: { regions }, profile }) {
    const found = parent === undefined ? regions.list(country, level as 1 | 2) : within(parent, country, regions);
    const codeOf = profile === 'b' ? prefixed : shortCode;
    const listed = lang === undefined ? found : inLanguage(found, regions, lang);
    const results = listed.slice(offset).map((region) => ({
      name: region.name,
      code: codeOf(region, regions),
      level: region.level,
      iso_code: region.isoCode,
      country,
      parent: region.parent < 0 ? null : shortCode(regions.get(region.parent)),
    }));
    return { results, country, count: results.length };
  },
});

/** Regions with their names in a language, by these. */
function inLanguage(found: readonly Region[], regions: Regions, lang: string): Region[] {
  const compare = orderOf(lang);
  const named = found.map((region) => ({ ...region, name: regions.nameIn(region.index, lang) }));
  return named.sort((a, b) => compare(a.name, b.name));
}

/** Second-level regions of the level-1 regions that a text means, by name. */
function within(parent: string, country: string, regions: Regions): Region[] {
  const matched = regions.matching(country, parent);
  if (matched.length === 0) {
    const got = JSON.stringify(parent.slice(0, 60));
    throw invalidParameter(
      'parent',
      `parent is ${got}, expected the code or name of a level-1 region of ${country}; /v1/admin?country=${country} lists them`,
    );
  }
  return matched.flatMap((index) => regions.list(country, 2, index)).sort((one, other) => one.index - other.index);
}

function shortCode(region: Region): string {
  return region.isoCode === null ? region.sourceCode : region.isoCode.slice(3);
}

function prefixed(region: Region, regions: Regions): string {
  const above = region.parent < 0 ? region.country : prefixed(regions.get(region.parent), regions);
  return `${above}-${shortCode(region)}`;
}
