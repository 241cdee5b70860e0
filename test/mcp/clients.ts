/** Clients of two versions of the protocol, and how they reach the tools. */
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeCurrent } from '../../src/build/versions.ts';
import { type Manifest, readManifest } from '../../src/store/manifest.ts';
import { type TestService, testService } from '../support/service.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const root = join(import.meta.dirname, '../..');

/** The endpoint that each tool answers from, in the order of their list. */
export const endpointOfTool = {
  find_place: 'search',
  geocode_address: 'address',
  reverse_geocode: 'reverse',
  places_near: 'nearby',
  cities_of_country: 'cities',
  points_of_interest: 'pois',
  find_street: 'streets',
  postal_code: 'postal',
  check_city: 'validate',
  time_at: 'timezone',
  sun_times: 'sun',
  distance_between: 'distance',
  about_country: 'country',
  list_countries: 'countriesAll',
  list_regions: 'admin',
  where_is_ip: 'ip',
} as const;
export const tools = Object.keys(endpointOfTool) as (keyof typeof endpointOfTool)[];

export type Layers = Manifest['layers'];

/** Connects a client, and returns the layers of its questions. */
export async function overStdio(t: TestContext, client: Client): Promise<Layers> {
  const data = temporaryDirectory(t);
  mkdirSync(join(data, 'small-1'));
  await buildSmallDataset(join(data, 'small-1'));
  await makeCurrent(data, 'small-1');
  const args = [join(root, 'src/main.ts'), '--data-directory', data, 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
  t.after(() => client.close());
  return readManifest(join(data, 'small-1')).layers;
}

export async function overHttp(t: TestContext, client: Client, headers?: Record<string, string>): Promise<TestService> {
  const service = await testService(t);
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const requestInit = { headers: headers ?? { 'X-API-Key': service.key } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  t.after(() => client.close());
  return service;
}

export const eras = { 'of 2025': {}, 'of 2026': { versionNegotiation: { mode: 'auto' } } } as const;
export const protocolEras = { 'of 2025': 'legacy', 'of 2026': 'modern' } as const;
export const newClient = (era: keyof typeof eras = 'of 2025') => new Client({ name: 'test', version: '1' }, eras[era]);
