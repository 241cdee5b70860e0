/** The list of settings: name, type, bounds, default, and what each does. */
import { defaultPlans } from './keys/plans.ts';
import { Type } from './schema.ts';

const Plan = Type.Object(
  {
    callsPerDay: Type.Integer({ minimum: 1 }),
    callsPerSecond: Type.Integer({ minimum: 1 }),
    burst: Type.Integer({ minimum: 1 }),
    batchSize: Type.Integer({ minimum: 1, maximum: 100 }),
  },
  { additionalProperties: false },
);

/** Every setting, with its default and what it does; docs/configuration.md is compared with it by a test. */
export const settings = Type.Object(
  {
    dataDirectory: Type.String({ default: 'data', description: 'Directory of the datasets and the key database.' }),
    host: Type.String({
      default: '127.0.0.1',
      description: 'Address to listen on; 0.0.0.0 or :: for every interface.',
    }),
    port: Type.Integer({
      default: 8080,
      minimum: 0,
      maximum: 65535,
      description: 'Port to listen on; 0 takes a free one.',
    }),
    workers: Type.Unsafe<number | 'auto'>({
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 256 },
        { type: 'string', enum: ['auto'] },
      ],
      default: 1,
      description: 'Processes that serve, on one port; `auto` is one for each core, or as many as memory has room for.',
    }),
    keys: Type.String({
      default: '',
      description:
        'Where keys and quotas are kept: a Valkey or Redis server that several machines share, such as redis://keys.example.org:6379, or several nodes of one cluster, separated by commas; empty for a database in the data directory.',
    }),
    streets: Type.String({
      default: '',
      description:
        'OpenSearch cluster that addresses, streets and points of interest are taken from, such as https://search.example.org:9200, or several of its nodes, separated by commas; empty for the files of the dataset.',
    }),
    keyReplicas: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 5,
      description:
        'How many replicas of the server of `keys` must have a lease, a key or a sign-up before it counts: 1 in a cluster whose masters have one replica each; 0 without replicas.',
    }),
    whenKeysAway: Type.Unsafe<'deny' | 'allow'>({
      type: 'string',
      enum: ['deny', 'allow'],
      default: 'deny',
      description:
        'While the server of `keys` does not answer: `deny` answers 503, `allow` serves keys it knows and counts for itself.',
    }),
    trustedProxies: Type.Array(Type.String(), {
      default: [],
      description:
        'Addresses or CIDR ranges of proxies whose X-Forwarded-For is believed (in the environment: separated by commas).',
    }),
    logLevel: Type.Unsafe<'debug' | 'info' | 'warn' | 'error' | 'silent'>({
      type: 'string',
      enum: ['debug', 'info', 'warn', 'error', 'silent'],
      default: 'info',
      description: 'Least severity that is logged.',
    }),
    logRequests: Type.Boolean({
      default: false,
      description: 'Whether each answer is logged: method, path without its query, status, time; no key.',
    }),
    logClientAddresses: Type.Boolean({
      default: false,
      description: "Whether these lines hold the client's address.",
    }),
    metrics: Type.String({
      default: '',
      description: 'Address and port of Prometheus metrics, such as 127.0.0.1:9464; empty for none.',
    }),
    maxLagMs: Type.Integer({
      default: 1_000,
      minimum: 0,
      maximum: 60_000,
      description:
        'How long a request may wait for its turn, ms, before further ones of its key from its address are answered 503; 0 answers them all.',
    }),
    maxConnections: Type.Integer({
      default: 10_000,
      minimum: 1,
      description:
        'Most connections of a process; for further ones the network address that has most loses its oldest.',
    }),
    maxConnectionsPerAddress: Type.Integer({
      default: 1_000,
      minimum: 1,
      description:
        'Most connections of a process from one network address (IPv6: one /64), and twice the new ones that it may open a second; `trustedProxies` may have them all.',
    }),
    shutdownSeconds: Type.Integer({
      default: 10,
      minimum: 0,
      maximum: 600,
      description: 'How long a stop waits for running requests.',
    }),
    workerTimeoutSeconds: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 600,
      description: 'A worker that does not respond for this long is killed and replaced.',
    }),
    openTimeoutSeconds: Type.Integer({
      default: 60,
      minimum: 1,
      maximum: 3600,
      description: 'How long a worker may take to open a dataset; a new one that takes longer is refused.',
    }),
    signUp: Type.Unsafe<'auto' | 'open' | 'verified' | 'closed'>({
      type: 'string',
      enum: ['auto', 'open', 'verified', 'closed'],
      default: 'auto',
      description:
        'Who may make a free key in the portal: `open` anyone, `verified` who opens a link sent by mail, `closed` nobody; `auto` is `open` for this machine alone.',
    }),
    smtpUrl: Type.String({
      default: '',
      description:
        'Mail server for `verified` sign-ups and `quotaMail`, such as smtps://user:password@mail.example.org.',
    }),
    mailFrom: Type.String({ default: '', description: 'Sender of the mails, such as keys@example.org.' }),
    publicUrl: Type.String({
      default: '',
      description: 'Where people reach the portal, such as https://places.example.org, for the links in mails.',
    }),
    quotaWebhook: Type.String({
      default: '',
      description:
        'Address that gets a POST when a key has spent 80 and 100% of its calls of a day, such as https://example.org/hook; empty for none.',
    }),
    quotaMail: Type.String({
      default: '',
      description:
        'Address that is mailed when a key has spent 80 and 100% of its calls of a day, such as operators@example.org; needs `smtpUrl` and `mailFrom`.',
    }),
    mapStyle: Type.String({
      default: '',
      description:
        "MapLibre style of the explorer's map: an address or a JSON file on this machine; empty for the service's own tiles.",
    }),
    mapArchive: Type.String({
      default: '',
      description:
        "PMTiles archive that the explorer's map is drawn from: an address or a file on this machine; empty for the service's own tiles.",
    }),
    mapOrigins: Type.Array(Type.String({ pattern: '^https?://[^/\\s;,]+$' }), {
      default: [],
      description:
        'Origins that `mapStyle` loads tiles, glyphs or sprites from, such as https://tiles.example.org, where they are not its own (in the environment: separated by commas).',
    }),
    buildMemoryMb: Type.Integer({
      default: 512,
      minimum: 32,
      maximum: 1_048_576,
      description:
        'Memory in MB for the tables of a build; what does not fit goes to temporary files in the data directory. The process takes some 600 MB more.',
    }),
    dataset: Type.String({
      default: '',
      description:
        'Where the dataset to serve is published: s3://bucket/prefix, an https address or a directory, with `@version` for one that stays; empty for the one in the data directory.',
    }),
    datasetEverySeconds: Type.Integer({
      default: 60,
      minimum: 1,
      maximum: 86_400,
      description: 'How often `dataset` is looked at.',
    }),
    datasetStaggerSeconds: Type.Integer({
      default: 60,
      minimum: 0,
      maximum: 86_400,
      description: 'A new dataset is taken up after a random part of this time, so that not all nodes open it at once.',
    }),
    keepVersions: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 1000,
      description: 'Datasets that are kept for `rollback`, the current one among them.',
    }),
    followChanges: Type.Boolean({
      default: true,
      description:
        'Keep beside the data of an OpenStreetMap extract what applying its publisher’s changes takes: some five times the size of the extract on disk.',
    }),
    maxLossPercent: Type.Integer({
      default: 5,
      minimum: 0,
      maximum: 100,
      description: 'Most that a layer or a country may lose of its records in a build, in percent.',
    }),
    geofabrikMirror: Type.String({
      default: 'https://download.geofabrik.de/',
      description: 'Where `build --region` finds OpenStreetMap extracts: Geofabrik, or a mirror of its layout.',
    }),
    geonamesMirror: Type.String({
      default: 'https://download.geonames.org/',
      description: 'Where `build --region` finds postal codes: GeoNames, or a mirror of its layout.',
    }),
    openaddressesMirror: Type.String({
      default: 'https://batch.openaddresses.io/api/',
      description: 'Where `build --region` finds OpenAddresses results: its API, or a mirror of it.',
    }),
    openaddressesToken: Type.String({
      default: '',
      description: 'Token of an account at OpenAddresses (`oa.…`), which its downloads ask for.',
    }),
    plans: Type.Record(Type.String(), Plan, {
      default: { ...defaultPlans },
      description:
        'Plans by name; the ones given here are added to the three built-in ones or take their place (configuration file only).',
    }),
  },
  { additionalProperties: false },
);

/** `dataDirectory` is set by `WHEREABOUTS_DATA_DIRECTORY`, and so on. */
export function environmentName(setting: string): string {
  return `WHEREABOUTS_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
