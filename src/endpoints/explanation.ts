import { Type } from '../schema.ts';

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
      score: points('Sum of the points plus 100; results are ordered by it.'),
    }),
    { description: 'One for each result before `offset` and `limit`, in order.' },
  ),
});
