/** /v1/jobs: a table through an endpoint, answered in the background. */
import { createReadStream, createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requireLayers } from '../../api/execute.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { endpointNamed, endpoints } from '../../endpoints/index.ts';
import { queryMs } from '../../endpoints/parameters.ts';
import { invalidParameter, systemFault, systemReason, WhereaboutsError } from '../../errors.ts';
import { parseColumnMap } from '../../geocode/columns.ts';
import { timeOf } from '../../keys/key-record.ts';
import type { Account } from '../../keys/meter.ts';
import { exactly, Nullable, Type } from '../../schema.ts';
import { fromProcess } from '../../store/own-process.ts';
import { checkEndpoint } from '../access.ts';
import { checkArrived, emptyBody, interrupted, refused } from '../body.ts';
import { callerOf, wellFormedQuery } from '../call.ts';
import { type FoundJob, isJobOf, type Job, type JobState, type RowForm } from '../jobs/job-files.ts';
import type { JobFault, ReadJob, SentJob } from '../jobs/read-job-process.ts';
import { checkForm, readingUsage } from '../jobs/rows.ts';
import { endOf, type JobRunner, type JobService } from '../jobs/runner.ts';
import { json } from '../route.ts';
import { holdAnswer } from '../send.ts';
import { type Call, currentStore, type HttpAnswer, type Service } from '../service.ts';
import { bodyError, bodyOf } from './account.ts';
import { type ApiRoute, parametersBy } from './openapi.ts';

/** Size of a body of JSON, and of a table; bytes. */
const maxJsonBytes = 8_388_608;
const maxTableBytes = 67_108_864;
const maxRows = 100_000;
/** Bytes of a body that wait to be written. */
const maxUnwritten = 1_048_576;
/** Of `options`, which are read and parsed with each look at a job: names and texts together, characters. */
const maxOptions = 16_384;
/** Bytes of a result that are read at once, as each read waits for a turn; and how many such pieces are in memory at a time. */
const readBytes = 1_048_576;
const keptReads = 3;
/** Of the process that reads a job. */
const readLimits = { maxCpuMs: 20_000, maxHeapMb: 128 };

const limitPerRow = Type.Integer({ default: 1, minimum: 1, maximum: 10, description: 'Results of a row, at most.' });
const texts = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } });

const jobRequest = exactly({
  endpoint: Type.String({ description: 'Path of a GET endpoint.', examples: ['search'] }),
  rows: Type.Optional(
    Type.Unsafe<unknown[]>({ type: 'array', minItems: 1, description: 'Parameters of each row, as objects.' }),
  ),
  csv: Type.Optional(
    Type.String({ format: 'table', description: 'A table whose first row names the columns, in place of `rows`.' }),
  ),
  options: Type.Optional(
    exactly({
      map: Type.Optional(
        Type.Unsafe<Record<string, string[]>>({
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
          description: 'Columns of parameters, where they do not have their names; joined by a blank.',
        }),
      ),
      set: Type.Optional(texts),
      limit_per_row: Type.Optional(limitPerRow),
    }),
  ),
});

const time = Type.String('ISO 8601.');
const jobFields = {
  id: Type.String(),
  endpoint: Type.String(),
  state: Type.Unsafe<JobState['state']>({
    type: 'string',
    enum: ['queued', 'running', 'paused', 'done', 'failed'],
    description: '`paused`: the quota is used up; the job goes on at `resumes_at`.',
  }),
  rows: Type.Integer('Rows of the job.'),
  answered: Type.Integer('Rows that have been answered, and charged.'),
  found: Type.Integer('Those with a result.'),
  without_result: Type.Integer(),
  failed: Type.Integer('Those with an error.'),
  created_at: time,
  resumes_at: Nullable.String('When the quota resets.'),
  ended_at: Nullable.String(),
  expires_at: Type.String('When the job and its result are deleted.'),
  detail: Nullable.String('Why it waits, or has failed.'),
  result: Nullable.String('Path of the result, once the job is done.'),
};
const jobAnswer = Type.Object({ ...jobFields, ...queryMs });
const jobList = Type.Object({ results: Type.Array(Type.Object(jobFields)), count: Type.Integer(), ...queryMs });
const deletedAnswer = Type.Object({ deleted: Type.Boolean(), ...queryMs });

const errors = [404];
const path = '/v1/jobs/{id}';
const resultParameters = parametersBy(
  Type.Object({
    id: Type.String('Id of the job.'),
    partial: Type.Boolean({ default: false, description: 'Whether the job need not be done.' }),
  }),
);

