/** Sends the requests of `recorded-requests.ts` to a service, and returns what it answered without what differs each time. */
import { hash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { rawClient } from './raw-client.ts';
import { type RecordedRequest, rawRequests, recordedRequests } from './recorded-requests.ts';

export type Recorded = { request: string; status: number; headers: Record<string, string>; body: string };

/** A body is recorded whole up to this length; of a longer one its beginning and its hash. */
const wholeLength = 300;

/** Answers of a service at a port of this machine, in the order of the requests; `keys`: texts of keys by name. */
export async function record(port: number, keys: Readonly<Record<string, string>>, count: number): Promise<Recorded[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** What each key had left after the answer before, and the last tag of each address. */
  const before = { left: {}, tags: {} };
  const recorded: Recorded[] = [];
  for (const sent of recordedRequests(count)) recorded.push(await ask(agent, port, keys, sent, before));
  agent.destroy();
  for (const bytes of rawRequests) recorded.push(await exchange(port, keys, bytes));
  return recorded;
}

async function ask(
  agent: Agent,
  port: number,
  keys: Readonly<Record<string, string>>,
  { method, url, headers = {}, body, key }: RecordedRequest,
  { left, tags }: { left: Record<string, number>; tags: Record<string, string> },
): Promise<Recorded> {
  const text = key ? (keys[key] ?? key) : undefined;
  if (headers['if-none-match'] === 'known') headers = { ...headers, 'if-none-match': tags[url] ?? '"none"' };
  const answer = await new Promise<{ status: number; raw: string[]; bytes: Buffer }>((resolve, reject) => {
    const sent = request(
      {
        ...{ agent, host: '127.0.0.1', port, method, path: url },
        headers: {
          host: 'places.test',
          ...headers,
          ...(text ? { 'x-api-key': text } : {}),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, raw: response.rawHeaders, bytes: Buffer.concat(chunks) }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject).end(body);
  });
  const named = Object.fromEntries(
    answer.raw.flatMap((name, at) => (at % 2 ? [] : [[name.toLowerCase(), answer.raw[at + 1]]])),
  );
  const { 'content-encoding': encoding, 'x-ratelimit-remaining': remaining } = named;
  if (method !== 'HEAD' && 'content-length' in named && Number(named['content-length']) !== answer.bytes.length) {
    throw new Error(
      `${method} ${url}: Content-Length is ${named['content-length']}, the body has ${answer.bytes.length}`,
    );
  }
  const plain =
    answer.bytes.length === 0
      ? answer.bytes
      : encoding === 'br'
        ? brotliDecompressSync(answer.bytes)
        : encoding === 'gzip'
          ? gunzipSync(answer.bytes)
          : answer.bytes;
  if (named.etag) tags[url] = named.etag;
  if (remaining !== undefined) {
    const cost = key! in left ? left[key!] - Number(remaining) : 0;
    left[key!] = Number(remaining);
    named['x-ratelimit-remaining'] = `${cost} less`;
    named.ratelimit = named.ratelimit.replace(/r=\d+/g, 'r=#').replace(/t=\d+$/, 't=#');
  }
  // Pages, files and the description of the API change with every text: their tests are others.
  const isText = /^text\/(?:html|css|javascript)/.test(named['content-type'] ?? '') || url.startsWith('/openapi.json');
  if (!/^\/(?:v1|tiles)\//.test(url) && named.etag !== undefined) named.etag = 'of the bytes';
  return {
    request: `${method} ${url} ${JSON.stringify({ key, ...headers })}${body === undefined ? '' : ` ${body.slice(0, 200)}`}`,
    status: answer.status,
    headers: normalHeaders(named, headers['x-request-id']),
    body: isText ? plain.toString('latin1', 0, 15) : normalBody(plain),
  };
}

/** Writes bytes on a connection of their own and takes what comes until it is closed. */
async function exchange(port: number, keys: Readonly<Record<string, string>>, bytes: string): Promise<Recorded> {
  // From an address that is no proxy's: its answers are sent although it has ended its side, also where a busy machine has them wait.
  const client = await rawClient(port, { from: '127.0.0.2', allowHalfOpen: true });
  client.socket.write(bytes.replace('KEY', keys.open), 'latin1');
  if (!bytes.includes('Connection: close')) client.socket.end();
  while (!client.socket.readableEnded && !client.socket.destroyed) await client.more();
  client.socket.destroy();
  const [head = '', ...rest] = client.received().split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const named = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  if (named.ratelimit) named['x-ratelimit-remaining'] = named.ratelimit = '#';
  const body = Buffer.from(
    rest.join('\n\n').replace(/^(date|x-request-id|keep-alive|connection|content-length): .*\r?$/gim, ''),
    'latin1',
  );
  return {
    request: bytes.slice(0, 200),
    status: Number(first.slice(9, 12)),
    headers: normalHeaders(named, undefined),
    body: normalBody(body),
  };
}

/** Sorted, without the date, and without lengths that the digits of query_ms decide. */
function normalHeaders(named: Record<string, string>, requestId: string | undefined): Record<string, string> {
  const { date: _date, ...others } = named;
  if ('content-length' in others) others['content-length'] = others['content-length'] === '0' ? '0' : 'right';
  if (others['x-request-id'] !== requestId) others['x-request-id'] = 'made';
  return Object.fromEntries(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function normalBody(bytes: Buffer): string {
  const text = bytes
    .toString()
    .replace(/"query_ms":\s?\d+/g, '"query_ms":0')
    .replace(/"uptime_seconds":\d+/g, '"uptime_seconds":0')
    .replace(/"timestamp":\d{13}/g, '"timestamp":0')
    .replace(/"request_id":"[\w-]+"/g, '"request_id":"made"')
    .replace(/wab_\w{8,}/g, 'wab_')
    .replace(/"(owner_code)":"[^"]*"/g, '"$1":""')
    .replace(/\b127\.0\.0\.1:\d+/g, 'host');
  if (text.length <= wholeLength && !text.includes('\ufffd')) return text;
  return `${hash('sha256', text.includes('\ufffd') ? bytes : text).slice(0, 16)} ${text.slice(0, 100).replace(/[^ -~]/g, '?')}`;
}
