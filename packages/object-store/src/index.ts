/** Datasets in buckets: the engine for addresses of the form `s3://bucket/prefix`. */
import { open, readFile, stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import * as sdk from '@aws-sdk/client-s3';
import { bounded } from '../../../src/core/chunks.ts';
import { readWithin } from '../../../src/download/download.ts';
import { Failure, systemFault, UsageError } from '../../../src/errors.ts';
import type { ObjectStore } from '../../../src/publish/object-store.ts';

/** Files above this are sent in parts of this size, which are resumed; S3 takes up to 10,000 of at least 5 MiB. */
export const partBytes = 16 * 2 ** 20;
const maxParts = 10_000;
/** Most of an answer that is no object: a refusal, or a page of a list. */
const maxTextBytes = 4_194_304;
const tooLong = () => new Error(`the store answered with more than ${maxTextBytes} bytes of text`);

type S3Error = Error & { code?: string; $metadata?: { httpStatusCode?: number } };
type Place = { address: string; bucket: string; prefix: string };

/** Faults of the settings, not of the store: another try does not mend them. */
const faults = { names: /^(CredentialsProviderError|ExpiredToken|NoSuchBucket)$/, statuses: [301, 401, 403] };

/**
 * A bucket of S3, or of another store that speaks its protocol. Credentials, region and endpoint come from the usual
 * chain: `AWS_…` variables (AWS_ENDPOINT_URL_S3 for another store), ~/.aws, the role of the container or the machine.
 * A pause of `idleMs` in a request breaks it. Throws UsageError for a wrong address.
 */
export function openStore(address: string, { idleMs = 30_000 }: { idleMs?: number } = {}): ObjectStore {
  const [, bucket, path = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/*$/.exec(address) ?? [];
  if (!bucket) throw new UsageError(`${address} is not a bucket; write s3://bucket or s3://bucket/prefix`);
  // By path, as other stores than Amazon's mostly have no host name for each bucket.
  const client = new sdk.S3Client({
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: idleMs, socketTimeout: idleMs },
  });
  // The SDK collects whole what is no object; the step before its own.
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as { statusCode: number; body: Readable };
        if (commandName !== 'GetObjectCommand' || response.statusCode >= 300)
          response.body = Readable.from(bounded(response.body, maxTextBytes, tooLong));
        return result;
      },
    { step: 'deserialize', priority: 'low' },
  );
  const place = { address: address.replace(/\/+$/, ''), bucket, prefix: path === '' ? '' : `${path}/` };
  return storeOf(client, place);
}

function storeOf(client: sdk.S3Client, { address, bucket, prefix }: Place): ObjectStore {
  const named = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` });
  const reported = async <T>(request: Promise<T>): Promise<T> => {
    try {
      return await request;
    } catch (error) {
      const { name, message, code, $metadata } = error as S3Error;
      const status = $metadata?.httpStatusCode;
      const reason = [name, status, message || code].filter(Boolean).join(', ');
      if (faults.names.test(name) || faults.statuses.includes(status ?? 0) || /region is missing/i.test(message))
        throw new UsageError(`${address} cannot be used: ${reason}; check bucket, credentials, region`);
      // Whoever breaks a request off, and a local file that cannot be read, are no faults of the store.
      if (!$metadata || name === 'AbortError' || systemFault(error) !== undefined) throw error;
      throw new Failure(`${address} could not be reached: ${reason}; check the store and AWS_ENDPOINT_URL_S3`);
    }
  };
  const body = async (key: string, from: number, abortSignal: AbortSignal) => {
    const range = from > 0 ? { Range: `bytes=${from}-` } : {};
    const { Body } = await client.send(new sdk.GetObjectCommand({ ...named(key), ...range }), { abortSignal });
    return addAbortSignal(abortSignal, Body as Readable);
  };
  const ifThere = <T>(error: Error): T | undefined => {
    if (error.name === 'NoSuchKey' || error.name === 'NotFound') return undefined;
    throw error;
  };
  return {
    address,
    read: (key, maxBytes) =>
      readWithin(`${address}/${key}`, (signal) => reported(body(key, 0, signal).catch(ifThere<Readable>)), {
        maxBytes,
      }),
    open: (key, from, signal) => reported(body(key, from, signal)),
    sizeOf: (key) =>
      reported(
        client
          .send(new sdk.HeadObjectCommand(named(key)))
          .then(({ ContentLength }) => ContentLength)
          .catch(ifThere<number>),
      ),
    async write(key, content) {
      await reported(client.send(new sdk.PutObjectCommand({ ...named(key), Body: content })));
    },
    async writeFile(key, path) {
      const { size } = await stat(path);
      const body = size <= partBytes ? await readFile(path) : undefined;
      if (body) await reported(client.send(new sdk.PutObjectCommand({ ...named(key), Body: body })));
      else await reported(sendParts(client, named(key), path, size));
    },
  };
}

/** Sends a large file in parts; those of an earlier try that broke off are not sent again. */
async function sendParts(
  client: sdk.S3Client,
  object: { Bucket: string; Key: string },
  path: string,
  size: number,
): Promise<void> {
  const length = Math.max(partBytes, Math.ceil(size / maxParts));
  const { Uploads = [] } = await client.send(
    new sdk.ListMultipartUploadsCommand({ Bucket: object.Bucket, Prefix: object.Key }),
  );
  const UploadId =
    Uploads.find(({ Key }) => Key === object.Key)?.UploadId ??
    (await client.send(new sdk.CreateMultipartUploadCommand(object))).UploadId;
  const sent = new Map<number, string>();
  // The SDK's own pages end where no marker is named; MinIO names one on the last page too.
  for (let PartNumberMarker: string | undefined, isMore = true; isMore; ) {
    const page = await client.send(new sdk.ListPartsCommand({ ...object, UploadId, PartNumberMarker }));
    // A part belongs to the object's content, which its name identifies; only its length may be another one.
    for (const { PartNumber, ETag, Size } of page.Parts ?? [])
      if (Size === Math.min(length, size - (PartNumber! - 1) * length)) sent.set(PartNumber!, ETag!);
    const { NextPartNumberMarker: next } = page;
    isMore = page.IsTruncated === true && Number(next) > Number(PartNumberMarker ?? 0);
    PartNumberMarker = next;
  }
  const file = await open(path);
  try {
    for (let number = 1; (number - 1) * length < size; number++) {
      if (sent.has(number)) continue;
      const start = (number - 1) * length;
      const Body = Buffer.alloc(Math.min(length, size - start));
      await file.read(Body, 0, Body.length, start);
      const part = new sdk.UploadPartCommand({ ...object, UploadId, PartNumber: number, Body });
      sent.set(number, (await client.send(part)).ETag!);
    }
  } finally {
    await file.close();
  }
  const Parts = [...sent].sort(([a], [b]) => a - b).map(([PartNumber, ETag]) => ({ PartNumber, ETag }));
  await client.send(new sdk.CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }));
}
