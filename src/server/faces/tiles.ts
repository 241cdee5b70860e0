/** `/tiles`: vector tiles of the dataset, and their description as TileJSON. */
import { cacheControl, entityTag, listsTag } from '../../api/caching.ts';
import { ignoredHeader, requireLayers } from '../../api/execute.ts';
import { languageParameter, queryMs, text } from '../../endpoints/parameters.ts';
import { WhereaboutsError } from '../../errors.ts';
import type { Reservation } from '../../keys/key-store.ts';
import type { Account } from '../../keys/meter.ts';
import { Type } from '../../schema.ts';
import { type Store, whenFound } from '../../store/store.ts';
import { type TileLayer, tileLayers } from '../../tiles/layers.ts';
import { quotaExceeded, reserve } from '../access.ts';
import { isProxy, keyParameters, queryOf } from '../call.ts';
import { fetchedFor, json } from '../route.ts';
import {
  type Call,
  currentStore,
  type HttpAnswer,
  type RawQuery,
  type Route,
  type Service,
  tagOf,
} from '../service.ts';
import { type ApiRoute, parametersBy } from './openapi.ts';
import { varying } from './v1.ts';

const tileType = 'application/vnd.mapbox-vector-tile';
/** Maximum zoom of any layer; each has its own. */
const deepest = Math.max(...Object.values(tileLayers).map(({ maxZoom }) => maxZoom));

const layerParameter = Type.Unsafe<string>({
  type: 'string',
  enum: Object.keys(tileLayers),
  description: Object.entries(tileLayers)
    .map(([name, { description, minZoom, maxZoom }]) => `\`${name}\`: ${description} Zooms ${minZoom} to ${maxZoom}.`)
    .join(' '),
});
const description = 'Language of place names (BCP 47), if the dataset has them.';
const language = Type.Optional(Type.String({ ...languageParameter, description }));
const keys = Object.fromEntries(
  keyParameters.map((name) => [name, Type.Optional(text('The key, for clients that cannot send the header.'))]),
);

const tileParameters = parametersBy(
  Type.Object({
    layer: layerParameter,
    z: Type.Integer({ minimum: 0, maximum: deepest, description: 'Zoom; the world is one tile at zoom 0.' }),
    x: Type.Integer({ minimum: 0, maximum: 2 ** deepest - 1, description: 'Column, from the 180th meridian east.' }),
    y: Type.Integer({ minimum: 0, maximum: 2 ** deepest - 1, description: 'Row, from the north.' }),
    lang: language,
    ...keys,
  }),
);

const descriptionParameters = parametersBy(Type.Object({ layer: layerParameter, lang: language, ...keys }));

const tileJson = Type.Object({
  tilejson: Type.String(),
  name: Type.String(),
  description: Type.String(),
  version: Type.String('The dataset, as a semantic version.'),
  scheme: Type.String(),
  attribution: Type.String(),
  tiles: Type.Array(Type.String()),
  minzoom: Type.Integer(),
  maxzoom: Type.Integer(),
  bounds: Type.Array(Type.Number()),
  vector_layers: Type.Array(
    Type.Object({
      id: Type.String(),
      description: Type.String(),
      minzoom: Type.Integer(),
      maxzoom: Type.Integer(),
      fields: Type.Unsafe<object>({ type: 'object', additionalProperties: { type: 'string' } }),
    }),
  ),
  ...queryMs,
});

/** Number of tiles per call; a view of a map is a dozen tiles. */
const tilesPerCall = 16;

