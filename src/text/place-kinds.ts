import kinds from './dictionaries/place-kinds.json' with { type: 'json' };
import { entriesOf } from './entries.ts';

/** Words beside a place's name that say only what kind of place it is: `city`, `stadt`, `市`. Folded. */
export const placeKindWords: ReadonlySet<string> = new Set(entriesOf(kinds));
