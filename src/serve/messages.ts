/** What the process that watches and the workers say to each other. */
import type { ProcessReport } from './process-report.ts';

export type ToWorker =
  | { type: 'start'; port: number }
  | { type: 'take-up'; isForced: boolean }
  | { type: 'report'; id: number }
  | { type: 'stop' };

export type FromWorker =
  | { type: 'serving'; address: string; dataset: string | undefined }
  | { type: 'failed'; message: string }
  | { type: 'taken-up' }
  | { type: 'report'; id: number; report: ProcessReport };
