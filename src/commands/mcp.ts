import type { Command } from 'commander';
import { ask, createOperations } from '../api/execute.ts';
import { openDataset } from '../api/open.ts';
import { programVersion } from '../config.ts';
import { endpoints } from '../endpoints/index.ts';
import { answerOf, toolsOf } from '../server/mcp/tools.ts';
import { followDataset, servedBy } from '../server/processes/follow-dataset.ts';
import type { StoreHolder } from '../server/service.ts';
import { whenFound } from '../store/store.ts';
import { configFor, currentDataset, streetEngineOf } from './settings.ts';

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('serve tools of the Model Context Protocol on standard input and output, without keys')
    .addHelpText(
      'after',
      '\nA running server (whereabouts serve) has the same tools at /mcp, with its keys and quotas.',
    )
    .action(async (_options: unknown, command: Command) => {
      const config = configFor(command);
      const engine = await streetEngineOf(config);
      const holder: StoreHolder = { current: openDataset(currentDataset(config), { engine }) };
      // Standard output belongs to the protocol.
      const write = (details: object, message: string) => console.error(`whereabouts: ${message}`, details);
      const log = { info: write, error: write };
      const { dataDirectory } = config;
      const follower = followDataset(dataDirectory, log, servedBy(dataDirectory, holder, log, engine));
      void follower.refresh();
      const { createMcpServer, serveStdio } = await import('../server/mcp/server.ts');
      const operations = createOperations(endpoints);
      const call = async (tool: string, args: Record<string, unknown>) => {
        const context = {
          store: holder.current!,
          profile: 'default',
          now: Date.now(),
          clientAddress: undefined,
        } as const;
        return await whenFound(() =>
          answerOf(tool, args, (name, parameters) => ask(operations[name], parameters, context)),
        );
      };
      const tools = toolsOf(endpoints);
      const onBug = (error: unknown) => console.error('whereabouts:', error);
      const server = serveStdio(() => createMcpServer({ version: programVersion, tools, call, onBug }));
      const stop = async () => {
        follower.close();
        await server.close();
        holder.current?.close();
        await engine?.close();
      };
      process.once('SIGINT', stop).once('SIGTERM', stop);
    });
}
