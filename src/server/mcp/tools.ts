/** The tools of the list, with the schemas of their endpoints' parameters. */
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { endpoints } from '../../endpoints/index.ts';
import { invalidParameter, WhereaboutsError } from '../../errors.ts';
import { publicSchema } from '../../schema.ts';
import table from './tools.json' with { type: 'json' };

type ToolDeclaration = {
  /** The endpoint that answers; a key restricted to endpoints sees the tools of those only. */
  endpoint: keyof typeof endpoints;
  title: string;
  /** When to use the tool, what it returns, and when not to use it. */
  description: string;
  /** Parameters of the endpoint that the tool takes, with what a model must know to fill them in. */
  parameters: Readonly<Record<string, string>>;
};

/** All tools for models: each is one endpoint, described in a model's terms, with the parameters it needs. */
const toolList: Readonly<Record<string, ToolDeclaration>> = table as Record<keyof typeof table, ToolDeclaration>;

type InputSchema = {
  type: 'object';
  properties: Record<string, object>;
  additionalProperties: false;
  required?: string[];
};

/** A tool as `tools/list` shows it. */
export type Tool = ReturnType<typeof toolsOf>[number];

/** Default number of results of a list: each one costs a model attention. */
const resultsByDefault = 5;

/** Every tool whose endpoint is among those given, in the order of the list. */
export const toolsOf = (endpoints: Readonly<Record<string, Endpoint>>) =>
  Object.entries(toolList)
    .filter(([, { endpoint }]) => endpoint in endpoints)
    .map(([name, { endpoint, title, description, parameters }]) => ({
      name,
      title,
      description,
      inputSchema: inputSchemaOf(endpoints[endpoint], parameters),
      annotations: { readOnlyHint: true },
    }));

/** Name of the endpoint that answers a tool; undefined for no tool. */
export const endpointOf = (tool: string): string | undefined => toolList[tool]?.endpoint;

/**
 * Parameters of the endpoint for the arguments of a tool: with a short list where none is requested. Throws `invalid_parameter`
 * for arguments that the tool does not have, as a model would take an answer without them for one with them.
 */
export function parametersOf(tool: string, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { parameters } = toolList[tool];
  const given = Object.entries(args).filter(([, value]) => value !== null);
  for (const [name] of given) {
    if (Object.hasOwn(parameters, name)) continue;
    const takes = Object.keys(parameters).join(', ') || 'none';
    throw invalidParameter(name, `${tool} has no argument ${JSON.stringify(name.slice(0, 60))}; it takes ${takes}`);
  }
  return { ...('limit' in parameters ? { limit: resultsByDefault } : {}), ...Object.fromEntries(given) };
}

/** Returns the answer of an endpoint. Throws WhereaboutsError. */
type Ask = (endpoint: string, parameters: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/**
 * A tool's answer: that of its endpoint, but for an address that the dataset does not have the town of it, as `fallback`.
 * Throws WhereaboutsError.
 */
export function answerOf(tool: string, args: Readonly<Record<string, unknown>>, ask: Ask): Record<string, unknown> {
  const parameters = parametersOf(tool, args);
  const endpoint = endpointOf(tool)!;
  if (endpoint !== 'address') return shortened(ask(endpoint, parameters));
  let answer: Record<string, unknown> = { results: [], count: 0 };
  try {
    answer = ask(endpoint, parameters);
  } catch (error) {
    if (!(error instanceof WhereaboutsError && error.code === 'dataset_missing')) throw error;
  }
  if (answer.count !== 0) return shortened(answer);
  const { q, city, postal_code, country } = parameters;
  const text = [q, city, postal_code].filter(Boolean).join(', ').slice(0, maxText);
  const { results, coverage } = ask('search', { q: text, country, layers: 'place,address', limit: 1 });
  const [town] = results as Record<string, unknown>[];
  if (town?.layer !== 'place') return shortened({ ...answer, coverage });
  const hint = 'The dataset has no such house or street; fallback is its town. find_place has more about towns.';
  return shortened({ ...answer, coverage: answer.coverage ?? coverage, fallback: town, hint });
}

/** Maximum length of a text. */
const maxText = 200;

/** An answer without what is useless to a model: null fields, and the names of data sources. */
function shortened(answer: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(answer, (name, value) => (value === null || name === 'sources' ? undefined : value)),
  );
}

/** The type, values and range of each parameter from the endpoint, with the tool's own words. */
function inputSchemaOf({ parameters }: Endpoint, described: Readonly<Record<string, string>>): InputSchema {
  const schema = publicSchema(parameters.default) as unknown as InputSchema;
  const properties: Record<string, object> = {};
  for (const [name, description] of Object.entries(described)) {
    const { type, enum: values, minimum, maximum } = schema.properties[name] as Record<string, unknown>;
    const isList = name === 'limit';
    properties[name] = {
      type,
      enum: values,
      minimum,
      maximum,
      ...(isList ? { default: resultsByDefault } : {}),
      description,
    };
  }
  // A parameter with a default is optional, although a handler's type says otherwise.
  const required = (schema.required ?? []).filter(
    (name) => name in described && !('default' in schema.properties[name]),
  );
  return { type: 'object', properties, additionalProperties: false, ...(required.length > 0 ? { required } : {}) };
}
