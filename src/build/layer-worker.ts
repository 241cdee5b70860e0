/** A worker thread that builds one layer, so that builds use all cores and free their memory when done. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { refusals } from '../store/own-process.ts';
import { type BuilderReport, type BuildTask, type InputPaths, type LayerJob, openInputs } from './layer.ts';
import { layerBuilders } from './layers/index.ts';

export type WorkerTask = Omit<LayerJob, 'inputs' | 'progress' | 'readable'> & Pick<BuildTask, 'layer'> & InputPaths;
export type WorkerMessage = { share: number; step: string } | { report: BuilderReport } | Refusal;
/** Why a layer is not built; `isOfSource` if a source cannot be used. */
type Refusal = { refusal: string; isOfSource: boolean };

/** System errors for a full disk, an exhausted quota or a file size limit; SQLITE_FULL and SQLITE_IOERR_WRITE. */
const cannotWrite = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EFBIG', 13, 778]);

const { layer, packages, userFiles, ...job } = workerData as WorkerTask;
const builder = layerBuilders.find(({ name }) => name === layer);
if (!builder) throw new Error(`no builder for layer ${layer}`);
const send = (message: WorkerMessage) => parentPort?.postMessage(message);
try {
  const inputs = openInputs({ packages, userFiles });
  const readable = once(parentPort!, 'message');
  const report = await builder.build({ ...job, inputs, readable, progress: (share, step) => send({ share, step }) });
  send({ report });
} catch (error) {
  // Error classes are lost between threads; a bug is passed on whole, as an error of the worker.
  send(refusalOf(error));
}

/** The message of an error that is not a bug; rethrows any other. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) throw error;
  if (refusals.has(error.name)) return { refusal: error.message, isOfSource: true };
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (!cannotWrite.has(code) && !cannotWrite.has(errcode)) throw error;
  const refusal = `the disk is full or cannot be written (${error.message}); free space for ${job.directory}, or set dataDirectory to a larger disk`;
  return { refusal, isOfSource: false };
}
