/** Pulls a published dataset once in a process of its own: pull.ts <address> <data directory>. */
import { pullOnce } from '../../src/publish/pull.ts';

const [dataset, dataDirectory] = process.argv.slice(2);
const never = { datasetEverySeconds: 60, keepVersions: 3 };
console.log(await pullOnce({ dataset, dataDirectory, ...never }));
