import { type Methods, operations, type Variant, type WithCsv, type WithGeojson } from './api.ts';
import { WhereaboutsApiError } from './error.ts';
import { type CallOptions, type SendOptions, send } from './send.ts';

/** Where the service is, and how to call it. */
export type ClientOptions<V extends Variant = Variant> = SendOptions & {
  /** Address of the service, such as `https://location.example.org`; what is below it (`/v1`) is added. */
  baseUrl: string;
  /** The `X-API-Key`; only `status`, `live` and `ready` do without. */
  apiKey?: string;
  /** Shape of the answers, and of their types: all fields (`default`), or exactly those of variant `a` or `b`. */
  variant?: V;
};

/** Every endpoint as a method, and the lists as GeoJSON and CSV. */
export type Client<V extends Variant = 'default'> = Methods<V> & {
  /** A list of points as a GeoJSON FeatureCollection. */
  geojson<N extends keyof WithGeojson>(
    name: N,
    parameters: WithGeojson[N]['parameters'],
    options?: CallOptions,
  ): Promise<WithGeojson[N]['answer']>;
  /** A list as CSV with a header. */
  csv<N extends keyof WithCsv>(name: N, parameters: WithCsv[N], options?: CallOptions): Promise<string>;
};

type Parameters = Readonly<Record<string, unknown>>;
type Name = keyof typeof operations;
type Place = { method: string; path: string; isText?: boolean; isOnce?: boolean };

/** Makes a client. Methods throw `WhereaboutsApiError` for every answer that is an error. */
export function createClient<V extends Variant = 'default'>(options: ClientOptions<V>): Client<V> {
  const { apiKey, variant = 'default' } = options;
  const base = options.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');

  const ask = (name: Name, parameters: Parameters, call: CallOptions, shape: Variant, format?: string) => {
    const { method, path, isOnce = false }: Place = operations[name];
    const headers: Record<string, string> = { 'X-API-Variant': shape };
    if (apiKey !== undefined) headers['X-API-Key'] = apiKey;
    if (call.requestId !== undefined) headers['X-Request-Id'] = call.requestId;
    if (method === 'POST') {
      headers['Content-Type'] = 'application/json';
      return send(options, isOnce, base + path, { method, headers, body: JSON.stringify(parameters) }, call);
    }
    const query = format === undefined ? parameters : { ...parameters, format };
    return send(options, isOnce, base + addressOf(path, query), { method, headers }, call);
  };

  const methods = Object.fromEntries(
    (Object.keys(operations) as Name[]).map((name) => [
      name,
      async (parameters: Parameters = {}, call: CallOptions = {}) => {
        const answer = await ask(name, parameters, call, variant);
        return (operations[name] as Place).isText ? answer.text : parsed(answer);
      },
    ]),
  );
  return {
    ...methods,
    async geojson(name: Name, parameters: Parameters, call: CallOptions = {}) {
      return parsed(await ask(name, parameters, call, 'default', 'geojson'));
    },
    async csv(name: Name, parameters: Parameters, call: CallOptions = {}) {
      return (await ask(name, parameters, call, 'default', 'csv')).text;
    },
  } as unknown as Client<V>;
}

/** The value of an answer. A network's page to sign in, for one, is none, with any status. */
function parsed({ response, text }: Awaited<ReturnType<typeof send>>) {
  try {
    return JSON.parse(text);
  } catch {
    throw new WhereaboutsApiError(response, undefined, 'something other than JSON; is baseUrl right?');
  }
}

/** Path and query of a request: parameters that the path names go there, the others behind `?`. */
function addressOf(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const text = typeof value === 'number' ? plainDecimal(value) : String(value);
    if (filled.includes(`{${name}}`)) {
      // These would lead to another path, such as from one job to the list of all.
      if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} is ${JSON.stringify(text)}, which no identifier is`);
      filled = filled.replace(`{${name}}`, encodeURIComponent(text));
    } else query.set(name, text);
  }
  const search = query.toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** A number as the service reads numbers: without an exponent. */
function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}
