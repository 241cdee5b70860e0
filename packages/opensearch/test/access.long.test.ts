/**
 * A search cluster behind TLS that requires a password, or signatures as Amazon's service does: the command line
 * against a real one.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as ask, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { noOpenSearch, type SearchCluster, searchCluster } from './support/opensearch.ts';
import { datasetOf, publish } from './support/search-service.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');
const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'needs openssl, to make a certificate';
const aws = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret/of+nobody', AWS_REGION: 'eu-west-1' };

/** One line that says what to mend. */
const refused = /^(Error: )?whereabouts: [^\n]*\(status 401\): the user, password or signature is not accepted\n$/;

/** How a cluster authorises a request, with its body. */
type Guard = (request: IncomingMessage, body: Buffer) => boolean;

describe('access to a search cluster', { skip: noOpenSearch || noOpenssl }, () => {
  let cluster: SearchCluster;
  before(async () => {
    cluster = await searchCluster(1);
  });
  after(() => cluster?.close());

  /** A server of TLS before the cluster, with the file of its certificate. */
  async function behindTls(t: TestContext, isLetIn: Guard): Promise<{ host: string; certificate: string }> {
    const directory = temporaryDirectory(t);
    const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')];
    const subject = ['-subj', '/CN=search', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    const files = ['-nodes', '-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...files, ...subject], { stdio: 'ignore' });
    const server = createServer(
      { key: readFileSync(key), cert: readFileSync(certificate) },
      async (request, response) => {
        const body = await buffer(request);
        if (!isLetIn(request, body)) {
          response.writeHead(401, { 'content-type': 'text/plain' }).end('Unauthorized');
          return;
        }
        const { method, headers, url } = request;
        const passed = ask(`${cluster.nodes[0].url}${url}`, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
        });
        passed.end(body);
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, certificate };
  }

  /** What `publish --list` writes; rejects with what it wrote to standard error. */
  async function list(address: string, env: NodeJS.ProcessEnv): Promise<string> {
    const run = promisify(execFile)(process.execPath, [main, 'publish', address, '--list'], {
      env: { PATH: process.env.PATH, AWS_EC2_METADATA_DISABLED: 'true', ...env },
    });
    return run.then(
      ({ stdout }) => stdout,
      ({ stderr }) => Promise.reject(new Error(stderr)),
    );
  }

  test('a certificate of an authority of its own, user and password', async (t) => {
    await publish(`${cluster.url}/guarded`, await datasetOf(t, 'g1'));
    const [user, password] = ['who', 'p@ss/w:rd'];
    const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const { host, certificate } = await behindTls(t, ({ headers }) => headers.authorization === expected);
    const trusting = { NODE_EXTRA_CA_CERTS: certificate };
    const address = `https://${user}:${encodeURIComponent(password)}@${host}/guarded`;
    assert.equal(await list(address, trusting), '* g1\n');
    await assert.rejects(list(address, {}), /certificate/);
    const wrong = `https://${user}:wrong@${host}/guarded`;
    await assert.rejects(list(wrong, trusting), refused);
    const changes = join(temporaryDirectory(t), 'changes.jsonl');
    writeFileSync(changes, '{"id":"r:1","deleted":true}');
    await assert.rejects(
      promisify(execFile)(process.execPath, [main, 'upsert', changes, '--streets', wrong], {
        env: { PATH: process.env.PATH, ...trusting },
      }),
      ({ code, stdout, stderr }) => code === 1 && stdout === '' && refused.test(stderr),
    );
  });

  test('requests signed for Amazon’s service', async (t) => {
    await publish(`${cluster.url}/signed`, await datasetOf(t, 's1'));
    const { host, certificate } = await behindTls(t, isSigned);
    const trusting = { NODE_EXTRA_CA_CERTS: certificate };
    const address = `https://${host}/signed?aws-region=eu-west-1`;
    assert.equal(await list(address, { ...trusting, ...aws }), '* s1\n');
    const other = { ...aws, AWS_SECRET_ACCESS_KEY: 'another' };
    await assert.rejects(list(address, { ...trusting, ...other }), refused);
  });
});

/** Checks a signature as described in "Create a signed AWS API request", by which keys are derived and texts put together. */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const [, day, names, signature] =
    /Credential=AKIDEXAMPLE\/(\d{8})\/eu-west-1\/es\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (signature === undefined) return false;
  const { pathname, searchParams } = new URL(url!, 'https://host');
  const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
  const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const path = pathname.split('/').map(encode).join('/');
  const canonical = [method, path, query.join('&'), signed.join(''), names, hash(body)].join('\n');
  const scope = `${day}/eu-west-1/es/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const parts = [day, 'eu-west-1', 'es', 'aws4_request'];
  const key = parts.reduce<string | Buffer>((secret, part) => sign(secret, part), `AWS4${aws.AWS_SECRET_ACCESS_KEY}`);
  return sign(key, text).toString('hex') === signature;
}