/** The jobs of the key in the header. Where none are kept they answer 503. */
export function jobRoutes(service: JobService): ApiRoute[] {
  const shared = { tag: 'Jobs', access: { endpoint: 'jobs' }, before: checkHolder } as const;
  return [
    {
      ...shared,
      name: 'createJob',
      method: 'POST',
      path: '/v1/jobs',
      summary: 'Up to 100,000 rows through an endpoint, in the background',
      description:
        'Takes `rows` or `csv` in JSON (8 MiB), or a table as `text/csv` or `application/x-ndjson` (64 MiB) with `endpoint`, `map`, ' +
        '`set` and `limit_per_row` in the query. Each row costs one call when it is answered. Where the quota ends the job is ' +
        '`paused` until it resets. The result is CSV for CSV, else a line of JSON for each row, and is kept for 24 hours.',
      takes: {
        maxBytes: maxJsonBytes,
        expected: '{"endpoint": "...", "rows": [...]}',
        streamed: { types: ['text/csv', 'application/x-ndjson'], maxBytes: maxTableBytes },
      },
      body: jobRequest,
      dependencies: ['OnlyOne(rows, csv);'],
      example: { endpoint: 'search', rows: [{ q: 'Berlin' }, { q: 'Oslo', country: 'NO' }] },
      before: (call) => {
        checkHolder(call);
        runnerOf(service);
      },
      answers: { 202: jobAnswer },
      async handle(call) {
        const added = await addJob(service, runnerOf(service), call);
        const answer = json(202, describe(added));
        answer.headers.push('Location', pathOf(added.job));
        return answer;
      },
    },
    {
      ...shared,
      name: 'jobs',
      method: 'GET',
      path: '/v1/jobs',
      summary: 'The jobs of the key',
      answers: { 200: jobList },
      async handle(call) {
        const { files } = runnerOf(service);
        const { key } = call.account!;
        const ids = await files.idsOf(key.id);
        const found = await Promise.all(ids.map((id) => files.find(key.id, id)));
        const results = found
          .filter((each) => each !== undefined)
          .filter(({ job }) => isJobOf(job, key))
          .sort((a, b) => a.job.createdAt - b.job.createdAt || (a.job.id < b.job.id ? -1 : 1))
          .map(describe);
        return json(200, { results, count: results.length });
      },
    },
    {
      ...shared,
      errors,
      name: 'job',
      method: 'GET',
      path,
      summary: 'State and progress of a job',
      answers: { 200: jobAnswer },
      handle: async (call) => json(200, describe(await jobOf(service, call))),
    },
    {
      ...shared,
      errors: [...errors, 400, 409],
      name: 'jobResult',
      method: 'GET',
      path: `${path}/result`,
      summary: 'The result of a job: CSV, or lines of JSON',
      description: 'With `partial=true` also of a job that is not done: the rows that have been answered so far.',
      query: resultParameters,
      media: ['text/csv', 'application/x-ndjson'],
      answers: { 200: Type.Object({}) },
      handle: async (call) => resultOf(service, runnerOf(service), call, await jobOf(service, call)),
    },
    {
      ...shared,
      errors,
      name: 'deleteJob',
      method: 'DELETE',
      path,
      summary: 'Cancel a job and delete it with its result',
      answers: { 200: deletedAnswer },
      async handle(call) {
        await runnerOf(service).remove((await jobOf(service, call)).job);
        return json(200, { deleted: true });
      },
    },
  ];
}

function runnerOf({ jobs }: JobService): JobRunner {
  if (jobs) return jobs;
  throw new WhereaboutsError('unavailable', 'this service keeps no jobs; send a batch, or ask its operator');
}

/** Jobs belong to the owner of a key: others may have a public key, or the former text of a rotated one. */
function checkHolder({ account, reserved }: Call): void {
  if (!account!.key.origins && !reserved!.isFormer) return;
  const why = reserved!.isFormer
    ? 'was replaced; use the new key'
    : 'is restricted to origins and so public; use another';
  throw new WhereaboutsError('key_not_allowed', `only the owner of a key may have jobs, and this key ${why}`);
}

async function jobOf(service: JobService, { account, path }: Call): Promise<FoundJob> {
  const found = await runnerOf(service).files.find(account!.key.id, path.id!);
  if (found && isJobOf(found.job, account!.key)) return found;
  throw noJob(path.id!);
}

