/** The list of settings: name, type, bounds, default, and what each does. */
import { defaultPlans, planSchema } from '../keys/key-record.ts';
import { Type } from '../schema.ts';

/** Every setting, with its default and what it does; docs/configuration.md is compared with it by a test. */
export const settings = Type.Object(
  {
    dataDirectory: Type.String({ default: 'data', description: 'Directory of the datasets and the key database.' }),
    host: Type.String({
      default: '127.0.0.1',
      description:
        'Address to listen on; 0.0.0.0 or :: for every interface. Of a name with several addresses, as `localhost` may be, the first alone.',
    }),
    port: Type.Integer({
      default: 8080,
      minimum: 0,
      maximum: 65535,
      description: 'Port to listen on; 0 chooses a free one.',
    }),
    workers: Type.Unsafe<number | 'auto'>({
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 256 },
        { type: 'string', enum: ['auto'] },
      ],
      default: 1,
      description: 'Number of processes that serve on the port; `auto` is one for each core, as far as memory allows.',
    }),
    keys: Type.String({
      default: '',
      description:
        'Where keys and quotas are kept: a Valkey or Redis server that several machines share, such as redis://keys.example.org:6379, or several nodes of one cluster, separated by commas; empty for a database in the data directory.',
    }),
    streets: Type.String({
      default: '',
      description:
        'OpenSearch cluster with the addresses, streets and points of interest, such as https://search.example.org:9200, or several of its nodes, separated by commas; empty for the files of the dataset. All look-ups of a request may take 2 s: after that `/search`, `/autocomplete` and `/reverse` answer without street-level data and say so (`X-Incomplete: streets`), the street-level endpoints answer 503.',
    }),
    keyReplicas: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 5,
      description:
        'Number of replicas of the server in `keys` that must confirm a lease, a key or a sign-up before it is valid: 1 in a cluster whose masters have one replica each; 0 without replicas.',
    }),
    whenKeysAway: Type.Unsafe<'deny' | 'allow'>({
      type: 'string',
      enum: ['deny', 'allow'],
      default: 'deny',
      description:
        'While the server in `keys` does not answer: `deny` answers 503, `allow` serves known keys and counts their calls locally.',
    }),
    trustedProxies: Type.Array(Type.String(), {
      default: [],
      description:
        'Addresses or CIDR ranges of proxies whose X-Forwarded-For is trusted (in the environment: separated by commas).',
    }),
    logLevel: Type.Unsafe<'debug' | 'info' | 'warn' | 'error' | 'silent'>({
      type: 'string',
      enum: ['debug', 'info', 'warn', 'error', 'silent'],
      default: 'info',
      description: 'Lowest severity that is logged.',
    }),
    logRequests: Type.Boolean({
      default: false,
      description: 'Whether each answer is logged: method, path without its query, status and time, but no key.',
    }),
    logClientAddresses: Type.Boolean({
      default: false,
      description: "Whether these lines include the client's address.",
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
        'Longest time in ms that a request may wait to be processed before further requests with its key and address are answered 503; 0 for no limit.',
    }),
    maxConnections: Type.Integer({
      default: 10_000,
      minimum: 1,
      description:
        'Maximum number of connections of a process; one network address (IPv6: one /64) that is none of `trustedProxies` may have a tenth. Beyond it, each new connection closes the oldest one of the network address that has the most.',
    }),
    shutdownSeconds: Type.Integer({
      default: 10,
      minimum: 0,
      maximum: 600,
      description: 'How long a shutdown waits for running requests.',
    }),
    workerTimeoutSeconds: Type.Integer({
      default: 3,
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
        'Who may create a free key in the portal: `open` anyone, `verified` anyone who opens a link sent by e-mail, `closed` nobody; `auto` is `open` only for this machine.',
    }),
    smtpUrl: Type.String({
      default: '',
      description:
        'Mail server for `verified` sign-ups and `quotaMail`, such as smtps://user:password@mail.example.org.',
    }),
    mailFrom: Type.String({ default: '', description: 'Sender of the mails, such as keys@example.org.' }),
    publicUrl: Type.String({
      default: '',
      description: 'Public address of the portal, such as https://places.example.org, for the links in e-mails.',
    }),
    quotaWebhook: Type.String({
      default: '',
      description:
        'Address that receives a POST when a key has used 80% and 100% of its calls of a day, such as https://example.org/hook; empty for none.',
    }),
    quotaMail: Type.String({
      default: '',
      description:
        'Address that receives an e-mail when a key has used 80% and 100% of its calls of a day, such as operators@example.org; needs `smtpUrl` and `mailFrom`.',
    }),
    mapStyle: Type.String({
      default: '',
      description:
        "MapLibre style of the explorer's map: an address or a JSON file on this machine; empty for the service's own tiles.",
    }),
    mapArchive: Type.String({
      default: '',
      description:
        "PMTiles archive for the explorer's map: an address or a file on this machine; empty for the service's own tiles.",
    }),
    mapOrigins: Type.Array(Type.String({ pattern: '^https?://[^/\\s;,]+$' }), {
      default: [],
      description:
        "Origins from which `mapStyle` loads tiles, glyphs or sprites, such as https://tiles.example.org, if they differ from the style's own (in the environment: separated by commas).",
    }),
    portalRequestsPerMinute: Type.Integer({
      default: 300,
      minimum: 0,
      maximum: 100_000,
      description:
        "Requests a minute that the portal's own pages may send from one address (IPv6: one /64; twice as many from its /56, four times from its /48) without a key, in each process, and 16 times as many tiles; 0 where they need a key too.",
    }),
    buildMemoryMb: Type.Integer({
      default: 512,
      minimum: 32,
      maximum: 1_048_576,
      description:
        'Memory in MB for the tables of a build; the rest goes to temporary files in the data directory. The process needs some 600 MB more.',
    }),
    dataset: Type.String({
      default: '',
      description:
        'Where the dataset to serve is published: s3://bucket/prefix, an https address or a directory, with `@version` to stay on one version; empty for the dataset in the data directory.',
    }),
    datasetEverySeconds: Type.Integer({
      default: 60,
      minimum: 1,
      maximum: 86_400,
      description:
        'How often `dataset` is checked for a new version, which is opened after a random part of this time, so that not all nodes open it at once.',
    }),
    verifyEverySeconds: Type.Integer({
      default: 86_400,
      minimum: 1,
      maximum: 1_000_000,
      description:
        'How often the files of the served dataset are compared with their hashes, as disks may rot; the first time after ten minutes at most.',
    }),
    keepVersions: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 1000,
      description: 'Number of datasets that are kept for `rollback`, including the current one.',
    }),
    followChanges: Type.Boolean({
      default: true,
      description:
        'Keep an OpenStreetMap extract beside its data, so that its publisher’s changes can be applied to it.',
    }),
    maxLossPercent: Type.Integer({
      default: 5,
      minimum: 0,
      maximum: 100,
      description: 'Largest share of its records, in percent, that a layer or a country may lose in a build.',
    }),
    jobsMb: Type.Integer({
      default: 10_000,
      minimum: 0,
      maximum: 1_000_000_000,
      description:
        'Disk in MB that the jobs of all keys may take; 0: no jobs, as where a machine and its disk may go, or another one answers next.',
    }),
    geofabrikMirror: Type.String({
      default: 'https://download.geofabrik.de/',
      description: 'Where `build --region` finds OpenStreetMap extracts: Geofabrik, or a mirror of its layout.',
    }),
    geonamesMirror: Type.String({
      default: 'https://download.geonames.org/',
      description:
        'Where `build --region` and `--official` find the files of GeoNames: its server, or a mirror of its layout.',
    }),
    dbipMirror: Type.String({
      default: 'https://download.db-ip.com/',
      description: 'Where `--official` finds the tables of DB-IP: its server, or a mirror of its layout.',
    }),
    openaddressesMirror: Type.String({
      default: 'https://batch.openaddresses.io/api/',
      description: 'Where `build --region` finds OpenAddresses results: its API, or a mirror of it.',
    }),
    openaddressesToken: Type.String({
      default: '',
      description: 'Token of an OpenAddresses account (`oa.…`), which its downloads require.',
    }),
    plans: Type.Record(Type.String(), planSchema, {
      default: { ...defaultPlans },
      description:
        'Plans by name; they are added to the three built-in ones, or replace those of the same name (configuration file only).',
    }),
  },
  { additionalProperties: false },
);

/** Settings of former versions, whose one right value is a constant now, and the remedy. */
export const removedSettings: Readonly<Record<string, string>> = {
  maxConnectionsPerAddress: 'it is a tenth of `maxConnections`; remove it, or set that',
  streetsDeadlineMs: 'look-ups in `streets` may always take 2 s; remove it',
  datasetStaggerSeconds: 'a new dataset is opened after a random part of `datasetEverySeconds`; remove it, or set that',
};

/** `dataDirectory` is set by `WHEREABOUTS_DATA_DIRECTORY`, and so on. */
export function environmentName(setting: string): string {
  return `WHEREABOUTS_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
