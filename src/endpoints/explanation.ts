import { Type } from '../schema.ts';

export type { Explanation } from '../geocoding/explain.ts';

const points = (description: string) => Type.Number({ description });

/** The explanation of a search's results, on request. */
export const explanationSchema = Type.Object({
  tokens: Type.Array(Type.String(), { description: 'Tokens of the text, folded.' }),
  candidates: Type.Integer({ description: 'How many readings of candidates were judged.' }),
  answers: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The name by which it was found, folded.' }),
      typed: Type.String({ description: 'The part of the text that was read as this name.' }),
      contributions: Type.Object(
        {
          textMatch: points('How far what was typed is from the name.'),
          contextMatch: points('How well the other words fit as context.'),
          nameMatch: points('How good a name it is.'),
          aliasWorth: points('How often the name is meant so.'),
          prominence: points('How well known it is.'),
          layerPrior: points('What its layer is preferred by.'),
          nearness: points('How near it is to the given point.'),
        },
        { description: 'Points of each feature.' },
      ),
      score: points('Their sum, and 100: the order goes by it.'),
    }),
    { description: 'One for each result before `offset` and `limit`, in order.' },
  ),
});