const noJob = (id: string) =>
  new WhereaboutsError(
    'job_not_found',
    `the key has no job ${JSON.stringify(id.slice(0, 60))}; jobs are deleted 24 hours after they end, and 7 days after they were sent`,
  );

const pathOf = ({ id }: Job) => `/v1/jobs/${id}`;

function describe(found: FoundJob) {
  const { job, state } = found;
  return {
    id: job.id,
    endpoint: job.endpoint,
    state: state.state,
    rows: job.rows,
    answered: state.answered,
    found: state.found,
    without_result: state.withoutResult,
    failed: state.failed,
    created_at: timeOf(job.createdAt),
    resumes_at: timeOf(state.resumesAt ?? null),
    ended_at: timeOf(state.endedAt ?? null),
    expires_at: timeOf(endOf(found)),
    detail: state.detail ?? null,
    result: state.state === 'done' ? `${pathOf(job)}/result` : null,
  };
}

/** Receives a job and has it worked on. */
async function addJob(service: Service, runner: JobRunner, call: Call): Promise<FoundJob> {
  const account = call.account!;
  const [type] = call.request.headers['content-type']!.toLowerCase().split(';');
  const isJson = type.trim() === 'application/json';
  const ofTable = isJson ? undefined : checkAsked(service, account, askedInQuery(call));
  try {
    const added = await runner.files.add(account.key.id, async (rowsPath, id) => {
      const announced = Number(call.request.headers['content-length'] ?? 0);
      const arriving = { keyId: account.key.id, announced, bytes: 0 };
      try {
        await runner.checkRoom(account, id, arriving);
        const path = join(dirname(rowsPath), 'sent');
        const bytes = await receive(service, call, path, isJson ? maxJsonBytes : maxTableBytes, (arrived) =>
          runner.countArrived(account, arriving, arrived),
        );
        if (isJson && bytes === 0) throw emptyBody(call);
        const sent = { path, type: type.trim(), rowsPath, ...mostRows(account) };
        const read = () => readSent(sent);
        const { request, ...written } = await runner.inTurn(callerOf(service, call), bytes, read, call.response);
        const { endpoint, key, form } = ofTable ?? checkAsked(service, account, askedIn(call, request));
        checkForm(endpoint, written.header, form);
        await runner.checkRoom(account, id, { ...arriving, bytes: written.bytes }, true);
        return { endpoint: key, form, ...written, createdAt: call.now, keyCreatedAt: account.key.createdAt };
      } finally {
        runner.arriving.delete(id);
      }
    });
    runner.sweep();
    return added;
  } catch (error) {
    if (error instanceof WhereaboutsError) throw error;
    if ((call.body as Readable).errored) throw interrupted();
    if (systemFault(error) === undefined) throw error;
    service.log.error({ err: error }, 'a job could not be kept');
    throw new WhereaboutsError('unavailable', `the job could not be kept: ${systemReason(error)}`, {
      retryAfterSeconds: 60,
    });
  }
}

/** Writes a body to a file as it arrives, and counts it; resolves with its size. */
async function receive(
  service: Service,
  call: Call,
  path: string,
  maxBytes: number,
  count: (bytes: number) => void,
): Promise<number> {
  let [bytes, chunks] = [0, 0];
  async function* arriving() {
    // What is left of one that is refused is read to nobody, so that the answer arrives.
    for await (const chunk of (call.body as Readable).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      checkArrived(service, call, { bytes, chunks: ++chunks, maxBytes });
      count(bytes);
      yield chunk;
    }
  }
  // A disk that is busy for a moment does not hold up what arrives.
  await pipeline(arriving, createWriteStream(path, { highWaterMark: maxUnwritten }));
  return bytes;
}

/** Reads what was sent in a process of its own. */
async function readSent(sent: SentJob): Promise<ReadJob> {
  // The same ending as this file: .ts from the sources, .js in the published package.
  const script = new URL(`../jobs/read-job-process${import.meta.url.slice(-3)}`, import.meta.url);
  const refuse = (reason = 'reading it takes too long, or too much memory') =>
    new WhereaboutsError('invalid_body', `${reason}; send several jobs`);
  for await (const read of fromProcess<ReadJob | JobFault>(script, sent, { refuse, ...readLimits })) {
    if (!('fault' in read)) return read;
    const { fault, errors } = read;
    throw new WhereaboutsError('invalid_body', fault, errors && { errors });
  }
  throw new Error('the process ended without an answer');
}

