import type { Explanation } from '../geocoding/explain.ts';
import type { Hit } from '../geocoding/geocode.ts';
import { Nullable, nullable, Type } from '../schema.ts';
import { addressExplanation } from '../store/address-contract.ts';
import { areaId } from '../store/gazetteer.ts';
import type { Store } from '../store/store.ts';
import { countryOfLanguage } from '../text/language-tags.ts';
import { layersCoverageSchema } from './coverage.ts';

/** The explanation of a search's results, on request. */
const explanationSchema = Type.Object({
  language: Nullable.String('Language of the names, by `lang` or `Accept-Language`; null for main names.'),
  preferred_country: Nullable.String(
    'Country of that language, `GB` of `en-GB`, which is preferred a little; null without one or where a position or country is given.',
  ),
  tokens: Type.Array(Type.String(), { description: 'Tokens of the query, folded.' }),
  candidates: Type.Integer('Number of candidate interpretations that were scored.'),
  interpretations: Type.Array(
    Type.Object({
      name: Type.String('The words that are taken as the name.'),
      context: Type.String('The words that are taken as what it lies in.'),
      candidates: Type.Integer('Number of candidates with it.'),
      score: Type.Number('The best score of these.'),
    }),
    { description: 'How the query was divided into a name and its context; the best one first.' },
  ),
  answers: Type.Array(
    Type.Object({
      id: Type.Integer('Identifier for /place/{id}.'),
      is_result: Type.Boolean('Whether it is among the results; false for a candidate that lost.'),
      name: Type.String('The name that matched, folded.'),
      typed: Type.String('The part of the query that matched this name.'),
      contributions: Type.Object(
        {
          textMatch: Type.Number('How closely the typed text matches the name.'),
          contextMatch: Type.Number('How well the other words match the region and country.'),
          nameMatch: Type.Number('How good the name is: a main name, or another one.'),
          aliasWorth: Type.Number('How often the name means this place.'),
          prominence: Type.Number('Prominence of the record.'),
          layerPrior: Type.Number('Preference for its layer.'),
          nearness: Type.Number('Nearness to the given point.'),
        },
        { description: 'Points of each feature.' },
      ),
      situation: Type.Optional(
        Type.Object(
          {
            textCost: Type.Number('Points that the name costs.'),
            contextCost: Type.Number('Points that the other words cost.'),
            nameCost: Type.Number('Points that the kind of name costs.'),
            contextBehind: Type.Number('How much better the context of the first answer is.'),
            aliasCost: Type.Number('Points for how seldom the name means this record.'),
            margin: Nullable.Number('Points to the best other answer; null without one.'),
            isEdited: Type.Boolean('Whether letters of the name were corrected.'),
            letters: Type.Integer('Letters of the typed name.'),
            commonness: Type.Number('How common the typed name is as plain words, 0 to 1.'),
            isPersonal: Type.Boolean('Whether the text may name a person.'),
            signs: Type.Number('Share of the query that is signs.'),
            isOtherName: Type.Boolean('Whether words that do not fit the record name another place.'),
            isOneOfSeveral: Type.Boolean('Whether another street or house is as good.'),
            isOtherKind: Type.Boolean('Whether a word states another kind of thing.'),
            hasContext: Type.Boolean('Whether other words are explained.'),
            explainedShare: Type.Number('Share of the other words that is explained.'),
            prominence: Type.Number('Prominence of the record, before it becomes points.'),
          },
          { description: 'What the confidence is computed from; absent for suggestions, which have none.' },
        ),
      ),
      score: Type.Number('Sum of the points plus 100; results are ordered by it.'),
    }),
    {
      description:
        'The best candidates in order: those of the results, and others that lost, eight at least if there are as many.',
    },
  ),
  addresses: nullable(addressExplanation),
});

/** What answers to a text have besides results. */
export const foundFields = {
  coverage: Type.Optional(layersCoverageSchema),
  explain: Type.Optional(explanationSchema),
};

/** The explanation of some hits, as answers have it; `lang` is the language of names. */
export function explanationRecord(
  { gazetteer }: Store,
  trace: Partial<Explanation>,
  hits: readonly Hit[],
  { lang, country, near }: { lang?: string | undefined; country?: string | undefined; near?: object | undefined },
) {
  const { facts } = gazetteer;
  const refs = new Set(hits.map(({ place, area }) => place ?? (area === undefined ? undefined : facts.size + area)));
  const { tokens = [], candidates = 0, interpretations = [], answers = [], addresses = null } = trace;
  return {
    language: lang ?? null,
    preferred_country: (country === undefined && near === undefined && countryOfLanguage(lang)) || null,
    tokens,
    candidates,
    interpretations,
    answers: answers.map(({ ref, ...each }) => ({
      id: ref < facts.size ? facts.id(ref) : areaId(ref - facts.size),
      is_result: refs.has(ref),
      ...each,
    })),
    addresses,
  };
}
