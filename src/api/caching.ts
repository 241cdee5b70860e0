/** How answers are cached: by clients, with entity tags, and by the process itself. */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { RecentCache } from '../core/recent-cache.ts';
import type { Profile } from '../endpoints/endpoint.ts';
import type { Store } from '../store/store.ts';
import { JsonBody, type JsonText } from './answer-body.ts';

/** `Cache-Control` of an answer that depends on the data only. */
export const cacheControl = 'private, max-age=3600';

/** The part of all tags of a dataset and a version of the program: 12 base64 characters. */
export function datasetTag(datasetVersion: string, programVersion: string): string {
  return hash('sha256', `${programVersion}\n${datasetVersion}`, 'base64url').slice(0, 12);
}

/**
 * The weak entity tag of an answer. A tag is only ever compared with those of the same URL, so the dataset and the
 * profile have to be exact in it, and the question, an endpoint with its parameters,
 * may be a checksum.
 */
export function entityTag(tag: string, profile: Profile, question: string): string {
  return `W/"${tag}-${profile}-${crc32(question).toString(36)}"`;
}

/** Whether an `If-None-Match` header lists a tag, by weak comparison (RFC 9110, 8.8.3.2). `*` is the caller's to see. */
export function listsTag(header: string, tag: string): boolean {
  const opaque = tag.slice(2);
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === opaque);
}

/** Up to twice as many questions are noted. */
const half = 1_024;
/** Longer answers are seldom requested. */
const maxLength = 8_192;
const end = '0}';

/** Keyed by manifest, which a dataset has anew with each layer that arrives. Not for what a search cluster serves. */
const keptAnswers = new WeakMap<Store['manifest'], RecentCache<string, JsonText | 'asked'>>();

/**
 * The one cache of answers: the JSON of what is asked for again. Of texts drawn by Zipf's law four in five are, of positions
 * and addresses of machines hardly any, so that questions about these are not noted; and answers only from the second time on,
 * as most are asked for once.
 *
 * The answer to a question, its parameters and endpoint in one text: a kept one, or what `answer` returns.
 */
export function keptAnswer<T>(store: Store, question: string, answer: () => T): T | JsonText {
  let kept = keptAnswers.get(store.manifest);
  if (kept === undefined) keptAnswers.set(store.manifest, (kept = new RecentCache(half)));
  const known = kept.get(question);
  if (known !== undefined && known !== 'asked') return known;
  const body = answer();
  if (known === undefined) kept.set(question, 'asked');
  else if (body instanceof JsonBody && !body.written) {
    const text = body.bytes(0) as string;
    // The whole of it but for `query_ms`.
    const start = text.slice(0, -end.length);
    const made: JsonText = { bytes: (queryMs) => `${start}${queryMs}}` };
    if (text.length <= maxLength) kept.set(question, made);
    return made;
  }
  return body;
}
