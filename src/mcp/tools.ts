/** The endpoints as tools of the Model Context Protocol. */
import type { Endpoint } from '../endpoints/endpoint.ts';
import { publicSchema } from '../endpoints/public-schema.ts';

type ObjectSchema = { type: 'object'; properties: Record<string, object>; required?: string[] };

/** A tool as `tools/list` tells it. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: { readOnlyHint: true; destructiveHint: false; idempotentHint: true; openWorldHint: false };
};

/** One tool an endpoint, named as the list of endpoints names it, with the parameters and answer of profile `default`. */
export function toolsOf(endpoints: Readonly<Record<string, Endpoint>>): Tool[] {
  return Object.entries(endpoints).map(([name, { summary, description, parameters, response }]) => ({
    name,
    title: summary,
    description,
    inputSchema: withoutNeedOfDefaults(publicSchema(parameters.default) as unknown as ObjectSchema),
    outputSchema: withoutQueryMs(publicSchema(response.default) as unknown as ObjectSchema),
    // Answers come from a dataset that nothing here can change, and that knows nothing of the world outside it.
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }));
}

/** A parameter with a default need not be given, whatever the type that a handler gets says. */
function withoutNeedOfDefaults(schema: ObjectSchema): ObjectSchema {
  const required = (schema.required ?? []).filter((name) => !('default' in schema.properties[name]));
  return { type: 'object', properties: schema.properties, ...(required.length > 0 ? { required } : {}) };
}

function withoutQueryMs({ properties, required = [] }: ObjectSchema): ObjectSchema {
  const { query_ms: _, ...fields } = properties;
  return { type: 'object', properties: fields, required: required.filter((name) => name !== 'query_ms') };
}
