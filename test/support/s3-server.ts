/** A real server of the S3 protocol (moto) of a test's own, on a free port, with an empty bucket. */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

const program = 'moto_server';
const isThere = spawnSync(program, ['--help']).status === 0;

/** Why tests over S3 are skipped where there is no server; false where there is one. */
export const noS3Server = !isThere && "needs an S3 server: pip install 'moto[server]'";

/** Environment of programs that use it. */
export type S3Server = { environment: Record<string, string>; bucket: string };

export async function s3Server(t: TestContext): Promise<S3Server> {
  const child = spawn(program, ['-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let address: string | undefined;
  const lines = createInterface({ input: child.stderr! });
  for await (const line of lines) {
    address = /Running on (http:\/\/[\d.:]+)/.exec(line)?.[1];
    if (address) break;
  }
  if (address === undefined) throw new Error(`${program} did not say where it listens`);
  child.stderr!.resume();
  const bucket = 'maps';
  await fetch(`${address}/${bucket}`, { method: 'PUT' });
  return {
    bucket,
    environment: {
      AWS_ENDPOINT_URL_S3: address,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'us-east-1',
    },
  };
}
