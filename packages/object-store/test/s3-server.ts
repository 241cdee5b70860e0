/**
 * A real server of the S3 protocol of a test's own, on a free port, with an empty bucket: moto, or MinIO where the
 * environment variable S3_SERVER names its program.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from '../../../test/support/free-port.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';

const minio = process.env.S3_SERVER;
const program = minio ?? 'moto_server';
const isThere = spawnSync(program, ['--help']).status === 0;

/** Why tests over S3 are skipped where there is no server; false where there is one. */
export const noS3Server = !isThere && "needs an S3 server: pip install 'moto[server]'";

/** Environment of programs that use it. */
export type S3Server = { environment: Record<string, string>; bucket: string };

const user = 'whereabouts';
const password = 'only for tests';
const region = 'us-east-1';
const bucket = 'maps';

export async function s3Server(t: TestContext): Promise<S3Server> {
  // MinIO takes no port 0.
  const port = minio === undefined ? 0 : await freePort();
  const args =
    minio === undefined
      ? ['-H', '127.0.0.1', '-p', '0']
      : ['server', '--address', `127.0.0.1:${port}`, temporaryDirectory(t)];
  const env = { ...process.env, MINIO_ROOT_USER: user, MINIO_ROOT_PASSWORD: password, MINIO_BROWSER: 'off' };
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  t.after(() => child.kill('SIGKILL'));
  let address: string | undefined;
  for await (const line of createInterface({ input: child.stderr })) {
    address = /(?:Running on|API:) (http:\/\/[\d.:]+)/.exec(line)?.[1];
    if (address) break;
  }
  if (address === undefined) throw new Error(`${program} did not say where it listens`);
  child.stderr.resume();
  const credentials = { accessKeyId: user, secretAccessKey: password };
  const client = new S3Client({ endpoint: address, region, forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    bucket,
    environment: {
      AWS_ENDPOINT_URL_S3: address,
      AWS_ACCESS_KEY_ID: user,
      AWS_SECRET_ACCESS_KEY: password,
      AWS_REGION: region,
    },
  };
}
