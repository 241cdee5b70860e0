import { Type } from '../schema.ts';
import { nullable } from './parameters.ts';

export type { Explanation } from '../geocoding/explain.ts';

const points = (description: string) => Type.Number({ description });

/** The explanation of a search's results, on request. */
export const explanationSchema = Type.Object({
  tokens: Type.Array(Type.String(), { description: 'Tokens of the query, folded.' }),
  candidates: Type.Integer({ description: 'Number of candidate interpretations that were scored.' }),
  answers: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The name that matched, folded.' }),
      typed: Type.String({ description: 'The part of the query that matched this name.' }),
      contributions: Type.Object(
        {
          textMatch: points('How closely the typed text matches the name.'),
          contextMatch: points('How well the other words match the region and country.'),
          nameMatch: points('How good the name is: a main name, or another one.'),
          aliasWorth: points('How often the name means this place.'),
          prominence: points('Prominence of the record.'),
          layerPrior: points('Preference for its layer.'),
          nearness: points('Nearness to the given point.'),
        },
        { description: 'Points of each feature.' },
      ),
      situation: Type.Object(
        {
          textCost: points('Points that the name costs.'),
          contextCost: points('Points that the other words cost.'),
          nameCost: points('Points that the kind of name costs.'),
          contextBehind: points('How much better the context of the first answer is.'),
          aliasCost: points('Points for how seldom the name means this record.'),
          margin: nullable(Type.Number({ description: 'Points to the best other answer; null without one.' })),
          isEdited: Type.Boolean({ description: 'Whether letters of the name were corrected.' }),
          letters: Type.Integer({ description: 'Letters of the typed name.' }),
          commonness: Type.Number({ description: 'How common the typed name is as plain words, 0 to 1.' }),
          isPersonal: Type.Boolean({ description: 'Whether the text may name a person.' }),
          signs: Type.Number({ description: 'Share of the query that is signs.' }),
          isOtherName: Type.Boolean({ description: 'Whether words that do not fit the record name another place.' }),
          isOtherKind: Type.Boolean({ description: 'Whether a word states another kind of thing.' }),
          hasContext: Type.Boolean({ description: 'Whether other words are explained.' }),
          explainedShare: Type.Number({ description: 'Share of the other words that is explained.' }),
          prominence: Type.Number({ description: 'Prominence of the record, before it becomes points.' }),
        },
        { description: 'What the confidence is computed from.' },
      ),
      score: points('Sum of the points plus 100; results are ordered by it.'),
    }),
    {
      description:
        'The best candidates in order: those of the results, and others that lost, eight at least if there are as many.',
    },
  ),
});
