/** Machines with a network of their own, as Linux has them: namespaces whose cables can be pulled. Needs root. */
import { spawnSync } from 'node:child_process';

const ip = (...args: string[]) => spawnSync('ip', args, { encoding: 'utf8' });

function mustIp(...args: string[]): void {
  const { status, stderr, error } = ip(...args);
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${error?.message ?? stderr}`);
}

function findReason(): string | false {
  const name = `wt${process.pid}`;
  const isAllowed = ip('netns', 'add', name).status === 0;
  ip('netns', 'del', name);
  return !isAllowed && 'needs network namespaces: Linux, iproute2 and root';
}

/** Why there are none; false where there are. */
export const noCables = findReason();

export type Cable = {
  /** Address of the machine at its end. */
  host: string;
  /** Runs a command on that machine: put before its words. */
  words: string[];
  /** Nothing that is sent either way arrives, and neither side is notified. */
  pull(): void;
  plug(): void;
  /** The same between this machine and the others alone: the one that runs the test still reaches all. */
  part(): void;
  join(): void;
};

/** Machines that reach each other and this one; `remove` takes their network away once nothing runs on them. */
export function cables(count: number): { cables: Cable[]; remove(): void } {
  const bridge = `wb${process.pid}`;
  const net = `10.${100 + (process.pid % 100)}.${(process.pid >> 7) % 250}`;
  const machines = Array.from({ length: count }, (_, at) => ({ name: `${bridge}n${at}`, plug: `${bridge}v${at}` }));
  mustIp('link', 'add', bridge, 'type', 'bridge');
  mustIp('addr', 'add', `${net}.1/24`, 'dev', bridge);
  mustIp('link', 'set', bridge, 'up');
  for (const [at, { name, plug }] of machines.entries()) {
    mustIp('netns', 'add', name);
    mustIp('link', 'add', plug, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    mustIp('link', 'set', plug, 'master', bridge, 'up');
    mustIp('-n', name, 'addr', 'add', `${net}.${at + 2}/24`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) mustIp('-n', name, 'link', 'set', device, 'up');
  }
  const hosts = machines.map((_, at) => `${net}.${at + 2}`);
  /** Sends what two machines have for each other to a third one, which is not there, or to them again. */
  const between = (at: number, act: 'replace' | 'del') => {
    const nowhere = act === 'replace' ? ['lladdr', '02:00:00:00:00:01', 'nud', 'permanent'] : [];
    for (const other of machines.keys()) {
      if (other === at) continue;
      for (const [from, to] of [
        [at, other],
        [other, at],
      ])
        mustIp('-n', machines[from].name, 'neigh', act, hosts[to], 'dev', 'eth0', ...nowhere);
    }
  };
  return {
    cables: machines.map(({ name, plug }, at) => ({
      host: hosts[at],
      words: ['ip', 'netns', 'exec', name],
      pull: () => mustIp('link', 'set', plug, 'down'),
      plug: () => mustIp('link', 'set', plug, 'up'),
      part: () => between(at, 'replace'),
      join: () => between(at, 'del'),
    })),
    remove() {
      for (const { name } of machines) ip('netns', 'del', name);
      ip('link', 'del', bridge);
    },
  };
}
