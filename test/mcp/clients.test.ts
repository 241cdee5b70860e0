/** The tools as the official SDK's own client sees them, over standard input and output and over HTTP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { endpoints } from '../../src/endpoints/index.ts';
import {
  tools as allTools,
  endpointOfTool,
  eras,
  type Layers,
  newClient,
  overHttp,
  overStdio,
  protocolEras,
} from './clients.ts';

/** Parameters that have an answer, by tool. */
const questions: Record<keyof typeof endpointOfTool, Record<string, unknown>> = {
  find_place: { q: 'paris texas', limit: 2 },
  geocode_address: { q: '10 Downing Street', country: 'GB' },
  reverse_geocode: { lat: 52.5, lng: 13.4 },
  places_near: { lat: 35.69, lng: 139.69, radius: 20 },
  cities_of_country: { country: 'us', min_population: 1000 },
  points_of_interest: { lat: 51.5, lng: -0.13, category: 'restaurant' },
  find_street: { q: 'Downing Street', country: 'GB' },
  postal_code: { code: '75001', country: 'FR' },
  check_city: { city: 'Berlin', country: 'DE', postal_code: '10115' },
  time_at: { lat: 52.5, lng: 13.4, at: '2026-06-15T12:00:00Z' },
  sun_times: { lat: 52.5, lng: 13.4, date: '2026-06-15' },
  distance_between: { from_city: 'Berlin', to_lat: 48.85, to_lng: 2.35 },
  about_country: { code: 'DE' },
  list_countries: {},
  list_regions: { country: 'US', level: 2 },
  where_is_ip: { ip: '2.16.0.1' },
};

async function callEveryTool(client: Client, layers: Layers): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    allTools,
  );
  for (const [at, { title, description, inputSchema, annotations }] of tools.entries()) {
    const name = allTools[at];
    assert.ok(title && description && inputSchema.properties, name);
    assert.equal(annotations?.readOnlyHint, true);
    for (const required of inputSchema.required ?? []) assert.ok(required in questions[name], `${name} ${required}`);
    const result = await client.callTool({ name, arguments: questions[name] });
    const [content] = result.content;
    assert.ok(content.type === 'text');
    const { layers: needed } = endpoints[endpointOfTool[name]];
    if (needed.some((layer) => !layers[layer])) {
      assert.equal(JSON.parse(content.text).code, 'dataset_missing');
      continue;
    }
    assert.ok(!result.isError, `${name}: ${content.text}`);
    assert.deepEqual(JSON.parse(content.text), result.structuredContent);
  }
}

for (const era of Object.keys(eras) as (keyof typeof eras)[]) {
  test(`a client ${era} lists and calls every tool over standard input and output`, async (t) => {
    const client = newClient(era);
    const layers = await overStdio(t, client);
    assert.equal(client.getServerVersion()?.name, 'whereabouts');
    assert.equal(client.getProtocolEra(), protocolEras[era]);
    await callEveryTool(client, layers);
  });

  test(`a client ${era} lists and calls every tool over HTTP, each call for one of the key's`, async (t) => {
    const client = newClient(era);
    const service = await overHttp(t, client);
    const { layers } = service.holder.current!.manifest;
    assert.equal(client.getProtocolEra(), protocolEras[era]);
    await callEveryTool(client, layers);
    const { body } = await service.ask('/v1/usage');
    const answered = allTools.filter((tool) => endpoints[endpointOfTool[tool]].layers.every((layer) => layers[layer]));
    assert.equal(body.used, 1 + answered.length, 'the list and each tool that the dataset has an answer for');
  });
}
