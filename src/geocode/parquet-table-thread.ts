/** A thread that reads a Parquet file from memory. */
import { workerData } from 'node:worker_threads';
import { sendToParent } from '../own-thread.ts';
import { parquetTable } from './parquet-table.ts';

sendToParent(parquetTable(workerData as ArrayBuffer));
