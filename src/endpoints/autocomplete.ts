import { invalidParameter } from '../errors.ts';
import { complete, type Hit } from '../geocoding/geocode.ts';
import { layers as allLayers, type Layer } from '../geocoding/layers.ts';
import { Type } from '../schema.ts';
import { fold } from '../text/fold.ts';
import { defineEndpoint } from './endpoint.ts';
import { foundFields } from './explanation.ts';
import { type GeocodedRecord, geocodedFields, geocodedRecord } from './geocoded-record.ts';
import { biasDependencies, limit, listOf, text } from './parameters.ts';
import { placeFields } from './place-fields.ts';
import { answerText, textParameters } from './text-answer.ts';

const q = {
  description: 'What has been typed so far, at least 2 characters. The last word may be unfinished.',
  examples: ['berl', 'paris tex'],
};
const variant = Type.Object({
  q: text(q.description, { minLength: 2, examples: q.examples }),
  country: textParameters.country,
  limit: limit({ maximum: 20, default: 5 }),
});
const parameters = Type.Object({
  ...variant.properties,
  q: text(`${q.description} One Chinese, Japanese or Korean character counts as two.`, {
    examples: q.examples,
    format: 'start',
  }),
  ...textParameters,
});
const { id, name, admin1, country: countryCode } = placeFields;
const label = Type.String('Name, region and country, separated by a comma and a space.');
const placesOnly = listOf({ id, name, admin1, country: countryCode, label }, {});
const response = listOf(
  {
    ...geocodedFields,
    label,
    highlight: Type.Array(Type.Integer(), {
      description: 'Parts of the label that were typed: alternating start and end offsets, in UTF-16 code units.',
    }),
  },
  foundFields,
);

const everything: ReadonlySet<Layer> = new Set(allLayers);
const countsAsTwo = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}]/u;

/** What a half-typed text may become. */
export const autocomplete = defineEndpoint({
  path: '/autocomplete',
  summary: 'Suggestions while typing',
  description:
    'Names that begin with the query: main names before other names, more prominent ones first. Words after a complete name ' +
    'may be its region or country, finished or not. A postal code returns its place. From 4 characters on, typos are ' +
    'tolerated if nothing else matches.',
  parameters: { default: parameters, a: variant, b: variant },
  response: { default: response, a: placesOnly, b: placesOnly },
  dependencies: biasDependencies,
  layers: ['world'],
  handle(asked, context) {
    const { store, profile } = context;
    const { q, lang } = asked;
    if ([...q].length < 2 && !(profile === 'default' && countsAsTwo.test(q))) {
      const expected =
        profile === 'default'
          ? 'at least 2 characters, or one Chinese, Japanese or Korean character'
          : 'at least 2 characters';
      throw invalidParameter('q', `q has ${[...q].length} characters, expected ${expected}`);
    }
    const typed = fold(q).split(' ');
    return answerText(asked, context, {
      layers: everything,
      isUnfinished: true,
      find: (options, trace) => complete(store, q, options, trace),
      recordOf(hit: Hit) {
        const record = geocodedRecord(store, hit, lang, true);
        const label = labelOf(record);
        return Object.assign(record, { label, highlight: highlight(label, typed) });
      },
      recordAt: (record) => ({ ...record, label: labelOf(record), highlight: [] }),
    });
  },
});

type LabelFields = Pick<
  GeocodedRecord,
  'layer' | 'name' | 'city' | 'admin1' | 'country' | 'country_name' | 'postal_code'
>;

/** Name, city of a street, region and country code; a country or region is not named twice. */
function labelOf({ layer, name, city, admin1, country, country_name, postal_code }: LabelFields): string {
  if (layer === 'country') return name;
  if (layer === 'region' && country_name !== null) return `${name}, ${country_name}`;
  let label = layer === 'postal' ? `${postal_code} ${name}` : name;
  if (city !== null) label += `, ${city}`;
  if (admin1 !== null) label += `, ${admin1}`;
  return country === null ? label : `${label}, ${country}`;
}

const wordsOfLabel = /[\p{L}\p{M}\p{N}]+/gu;
/** Words without marks of their own; none of these letters folds to nothing. */
const latin = /^[a-z\u00c0-\u024f]*$/i;
/** Made on first use, as that takes 8 ms. */
let segmenter: Intl.Segmenter | undefined;

/**
 * The parts of a label that begin as folded words do, each word once: starts and ends (exclusive) in turn,
 * in UTF-16 code units, ascending; empty where the label is found by another name.
 */
function highlight(label: string, words: readonly string[]): number[] {
  const found: number[] = [];
  let typed = words;
  if (typed[0] === '') return found;
  wordsOfLabel.lastIndex = 0;
  // `matchAll` makes a new expression for each label.
  for (let match = wordsOfLabel.exec(label); match !== null; match = wordsOfLabel.exec(label)) {
    const { 0: word, index } = match;
    const folded = fold(word);
    const at = typed.findIndex((part) => folded.startsWith(part));
    if (at < 0) continue;
    found.push(index, index + lengthOf(word, folded, typed[at].length));
    if (typed.length === 1) break;
    typed = typed.toSpliced(at, 1);
  }
  return found;
}

/** Number of code units of a word for a number of units of its folded form, of which `ß` has two. */
function lengthOf(word: string, form: string, folded: number): number {
  // A letter for each: to divide the word into characters takes twenty times as long.
  if (form.length === word.length && latin.test(word)) return folded;
  let length = 0;
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(word)) {
    if (fold(word.slice(0, length)).length >= folded) break;
    length += segment.length;
  }
  return length;
}
