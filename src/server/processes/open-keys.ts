import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { systemFault, systemReason, UsageError } from '../../errors.ts';
import { loadExtension } from '../../extensions.ts';
import type { KeyEngine } from '../../keys/engine.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from '../../keys/key-store.ts';
import { openKeys } from '../../keys/sqlite/sqlite-keys.ts';
import { currentVersion } from '../../store/manifest.ts';

/** What the extension for servers of keys exports. An engine is returned at once, and waits for its server by itself. */
type KeysExtension = {
  openKeyEngine(address: string, options: { replicas: number }): Promise<KeyEngine>;
};

/**
 * Opens the keys where a configuration keeps them. `isAlone`: this process is the only one of this machine that spends
 * from the quotas. Throws UsageError when the database cannot be opened, or would be the first file of a directory that
 * is not a data directory; a server that does not answer is waited for in the background.
 */
export async function openKeysOf(
  config: Pick<Config, 'keys' | 'keysPath' | 'keyReplicas' | 'dataDirectory' | 'plans' | 'whenKeysAway'>,
  options: Pick<KeyStoreOptions, 'onChange' | 'onReached'> & {
    isAlone?: boolean;
    /** Id of a process of this machine that spent from them and has ended; what it held is free again, in a database. */
    ended?: number | undefined;
    /** Whether a dataset of this directory is open, though it may not be whole yet. */
    hasDataset?: boolean;
  } = {},
): Promise<KeyStore> {
  const { plans, keysPath, dataDirectory } = config;
  if (config.keys === '') {
    if (!options.hasDataset && !existsSync(keysPath) && currentVersion(dataDirectory) === undefined) {
      throw new UsageError(
        `${dataDirectory} is not a data directory: it has neither keys nor a dataset; choose the service's directory with ` +
          '--data-directory, or build a dataset first with "whereabouts build"',
      );
    }
    try {
      return openKeys(keysPath, { plans, ...options });
    } catch (error) {
      if (systemFault(error) === undefined) throw error;
      throw new UsageError(
        `the keys cannot be opened (${keysPath}): ${systemReason(error)}; make the data directory writable for this user, or ` +
          'keep keys on a server (--keys redis://…)',
      );
    }
  }
  const { keys, whenKeysAway: whenUnavailable, keyReplicas: replicas } = config;
  const { openKeyEngine } = await loadExtension<KeysExtension>('valkey', 'a server of keys');
  return createKeyStore(await openKeyEngine(keys, { replicas }), { plans, whenUnavailable, ...options });
}

/** What the log says of a key server that does not answer: where it is, the reason, and the remedy. */
type KeyServerFault = { endpoint: string; reason: string; remedy: string };

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

/**
 * The facts for one line of the log. Undefined for an error that is a bug of this program, which is to be logged whole.
 * `url` is the setting `keys`; its passwords are left out.
 */
export function keyServerFault(url: string, error: unknown): KeyServerFault | undefined {
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
