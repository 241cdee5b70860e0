/** The protocol's server; the only file that names its SDK, loaded when the protocol is first spoken. */
import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { WhereaboutsError } from '../../errors.ts';
import type { Tool } from './tools.ts';

export { createMcpHandler } from '@modelcontextprotocol/server';
export { serveStdio } from '@modelcontextprotocol/server/stdio';

type McpOptions = {
  /** Version of the program. */
  version: string;
  tools: readonly Tool[];
  /** Called before the tools are listed. Throws WhereaboutsError where they are not to be. */
  beforeList?(): Promise<void>;
  /** Returns a tool's answer. Throws WhereaboutsError for what is reported to its caller; anything else is a bug. */
  call(name: string, parameters: Record<string, unknown>): object | Promise<object>;
  onBug(error: unknown): void;
};

const instructions =
  'Location facts from open data: places, addresses, postal codes, countries, regions, time zones, sun times, IP ' +
  'addresses. Coordinates are WGS84 degrees (lat, lng), distances km, country codes ISO 3166-1 alpha-2. A field that ' +
  'is unknown is left out. An empty list means that nothing was found, unless coverage says that the dataset has no data ' +
  'there. Errors say what was expected.';

/** Code of an error of ours in the protocol, of those that JSON-RPC 2.0 leaves to servers. */
const refused = -32_000;

/** Makes a server for one connection, or one request where there is no connection. */
export function createMcpServer({ version, tools, beforeList, call, onBug }: McpOptions): Server {
  const server = new Server(
    { name: 'whereabouts', title: 'Whereabouts', version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', async () => {
    try {
      await beforeList?.();
    } catch (error) {
      if (!(error instanceof WhereaboutsError)) onBug(error);
      throw new ProtocolError(refused, error instanceof WhereaboutsError ? error.message : '', problemOf(error));
    }
    return { tools: tools as unknown as ListToolsResult['tools'] };
  });
  server.setRequestHandler('tools/call', async ({ params }): Promise<CallToolResult> => {
    if (!tools.some(({ name }) => name === params.name)) {
      const names = tools.map(({ name }) => name).join(', ');
      const got = JSON.stringify(params.name.slice(0, 60));
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${got}; expected one of ${names}`);
    }
    try {
      const answer = await call(params.name, params.arguments ?? {});
      return {
        content: [{ type: 'text', text: JSON.stringify(answer) }],
        structuredContent: answer as Record<string, unknown>,
      };
    } catch (error) {
      if (!(error instanceof WhereaboutsError)) onBug(error);
      return { content: [{ type: 'text', text: JSON.stringify(problemOf(error)) }], isError: true };
    }
  });
  return server;
}

/** An error as its caller gets it, with the API's codes. */
function problemOf(error: unknown): object {
  if (!(error instanceof WhereaboutsError)) return { code: 'internal', status: 500, detail: 'internal error' };
  const { code, status, message, errors, retryAfterSeconds } = error;
  return { code, status, detail: message.toWellFormed(), errors, retry_after: retryAfterSeconds };
}