/** The tiles and their descriptions, as the description of the API has them. */
export function tileRoutes(service: Service): ApiRoute[] {
  /** Tiles that each account has paid for. Each process counts separately, which costs a key at most one more call per process. */
  const paid = new WeakMap<Account, number>();
  const shared = { keyIn: 'parameter', endpoint: 'tiles' } as const;

  function tileOf(call: Call) {
    const name = call.path.layer ?? '';
    const layer = layerNamed(name);
    const { parameters, ignored } = tileParameters.of(call);
    const { z, x, y, lang } = parameters;
    const most = { z: layer.maxZoom, x: 2 ** z - 1, y: 2 ** z - 1 };
    for (const [axis, value] of Object.entries({ z, x, y }) as ['z' | 'x' | 'y', number][]) {
      if (value <= most[axis]) continue;
      const expected = `a whole number from 0 to ${most[axis]}${axis === 'z' ? '' : ` at zoom ${z}`}`;
      throw new WhereaboutsError('not_found', `there is no such tile: ${axis} is ${value}, expected ${expected}`);
    }
    return { name, layer, tile: { z, x, y }, lang, ignored };
  }

  function draw(call: Call, { name, layer, tile, lang, ignored }: ReturnType<typeof tileOf>): HttpAnswer {
    const store = currentStore(service);
    requireTiles(store, name, layer);
    const tag = entityTag(tagOf(store, service.version), 'default', name + JSON.stringify({ ...tile, lang }));
    const headers = ['ETag', tag, 'Cache-Control', cacheControl];
    headers.push('Vary', varying);
    if (ignored.length > 0) headers.push('X-Ignored-Parameters', ignoredHeader(ignored));
    const known = call.request.headers['if-none-match'];
    if (known !== undefined && listsTag(known, tag)) return { status: 304, headers, body: undefined };
    const body = tile.z < layer.minZoom ? undefined : layer.draw(store, tile, lang);
    if (body === undefined) return { status: 204, headers, body };
    return { status: 200, headers: ['Content-Type', tileType, ...headers], body };
  }

  return [
    {
      name: 'tile',
      method: 'GET',
      path: '/tiles/{layer}/{z}/{x}/{y}.mvt',
      tag: 'Tiles',
      summary: 'Vector tile of one layer of the dataset',
      description:
        'A Mapbox Vector Tile (version 2) with the requested layer. The size of a tile is limited: the most prominent ' +
        'features come first. Sixteen tiles cost one call, charged with the first one. An empty tile answers 204.',
      query: tileParameters,
      media: [tileType],
      answers: { 200: Type.Object({}) },
      errors: [400, 404],
      // A tile that cannot be is refused to whoever asks.
      access: {
        ...shared,
        callsOf(call) {
          tileOf(call);
          return 0;
        },
      },
      before(call) {
        const account = call.account!;
        const left = paid.get(account) ?? 0;
        if (left > 0) return void paid.set(account, left - 1);
        const charge = ({ granted }: Reservation) => {
          if (granted === 0) throw quotaExceeded(account, call.now);
          // Several may be charged at once, while a key is read; one that is refunded pays for no others.
          const onCounted = () => paid.set(account, (paid.get(account) ?? 0) + tilesPerCall - 1);
          call.charged = { name: 'tiles', calls: 1, worth: 1, onCounted };
        };
        const reserved = reserve(service, call, 1);
        return reserved instanceof Promise ? reserved.then(charge) : charge(reserved);
      },
      handle(call) {
        const requested = tileOf(call);
        return whenFound(() => draw(call, requested), fetchedFor(service, call));
      },
    },
    {
      name: 'tileJson',
      method: 'GET',
      path: '/tiles/{layer}.json',
      tag: 'Tiles',
      summary: 'Description of the tiles of a layer (TileJSON 3.0.0)',
      description: 'The metadata of a layer for map libraries. Costs no call.',
      query: descriptionParameters,
      answers: { 200: tileJson },
      errors: [400, 404],
      access: {
        ...shared,
        callsOf(call) {
          layerNamed(call.path.layer ?? '');
          descriptionParameters.of(call);
          return 0;
        },
      },
      handle(call) {
        const name = call.path.layer ?? '';
        const layer = layerNamed(name);
        requireTiles(currentStore(service), name, layer);
        return json(200, describe(service, call, queryOf(call).query, name, layer));
      },
    },
  ];
}

/** Tiles, also below `/v1`, where a client looks that has but one address of the API. */
export const tilesAlsoBelowV1 = (tiles: readonly ApiRoute[]): Route[] => [
  ...tiles,
  ...tiles.map((tile) => ({ ...tile, path: `/v1${tile.path}` })),
];

function layerNamed(name: string): TileLayer {
  if (Object.hasOwn(tileLayers, name)) return tileLayers[name];
  const names = Object.keys(tileLayers).join(', ');
  throw new WhereaboutsError(
    'not_found',
    `there are no tiles of ${JSON.stringify(name.slice(0, 40))}; expected one of ${names}`,
  );
}

/** Throws `dataset_missing` where the dataset lacks what the tiles of a layer are made of. */
function requireTiles(store: Store, name: string, layer: TileLayer): void {
  requireLayers({ path: `/tiles/${name}`, layers: [layer.needs] }, store);
}

/** A layer as TileJSON; its tiles carry the key that the description was requested with as a parameter. */
function describe(service: Service, { request }: Call, query: RawQuery, name: string, layer: TileLayer) {
  const { manifest } = currentStore(service);
  const { minZoom: minzoom, maxZoom: maxzoom, description, fields, needs } = layer;
  const used = new Set(manifest.layers[needs]?.sources);
  const attributions = manifest.sources.filter(({ id }) => used.has(id)).map(({ attribution }) => attribution);
  const forwarded = new URLSearchParams(
    [...keyParameters, 'lang'].flatMap((parameter) => {
      const value = query[parameter];
      return typeof value === 'string' ? [[parameter, value]] : [];
    }),
  );
  const prefix = /^\/(v1|portal)(?=\/tiles\/)/.exec(request.url ?? '')?.[0] ?? '';
  const path = `${prefix}/tiles/${name}/{z}/{x}/{y}.mvt`;
  return {
    tilejson: '3.0.0',
    name,
    description,
    version: `1.0.0+${manifest.version}`,
    scheme: 'xyz',
    attribution: [...new Set(attributions)].join(' · '),
    tiles: [`${addressOfService(service, request)}${path}${forwarded.size > 0 ? `?${forwarded}` : ''}`],
    minzoom,
    maxzoom,
    bounds: [-180, -85.051129, 180, 85.051129],
    vector_layers: (layer.layers ?? [name]).map((id) => ({ id, description, minzoom, maxzoom, fields })),
  };
}

/** The address that a client used, as it says, or a trusted proxy; nobody else is given the answer. */
function addressOfService(service: Service, { headers, socket }: Call['request']): string {
  const forwarded = isProxy(service, socket.remoteAddress);
  const first = (name: string) =>
    String((forwarded && headers[name]) || '')
      .split(',', 1)[0]
      .trim();
  const host = first('x-forwarded-host') || (headers.host ?? '');
  const scheme = first('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`;
}
