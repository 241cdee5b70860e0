/** What to say of a server that does not answer, and what its operator can do. */
import type { EngineFault } from '../../../src/keys/engine.ts';

const start = 'start the server, or correct its address in the setting "keys"';
const remedies: readonly [reason: RegExp, remedy: string][] = [
  [/WRONGPASS|NOAUTH|without any password configured/, 'correct the user and password in the setting "keys"'],
  [/NOPERM/, 'grant the user the rights that docs/operations.md lists (ACL SETUSER)'],
  [/DENIED/, 'set a password for the server, or end its protected mode'],
  [
    /certificate|altname|Hostname\/IP/i,
    'have the certificate trusted with NODE_EXTRA_CA_CERTS, and name the host that it is for',
  ],
  [/wrong version number|EPROTO|packet length/i, 'use rediss:// for a server with TLS and redis:// for one without'],
  [/OOM|MISCONF|disk/, 'make room on the server; its own log has the details'],
  [/READONLY/, 'name the primary server in the setting "keys", not a replica'],
  [/replicas confirmed/, 'bring the replicas back, or lower the setting "keyReplicas"'],
  [/cluster support disabled/, 'name one server in the setting "keys", or several that form a cluster'],
];

/** What is wrong with the server at `url`, whose passwords are left out. Undefined for an error that is a bug of this program. */
export function faultOf(url: string, error: unknown): EngineFault | undefined {
  const reason = reasonOf(error);
  if (reason === undefined) return undefined;
  const endpoint = url.split(',').map(withoutLogin).join(',');
  const remedy = remedies.find(([pattern]) => pattern.test(reason))?.[1] ?? start;
  return { endpoint, reason, remedy };
}

function withoutLogin(address: string): string {
  const { protocol, host } = new URL(address.trim());
  return `${protocol}//${host}`;
}

/** An error of the system has a code, which its text may lack; those of a name with several addresses are together. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) {
    const reasons = error.errors.map(reasonOf);
    return reasons.includes(undefined) ? undefined : [...new Set(reasons)].join('; ');
  }
  const { code, message, name } = error as NodeJS.ErrnoException;
  if (code !== undefined)
    return message.includes(code) || /certificate/i.test(message) ? message : `${message} (${code})`;
  return /^(Type|Range|Reference|Syntax)Error$/.test(name) ? undefined : message;
}
