import kinds from './dictionaries/place-kinds.json' with { type: 'json' };
import { entriesOf } from './entries.ts';

/** Words next to a name that only state that it is a settlement: `city`, `stadt`, `市`. Folded. */
export const settlementWords: ReadonlySet<string> = new Set(entriesOf(kinds.settlement));

/** These and the words for administrative areas that places are also called by: `district`, `県`. Folded. */
export const placeKindWords: ReadonlySet<string> = settlementWords.union(new Set(entriesOf(kinds.area)));
