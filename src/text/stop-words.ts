import connectors from './dictionaries/connectors.json' with { type: 'json' };
import stopWords from './dictionaries/stop-words.json' with { type: 'json' };
import { entriesOf } from './entries.ts';

/** Articles and the like that people leave out of names of streets or mistake. Folded. */
export const optionalWords: ReadonlySet<string> = new Set(entriesOf(stopWords.optional));

/** Words that say nothing at the start of a part of a name: no one looks for `de janeiro`'s `de`. Folded. */
export const stopWordSet: ReadonlySet<string> = new Set([...optionalWords, ...entriesOf(stopWords.light)]);

/** Words that join a name and its context: `Paris in Texas`. Folded. */
export const connectorWords: ReadonlySet<string> = new Set(entriesOf(connectors));
