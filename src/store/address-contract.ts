/** The read contract of the street-level layers: addresses, streets, points of interest. See store.ts. */
import type { Static } from 'typebox';
import type { BoundingBox, LatLng } from '../core/geo.ts';
import type { PoiCategory } from '../core/place-kinds.ts';
import { Nullable, nullable, oneOf, Type } from '../schema.ts';

/** The object of OpenStreetMap that a record is (`n12`, `w5`, `r7`); null or missing where its source is another. */
type Origin = { object?: string | null };

export type Address = Origin & {
  id: number;
  houseNumber: string | null;
  street: string;
  city: string | null;
  admin1: string | null;
  postalCode: string | null;
  country: string;
  lat: number;
  lng: number;
  /**
   * `partial` is a house that a part of the text speaks against. `intersection` is the crossing of two streets; `street`
   * then has both names, joined by an ampersand.
   */
  matchType: 'exact' | 'partial' | 'interpolated' | 'intersection' | 'street';
  source: string;
  /** Only where the query asks for them: what became of each part of the query. */
  components?: AddressComponent[];
  /** Whether more than an edited or unfinished word says which street is meant; as the components. */
  isSure?: boolean;
};

/** A part of a query and what the answer has for it. */
export const addressComponent = Type.Object({
  component: oneOf(
    ['street', 'house_number', 'unit', 'postal_code', 'city', 'admin1', 'country', 'other'],
    'The part of the address; `other` is none of them, such as a firm.',
  ),
  input: Nullable.String('As typed; null for what the record adds.'),
  value: Nullable.String('As the record has it; null where it has none.'),
  status: oneOf(
    ['confirmed', 'corrected', 'inferred', 'missing', 'contradicted', 'unread'],
    '`confirmed`: the record has it, or lies in it; `corrected`: with a typo or in another spelling; `inferred`: not typed, or a position between ' +
      'neighbours; `missing`: understood, but not in the data; `contradicted`: the record has another; `unread`: nothing explains it.',
  ),
});
export type AddressComponent = Static<typeof addressComponent>;

/** An address whose parts are known apart. */
export type AddressFields = {
  street?: string;
  houseNumber?: string;
  unit?: string;
  postalCode?: string;
  city?: string;
  admin1?: string;
};

/**
 * What searches may still cost, in µs of processor time as `geocoding/search-limits.ts` prices their steps: equal texts cost as
 * much on any machine. All that are given the same one share it.
 */
export type Budget = { left: number };

export type AddressQuery = {
  text: string;
  /** One of its own by default, as for all searches. */
  budget?: Budget;
  /** Instead of the text, which is then not read. Unlike the filters below, these need not be true of an answer. */
  fields?: AddressFields;
  /** Whether answers have `components`. */
  hasComponents?: boolean;
  /** Whether a house that a town of the query contradicts may be an answer where nothing else is. */
  admitsContradiction?: boolean;
  country?: string;
  city?: string;
  postalCode?: string;
  bbox?: BoundingBox;
  limit: number;
};

/** The steps of a search, each less strict than the one before: see docs/addresses.md. */
const steps = [
  'as_written',
  'crossing',
  'mended',
  'corrected',
  'name_beside_number',
  'corrected_short_words',
  'one_word_less',
  'contradicted',
] as const;
export type AddressStep = (typeof steps)[number];

/** An explanation of the answers to a text. */
export const addressExplanation = Type.Object(
  {
    interpretations: Type.Array(Type.Object({ house_number: Nullable.String(), words: Type.Array(Type.String()) }), {
      description: 'The interpretations of the query, the most likely first; words are folded to Latin letters.',
    }),
    step: nullable(oneOf(steps, 'The step that found a result; later steps allow more differences from the query.')),
    candidates: Type.Integer('Number of streets that were compared with the query.'),
    answers: Type.Array(
      Type.Object({
        name: Type.String('The name of the street that matched.'),
        contributions: Type.Object({
          // 100 for all.
          nameMatch: Type.Number("Share of the words of the street's name that are in the query."),
          // 200 if the house was found, 100 if its position was interpolated; less for a range or a door.
          houseMatch: Type.Number('How the house number matches.'),
          // `Hof 2` before `Höf 2`.
          spelling: Type.Number('Whether the name is spelled as in the query.'),
          unexplained: Type.Number('Penalty for words without a match.'),
        }),
        score: Type.Number('Sum of the points; equal scores are ordered by the size of the settlement.'),
      }),
      { description: 'The best candidates in order.' },
    ),
  },
  { description: 'How the results were found and ranked; only with `explain`.' },
);
export type AddressExplanation = Static<typeof addressExplanation>;
export type AddressContributions = AddressExplanation['answers'][number]['contributions'];

