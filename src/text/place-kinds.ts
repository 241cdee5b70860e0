import kinds from './dictionaries/place-kinds.json' with { type: 'json' };
import { entriesOf } from './entries.ts';

/** What may stand before a place's name and says only what kind of place it is: `city of`, `stadt`. Folded. */
export const kindsBefore: ReadonlySet<string> = new Set(entriesOf(kinds.before));

/** The same after a name: `city`, `shi`. Folded. */
export const kindsAfter: ReadonlySet<string> = new Set(entriesOf(kinds.after));
