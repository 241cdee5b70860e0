/**
 * A fleet in simulated time: `node scripts/node26.js bench/simulation/run.ts [leases] [hot] [rollout]`. The key store of
 * every node is the real one (src/keys); network, key servers and clock are simulated, in steps of a millisecond.
 */
import { type Outcome, type Scenario, simulate } from './keys.ts';
import { rollOut } from './rollout.ts';

const parts = process.argv.slice(2);
const isWanted = (part: string) => parts.length === 0 || parts.includes(part);
const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 });
const row = (...cells: (string | number)[]) =>
  console.log(`| ${cells.map((cell) => (typeof cell === 'number' ? number(cell) : cell)).join(' | ')} |`);
function head(...cells: string[]): void {
  row(...cells);
  row(...cells.map(() => '---'));
}

const fleet: Scenario = {
  nodes: 1000,
  keys: 1_000_000,
  requestsPerSecond: 10_000,
  seconds: 8,
  shards: 6,
  nodesPerKey: 1000,
  killed: 0,
  changesPerSecond: 0,
};

if (isWanted('leases')) {
  console.log(
    `\n${fleet.nodes} nodes, ${fleet.keys} keys, ${fleet.requestsPerSecond} requests/s, ${fleet.shards} shards\n`,
  );
  head(
    'balanced',
    'messages/s',
    'a request',
    'busiest shard',
    'requests that wait',
    'p99 wait, ms',
    'keys that ran out',
    'refused',
    'early',
    'over',
    'lost',
    'not reported',
  );
  const cases: [string, Partial<Scenario>][] = [
    ['at random', {}],
    ['by key, to 3 nodes', { nodesPerKey: 3 }],
    ['by key, to 1 node', { nodesPerKey: 1 }],
    ['by key, to 3, 10 nodes killed', { nodesPerKey: 3, killed: 10 }],
    ['by key, to 3, a key revoked a second', { nodesPerKey: 3, changesPerSecond: 1 }],
  ];
  for (const [name, changed] of cases) {
    const outcome = await simulate({ ...fleet, ...changed });
    const { messages, requests, busiest } = steady(outcome);
    const { waited, p99Ms, dry, refused, refusedEarly, over, lost, unreported } = outcome;
    const part = `${number(100 * waited)}%`;
    row(name, messages, messages / requests, busiest, part, p99Ms, dry, refused, refusedEarly, over, lost, unreported);
  }
}

if (isWanted('hot')) {
  console.log(
    '\nOne key on 1,000 nodes, 10,000 requests/s, at the end of its quota; 10 nodes are killed in second 2\n',
  );
  head('second', 'requests', 'granted', 'messages', 'longest wait for the shard, ms');
  const outcome = await simulate({ ...fleet, keys: 1, shards: 1, seconds: 8, killed: 10 });
  for (const [second, { requests, granted, messages, waitMs }] of outcome.seconds.entries()) {
    row(second + 1, requests, granted, messages, waitMs);
  }
  const { over, refusedEarly, lost, unreported } = outcome;
  console.log(`\nover the quota: ${over}; refused while others held calls: ${number(refusedEarly)}`);
  console.log(`with 10 nodes killed: ${number(lost)} calls lost, ${number(unreported)} not reported`);
}

if (isWanted('rollout')) {
  console.log('\nA version to 1,000 nodes, seconds after its publishing\n');
  head('version', 'first', 'half', '99%', 'last', 'nodes that fetch at once', 'looks/s');
  const usual = { nodes: 1000, changedMb: 300, storeMbPerSecond: 1250, nodeMbPerSecond: 100, verifySeconds: 2 };
  const cases = [
    ['300 MB, 10 Gbit/s', { ...usual, brokenPart: 0 }],
    ['the same, one pull in ten breaks off', { ...usual, brokenPart: 0.1 }],
    ['300 MB, 1 Gbit/s', { ...usual, storeMbPerSecond: 125, brokenPart: 0 }],
    ['20 MB, 1 Gbit/s', { ...usual, changedMb: 20, storeMbPerSecond: 125, brokenPart: 0 }],
    ['back to the one before', { ...usual, changedMb: 0, brokenPart: 0 }],
  ] as const;
  for (const [name, options] of cases) {
    const { first, half, p99, last, fetching, looks } = await rollOut(options);
    row(name, first, half, p99, last, fetching, looks);
  }
}

/** The mean of the last seconds, when most keys have been seen. */
function steady({ seconds }: Outcome): { messages: number; requests: number; busiest: number } {
  const last = seconds.slice(-Math.ceil(seconds.length / 3));
  const mean = (of: (second: (typeof last)[number]) => number) =>
    last.reduce((sum, one) => sum + of(one), 0) / last.length;
  return { messages: mean((s) => s.messages), requests: mean((s) => s.requests), busiest: mean((s) => s.busiest) };
}
