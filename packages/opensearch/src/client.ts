/** The official client of each node, for an address as the configuration has it. */
import { Client } from '@opensearch-project/opensearch';
import { UsageError } from '../../../src/errors.ts';

const defaultName = 'whereabouts';
/** Maximum number of connections to a node. */
const maxSockets = 64;

/**
 * A client of each node of an address, the name of the alias in it, and the address without user and password:
 * `https://user:password@host:9200/name`. Several nodes are separated by commas; user, password and name may stand at any of them. Throws UsageError when it is wrong.
 */
export async function openClients(address: string): Promise<{ clients: Client[]; name: string; endpoint: string }> {
  const nodes = address.split(',').map((part) => new URL(part.trim()));
  const { pathname, searchParams } = nodes.find((node) => node.pathname !== '/') ?? nodes[0];
  const { username, password } = nodes.find((node) => node.username !== '') ?? nodes[0];
  const name = pathname.slice(1) || defaultName;
  if (!/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new UsageError(
      `the name ${JSON.stringify(name)} in the address of the search cluster is not a valid index name`,
    );
  }
  const region = searchParams.get('aws-region');
  const options = {
    ...(region === null ? {} : await awsSigner(region, searchParams.get('aws-service') ?? 'es')),
    ...(username === ''
      ? {}
      : { auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }),
    agent: { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, scheduling: 'fifo' } as never,
    maxRetries: 0,
  };
  const origins = nodes.map(({ origin }) => origin);
  const clients = origins.map((node) => new Client({ ...options, node }));
  return { clients, name, endpoint: origins.map((origin) => `${origin}/${name}`).join() };
}

/** Signs requests to Amazon's service with the credentials of the usual variables, files and roles. */
async function awsSigner(region: string, service: string): Promise<object> {
  const { AwsSigv4Signer } = await import('@opensearch-project/opensearch/aws-v3');
  return AwsSigv4Signer({ region, service: service as 'es' });
}
