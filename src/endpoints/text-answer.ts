/** What `/search` and `/autocomplete` have in common: a text is a position, points of a kind at a place, or names. */
import type { Static, TObject } from 'typebox';
import type { Explanation } from '../geocoding/explain.ts';
import { countryOfAddress, countryOfHit, type GeocodeOptions, type Hit } from '../geocoding/geocode.ts';
import type { Layer } from '../geocoding/layers.ts';
import weights from '../geocoding/weights.json' with { type: 'json' };
import type { PlaceType, Store } from '../store/store.ts';
import { countryOfLanguage } from '../text/language-tags.ts';
import { layersCoverage } from './coverage.ts';
import type { Context } from './endpoint.ts';
import { explanationRecord } from './explanation.ts';
import {
  bboxOf,
  biasOf,
  biasParameters,
  country,
  explainParameter,
  layersOf,
  layersParameter,
  listParameters,
  optional,
} from './parameters.ts';
import { positionIn, recordsAt } from './reverse.ts';
import { wantedHits } from './wanted-hits.ts';

/** Parameters that both have, besides the text, in the profile `default`. */
export const textParameters = {
  country: optional(country('Only results in this country: ISO 3166-1 alpha-2 code, any case.')),
  ...biasParameters,
  layers: layersParameter,
  ...listParameters,
  explain: explainParameter,
};
type Asked = Static<TObject<typeof textParameters>> & { q: string; limit: number; type?: PlaceType; fuzzy?: boolean };

/** How an endpoint finds the names of a text, and how it shows them. */
type Answering<H extends Hit, R> = {
  /** Layers that answer unless others are requested, and those that do so too where nothing else fits. */
  layers: ReadonlySet<Layer>;
  otherLayers?: ReadonlySet<Layer> | undefined;
  /** Whether the text may be half typed. */
  isUnfinished: boolean;
  find(options: GeocodeOptions, trace: Partial<Explanation> | undefined): H[];
  recordOf(hit: H): R;
  /** Of the position that the text is. */
  recordAt(record: ReturnType<typeof recordsAt>[number]): R;
};

const placeLayer: ReadonlySet<Layer> = new Set<Layer>(['place']);

/** The answer to a text. Profiles other than `default` know places by their names only. */
export function answerText<H extends Hit, R>(asked: Asked, context: Context, answering: Answering<H, R>) {
  const { q, country, lang, lat, lng, bbox, layers, type, offset = 0, explain } = asked;
  const { store, profile } = context;
  const isDefault = profile === 'default';
  const options = {
    country,
    near: biasOf(lat, lng),
    home: isDefault ? countryOfLanguage(lang) : undefined,
    lang,
    type,
    bbox: bboxOf(bbox),
    layers: isDefault ? layersOf(layers, answering.layers) : placeLayer,
    otherLayers: isDefault && layers === undefined && type === undefined ? answering.otherLayers : undefined,
    fuzzy: asked.fuzzy ?? false,
    limit: asked.limit + offset,
  };
  const trace: Partial<Explanation> | undefined = explain ? {} : undefined;
  const answer = (results: R[], explained: readonly Hit[], coverage?: ReturnType<typeof coverageOf>) => ({
    results,
    count: results.length,
    ...(coverage && { coverage }),
    ...(trace && { explain: explanationRecord(store, trace, explained, options) }),
  });
  const position = isDefault ? positionIn(store, q) : undefined;
  if (position) {
    const records = recordsAt(position, { ...options, layers }, context);
    return answer(records.slice(offset).map(answering.recordAt), []);
  }
  let found: H[] | undefined;
  const find = () => (found ??= answering.find(options, trace));
  const hasPoints = isDefault && (options.layers.has('poi') || options.otherLayers?.has('poi'));
  const points = hasPoints ? wantedHits(store, q, options, find, answering.isUnfinished) : undefined;
  if (points && points.length > 0)
    return answer(
      points.slice(offset).map((point) => answering.recordOf(point as H)),
      points,
    );
  const isMissing = points !== undefined;
  const hits = isMissing ? find().map(lessSure) : find();
  const listed = hits.slice(offset);
  return answer(listed.map(answering.recordOf), listed, coverageOf(store, asked, isDefault, hits, isMissing));
}

/** A hit where what the text asks for there is not in the dataset. */
const lessSure = <H extends Hit>(hit: H): H =>
  hit.confidence === undefined ? hit : { ...hit, confidence: Math.min(hit.confidence, weights.withoutWanted) };

/**
 * How complete the data are where requested layers have nothing, or only the town of an address or of points that are not in
 * the dataset.
 */
function coverageOf(
  store: Store,
  { q, country, layers }: Asked,
  isDefault: boolean,
  hits: readonly Hit[],
  isMissing: boolean,
) {
  const [best] = hits;
  if (isMissing) return layersCoverage(store, ['poi'], best && countryOfHit(store, best));
  if (isDefault && best?.isOnlyTown) return layersCoverage(store, ['address'], countryOfHit(store, best));
  if (layers === undefined || best) return undefined;
  return layersCoverage(store, [...layersOf(layers, new Set())], country ?? countryOfAddress(store, q));
}
