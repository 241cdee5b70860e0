/** Large files in a bucket: sent in parts, and resumed where an earlier attempt broke off. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { CreateMultipartUploadCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { temporaryFile } from '../../../test/support/temporary.ts';
import { openStore, partBytes } from '../src/index.ts';
import { noS3Server, s3Server } from './s3-server.ts';

test('an interrupted upload is resumed: parts that arrived are not sent again', {
  skip: noS3Server,
}, async (t) => {
  const { environment, bucket } = await s3Server(t);
  Object.assign(process.env, environment);
  const store = openStore(`s3://${bucket}/world`);
  const content = Buffer.alloc(2 * partBytes + 1000, 1);
  const path = temporaryFile(t, 'large', content);

  const client = new S3Client({ forcePathStyle: true });
  const object = { Bucket: bucket, Key: 'world/files/large' };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
  // Other bytes of the same length show whether the part is sent again.
  const arrived = Buffer.alloc(partBytes, 2);
  await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: arrived }));
  await store.writeFile('files/large', path);

  const expected = Buffer.concat([arrived, content.subarray(partBytes)]);
  assert.ok((await store.read('files/large', 2 ** 26))?.equals(expected));
  assert.equal(await store.sizeOf('files/large'), expected.length);

  writeFileSync(path, content.subarray(0, partBytes + 1));
  await store.writeFile('files/other', path);
  assert.ok((await store.read('files/other', 2 ** 26))?.equals(content.subarray(0, partBytes + 1)));
});
