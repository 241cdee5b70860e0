import connectors from './dictionaries/connectors.json' with { type: 'json' };
import requests from './dictionaries/request-words.json' with { type: 'json' };
import stopWords from './dictionaries/stop-words.json' with { type: 'json' };
import { entriesOf } from './entries.ts';

/** Articles and the like that people omit or confuse in names of streets. Folded. */
export const optionalWords: ReadonlySet<string> = new Set(entriesOf(stopWords.optional));

/** Words without meaning at the start of a part of a name: no one searches for the `de` of `de janeiro`. Folded. */
export const stopWordSet: ReadonlySet<string> = new Set([...optionalWords, ...entriesOf(stopWords.light)]);

/** Words that connect a name and its context: `Paris in Texas`. Folded. */
export const connectorWords: ReadonlySet<string> = new Set(entriesOf(connectors));

/** Words around a place that state what is wanted there, or that its middle is meant: `weather`, `downtown`. Folded. */
export const requestWords: ReadonlySet<string> = new Set(entriesOf(requests));
