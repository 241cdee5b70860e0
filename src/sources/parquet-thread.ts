/** A thread that reads the rows of a Parquet file. */
import { workerData } from 'node:worker_threads';
import { sendToParent } from '../store/own-thread.ts';
import { type ParquetTask, readParquet } from './parquet-rows.ts';

sendToParent(readParquet(workerData as ParquetTask));
