/** A process that reads the rows of a Parquet file. */
import { sendFromProcess } from '../store/own-process.ts';
import { readParquet } from './parquet-rows.ts';

sendFromProcess(readParquet);
