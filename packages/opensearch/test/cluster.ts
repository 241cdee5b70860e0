/** Starts a cluster of one node (acceptance/search-cluster.test.ts compares three) and runs a command with its address in STREET_ENGINE: cluster.ts command … */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { noOpenSearch, searchCluster } from './support/opensearch.ts';

if (noOpenSearch) {
  console.log(`skipped: ${noOpenSearch}`);
  process.exit(0);
}
const [command, ...args] = process.argv.slice(2);
const cluster = await searchCluster(1);
const env = { ...process.env, STREET_ENGINE: cluster.url };
const [code] = await once(spawn(command, args, { stdio: 'inherit', env }), 'exit');
await cluster.close();
process.exitCode = code ?? 1;
