/** Nodes that serve what is published in a bucket: new versions under load, poisoned ones, and rolling back. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { makeCurrent } from '../../../src/build/versions.ts';
import { readManifest } from '../../../src/store/manifest.ts';
import { makeKey, serve, until } from '../../../test/support/served.ts';
import { buildSmallDataset } from '../../../test/support/small-store.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { noS3Server, s3Server } from './s3-server.ts';

const versions = ['20260101T000000Z', '20260102T000000Z', '20260103T000000Z'] as const;
const run = promisify(execFile);
const program = join(import.meta.dirname, '../../../src/main.ts');

async function addVersion(data: string, version: string): Promise<void> {
  mkdirSync(join(data, version));
  await buildSmallDataset(join(data, version), { version });
  await makeCurrent(data, version);
}

/** Queries a node repeatedly until stopped; returns the number of answers, and those that were not 200. */
function load(url: string, key: string) {
  let isEnding = false;
  const finished = (async () => {
    const failed: unknown[] = [];
    let answers = 0;
    while (!isEnding) {
      const { status } = await fetch(`${url}/v1/search?q=berlin`, { headers: { 'X-API-Key': key } }).catch((error) => ({
        status: String(error),
      }));
      answers++;
      if (status !== 200) failed.push(status);
    }
    return { answers, failed };
  })();
  return () => {
    isEnding = true;
    return finished;
  };
}

const servedBy = async (url: string): Promise<string> =>
  ((await (await fetch(`${url}/status`)).json()) as { dataset: { version: string } }).dataset.version;

test('three nodes take a new version from S3 under load, refuse a poisoned one, and go back by one command', {
  skip: noS3Server,
}, async (t: TestContext) => {
  const { environment, bucket } = await s3Server(t);
  const destination = `s3://${bucket}/world`;
  const data = temporaryDirectory(t);
  const publish = async (...args: string[]) =>
    run(process.execPath, [program, '--data-directory', data, 'publish', destination, ...args], {
      env: { ...process.env, ...environment },
    });
  await addVersion(data, versions[0]);
  await publish();

  const settings = { dataset: destination, datasetEverySeconds: 1 };
  const nodes = await Promise.all(
    [1, 2, 3].map(async () => {
      const directory = temporaryDirectory(t);
      const served = await serve(t, directory, settings, environment);
      return { ...served, key: await makeKey(directory, 'open') };
    }),
  );
  const allServe = (version: string) =>
    until(`all serve ${version}`, async () => {
      const served = await Promise.all(nodes.map(({ url }) => servedBy(url)));
      return served.every((one) => one === version);
    });
  await allServe(versions[0]);

  const loads = nodes.map(({ url, key }) => load(url, key));
  await addVersion(data, versions[1]);
  await publish();
  await allServe(versions[1]);

  // A file that already exists under its hash, with other bytes.
  await addVersion(data, versions[2]);
  const path = join(data, versions[2], 'manifest.json');
  const manifest = readManifest(join(data, versions[2]));
  const [zones] = manifest.layers.zones!.files;
  const sha256 = 'a'.repeat(64);
  zones.sha256 = sha256;
  writeFileSync(path, JSON.stringify(manifest));
  const put = await openWith(environment, destination);
  await put(`files/${sha256}`, Buffer.alloc(zones.bytes));
  await put(`versions/${versions[2]}.json`, Buffer.from(JSON.stringify(manifest)));
  await publish('--use', versions[2]);
  await Promise.all(
    nodes.map(({ logged }) => logged(({ msg }) => msg.startsWith('the published dataset cannot be pulled'))),
  );
  assert.deepEqual(
    await Promise.all(nodes.map(({ url }) => servedBy(url))),
    nodes.map(() => versions[1]),
  );

  await publish('--use', versions[0]);
  await allServe(versions[0]);
  for (const end of loads) {
    const { answers, failed } = await end();
    assert.deepEqual(failed, []);
    assert.ok(answers > 100, `${answers} answers`);
  }
});

/** Puts objects as anybody could who may write to the bucket. */
async function openWith(environment: Record<string, string>, destination: string) {
  const { S3Client, PutObjectCommand } = await import('@aws-sdk/client-s3');
  const client = new S3Client({
    endpoint: environment.AWS_ENDPOINT_URL_S3,
    region: environment.AWS_REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: environment.AWS_ACCESS_KEY_ID, secretAccessKey: environment.AWS_SECRET_ACCESS_KEY },
  });
  const [, Bucket, prefix] = /^s3:\/\/([^/]+)\/(.*)$/.exec(destination)!;
  return (key: string, Body: Buffer) => client.send(new PutObjectCommand({ Bucket, Key: `${prefix}/${key}`, Body }));
}
