/** A worker thread that makes the outlines of areas beside the other steps of the layer, of which they take the longest. */
import { parentPort, workerData } from 'node:worker_threads';
import { openGeos, outlinesOf } from './outlines.ts';

parentPort!.postMessage(outlinesOf(await openGeos(), workerData));
