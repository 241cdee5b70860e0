/**
 * Asks the services of two trees the same and compares status, headers and body byte for byte: a change that is to make
 * answers faster must leave every one unchanged.
 *
 *     node bench/http/compare.ts --other ../other-tree [--dataset data/<version>] [--only api,batch] [--every 1]
 *
 * `query_ms`, dates and what keys have left are not part of it. `--every 7` asks each seventh question. After a change of
 * the dataset's format, `--other-dataset` is the same data in the other tree's; entity tags are then not compared.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openDataset } from '../../src/api/open.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { type Question, questions } from './questions.ts';

const { values: options } = parseArgs({
  options: {
    other: { type: 'string', default: '.' },
    dataset: { type: 'string', default: join('data', currentVersion('data') ?? '') },
    only: { type: 'string' },
    'other-dataset': { type: 'string' },
    every: { type: 'string', default: '1' },
    shown: { type: 'string', default: '5' },
  },
});

type Server = { port: number; key: string; stop(): void };

async function start(tree: string, dataset: string): Promise<Server> {
  const args = [join(tree, 'bench/http/server.ts'), resolve(dataset)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { ...JSON.parse(String(line)), stop: () => child.kill() };
}

const agent = new Agent({ keepAlive: true });
const isLeftOut = (name: string) =>
  /^(date|x-request-id|.*ratelimit.*)$/i.test(name) || (/^etag$/i.test(name) && options['other-dataset'] !== undefined);

/** The whole answer as one text. */
async function ask({ port, key }: Server, { path, headers = {}, body }: Question): Promise<string> {
  const sent = request({
    ...{ agent, port, host: '127.0.0.1', path, method: body === undefined ? 'GET' : 'POST' },
    headers: { 'x-api-key': key, ...headers },
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const pairs: string[] = [];
  const raw = response.rawHeaders as string[];
  for (let at = 0; at < raw.length; at += 2) if (!isLeftOut(raw[at])) pairs.push(`${raw[at]}: ${raw[at + 1]}`);
  const whole = Buffer.concat(chunks);
  const decode = { gzip: gunzipSync, br: brotliDecompressSync }[response.headers['content-encoding'] as 'gzip' | 'br'];
  const text = (decode ? decode(whole) : whole).toString('utf8');
  const bytes = text
    .replace(/"(query_ms|uptime_seconds)":\d+/g, '"$1":0')
    .replace(/"request_id":"[^"]*"/g, '"request_id":""');
  // The digits of `query_ms` count into the length.
  const head = pairs.filter((pair) => !/^content-length/i.test(pair)).join('\n');
  return `${response.statusCode}\n${head}\n\n${bytes}`;
}

/** Besides the questions of every endpoint, the same ones with `If-None-Match: *`, and compressed. */
function withVariations(questions: readonly Question[]): Question[] {
  return questions.flatMap((question, at) => {
    if (at % 10 === 0) return [question, { ...question, headers: { ...question.headers, 'if-none-match': '*' } }];
    if (at % 10 === 5) return [question, { ...question, headers: { ...question.headers, 'accept-encoding': 'gzip' } }];
    return [question];
  });
}

const servers = [
  await start('.', options.dataset),
  await start(options.other, options['other-dataset'] ?? options.dataset),
];
let failed = 0;
try {
  const store = openDataset(options.dataset);
  const wanted = options.only?.split(',');
  const kinds = Object.entries(questions(store)).filter(([kind]) => wanted?.includes(kind) ?? true);
  store.close();
  for (const [kind, all] of kinds) {
    const varied = withVariations(all.filter((_, at) => at % Number(options.every) === 0));
    let different = 0;
    const statuses: Record<string, number> = {};
    for (const question of varied) {
      const askBoth = () => Promise.all(servers.map((server) => ask(server, question)));
      let [own, other] = await askBoth();
      // Retry once, as a second may have passed between the two answers.
      if (own !== other) [own, other] = await askBoth();
      const status = own.slice(0, 3);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (own === other) continue;
      different++;
      if (++failed <= Number(options.shown)) console.log(`${question.path}\n--- here\n${own}\n--- there\n${other}\n`);
    }
    console.log(kind, { asked: varied.length, different, ...statuses });
  }
} finally {
  for (const server of servers) server.stop();
  agent.destroy();
}
process.exitCode = failed > 0 ? 1 : 0;