export type Addresses = {
  /**
   * The house, the position between houses or the whole street that an identifier is of; undefined where there is none,
   * or where its position depended on the query.
   */
  byId(id: number): Address | undefined;
  /** Identifier of the house or street that an object of OpenStreetMap is (`w12`); undefined where there is none. */
  idOfObject(object: string): number | undefined;
  /** Addresses that a free text names, best first. */
  search(query: AddressQuery, explained?: (explanation: AddressExplanation) => void): Address[];
  /** Addresses nearest to a position within a distance, nearest first. */
  nearest(from: LatLng, options: { maxKm: number; limit: number }): (Address & { distanceKm: number })[];
};

export type Street = Origin & {
  id: number;
  name: string;
  /** OpenStreetMap's `highway` value; null where the source has none. */
  highwayType: string | null;
  city: string | null;
  admin1: string | null;
  country: string;
  lat: number;
  lng: number;
  distanceKm: number | null;
  source: string;
};

/** A street with all known details. */
type StreetDetails = Omit<Street, 'distanceKm'> & {
  otherNames: string[];
  postalCodes: string[];
};

export type Streets = {
  /** False if no street has these words, of which the last may be unfinished; true where that is not known in memory. */
  mayBegin(words: readonly (readonly string[])[]): boolean;
  /** Streets whose nearest vertex is within a distance of a position, nearest first. */
  nearest(from: LatLng, options: { maxKm: number; limit: number }): Street[];
  /** The street of an identifier; undefined where there is none. */
  byId(id: number): StreetDetails | undefined;
  /** Villages of imported extracts that a text has the whole name of, alone or beside what they lie in. */
  villages(text: string, within: { country?: string; bbox?: BoundingBox; budget?: Budget }): Street[];
  /** Streets a text names; with `near` only those within `radiusKm`, nearest first. */
  search(query: StreetQuery): Street[];
};

export type StreetQuery = {
  text: string;
  budget?: Budget;
  near?: LatLng;
  radiusKm: number;
  city?: string;
  /** Whether the last word of the city may be unfinished. */
  isCityOpen?: boolean;
  country?: string;
  /** Only streets whose point lies in it. */
  bbox?: BoundingBox;
  limit: number;
  /** Whether villages of imported extracts count too, which have no geometry. */
  withVillages?: boolean;
  /** Whether words that are not found are corrected by one edit; true by default. */
  fuzzy?: boolean;
};

export type Poi = Origin & {
  id: number;
  /** Null for one without a name, such as most car parks and pitches. */
  name: string | null;
  category: PoiCategory;
  lat: number;
  lng: number;
  cuisine: string | null;
  /** The tag of OpenStreetMap that makes it a point: `amenity=cafe`. */
  tag?: string | null;
  otherNames: string[];
  /** Short name of the data source. */
  source: string;
};

export type Pois = {
  /** As that of `Streets`. */
  mayBegin(words: readonly (readonly string[])[]): boolean;
  /** Of each of these names, whether a point has every word of it; also of few others. */
  have(names: readonly string[], budget?: Budget): boolean[];
  /**
   * Points with every word of a name, in no order; of very many, some. `admits` excludes positions; `fuzzy` corrects
   * the words where nothing has them, and with `isPrefix` the last one may be unfinished.
   */
  named(
    name: string,
    options: { admits?: (point: LatLng) => boolean; fuzzy: boolean; isPrefix: boolean; budget?: Budget },
  ): (Poi & { name: string })[];
  /** The point of an identifier; undefined where there is none. */
  byId(id: number): Poi | undefined;
  /** Identifier of the point that an object of OpenStreetMap is (`n12`); undefined where there is none. */
  idOfObject(object: string): number | undefined;
  /** Points of interest within a distance, nearest first, then id. */
  nearest(
    from: LatLng,
    options: {
      radiusKm: number;
      category?: PoiCategory;
      name?: string;
      cuisine?: string;
      bbox?: BoundingBox;
      limit: number;
    },
  ): (Poi & { distanceKm: number })[];
};