/** Throws where there is no such endpoint, the key may not use it, or its data are missing. */
function checkAsked(service: Service, account: Account, { name, form }: Asked) {
  const endpoint = readingUsage(() => endpointNamed(name));
  const [key] = Object.entries<Endpoint>(endpoints).find(([, each]) => each === endpoint)!;
  checkEndpoint(account, key);
  requireLayers(endpoint, currentStore(service));
  return { endpoint, key, form };
}

/** How many rows a job may have, at most what the plan allows in the time that it is kept; and what to say of more. */
function mostRows({ plan }: Account): Pick<SentJob, 'maxRows' | 'remedy'> {
  const planned = plan.callsPerDay * 7;
  if (planned >= maxRows) return { maxRows, remedy: 'send several jobs' };
  const remedy = `the plan has ${plan.callsPerDay} calls a day and a job is kept for 7 days; send at most ${planned}`;
  return { maxRows: planned, remedy };
}

type Asked = { name: string; form: RowForm };

/** What JSON asks for. Its rows are looked at one by one later: a wrong one has its error in the result. */
function askedIn(call: Call, body: unknown): Asked {
  const { endpoint, rows, csv, options = {} } = bodyOf({ ...call, body }, jobRequest);
  if ((rows === undefined) === (csv === undefined)) throw bodyError('rows', 'expected either "rows" or "csv"');
  const { map = {}, set = {}, limit_per_row: limit = 1 } = options;
  const texts = [map, set].flatMap((record) => Object.entries(record).flat(2));
  if (texts.reduce((sum, text) => sum + text.length + 1, 0) > maxOptions)
    throw refused(`has more than ${maxOptions} characters in map and set; shorten them`);
  return { name: endpoint, form: { map, set, limitPerRow: limit } };
}

/** A table whose options are in the query, `map` and `set` as the command `geocode` takes them. */
function askedInQuery(call: Call): Asked {
  const query = wellFormedQuery(call);
  const twice = Object.keys(query).find((name) => Array.isArray(query[name]));
  if (twice) throw invalidParameter(twice, `${twice.slice(0, 60)} was given twice, expected once`);
  const { endpoint, map, set, limit_per_row: limit = '1' } = query as Record<string, string | undefined>;
  if (endpoint === undefined) {
    const detail = 'endpoint is missing, expected the path of a GET endpoint, such as endpoint=search';
    throw invalidParameter('endpoint', detail, 'missing_parameter');
  }
  if (!/^(?:[1-9]|10)$/.test(limit))
    throw invalidParameter('limit_per_row', `limit_per_row is ${limit}, expected 1 to 10`);
  const pairs = (set?.split(',') ?? []).map((pair) => pair.split('=').map((part) => part.trim()));
  if (pairs.some((pair) => pair.length !== 2)) throw invalidParameter('set', 'set has not the form parameter=value,…');
  const form: RowForm = {
    map: Object.fromEntries(
      readingUsage(() => (map === undefined ? [] : [...parseColumnMap(map)].map(([k, v]) => [k, [...v]]))),
    ),
    set: Object.fromEntries(pairs),
    limitPerRow: Number(limit),
  };
  return { name: endpoint, form };
}

function resultOf(service: Service, { files }: JobRunner, call: Call, { job, state }: FoundJob): HttpAnswer {
  const { partial } = resultParameters.of(call).parameters;
  if (state.state !== 'done' && !partial) {
    throw new WhereaboutsError(
      'job_not_done',
      `the job is ${state.state} (${state.answered} of ${job.rows} rows are answered); wait, or take these with partial=true`,
    );
  }
  const bytes = state.outputBytes;
  const output = async function* () {
    try {
      if (bytes > 0) yield* createReadStream(files.output(job), { end: bytes - 1, highWaterMark: readBytes });
    } catch (error) {
      // Deleted since it was found.
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? noJob(job.id) : error;
    }
  };
  if (bytes >= service.limits.takenBytesPerSecond)
    holdAnswer(service, call).add(Math.min(bytes, keptReads * readBytes));
  const [type, ending] = job.header ? ['text/csv; charset=utf-8', 'csv'] : ['application/x-ndjson', 'ndjson'];
  const headers = ['Content-Type', type, 'Content-Length', String(bytes), 'Cache-Control', 'no-store'];
  headers.push('Content-Disposition', `attachment; filename="job-${job.id}.${ending}"`);
  return { status: 200, headers, body: call.request.method === 'HEAD' ? undefined : Readable.from(output()) };
}
