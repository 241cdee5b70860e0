import type { Command } from 'commander';
import { ask, createOperation } from '../api/execute.ts';
import { openDataset } from '../api/open.ts';
import { endpointNamed, endpointPaths } from '../endpoints/index.ts';
import { didYouMean, UsageError, WhereaboutsError } from '../errors.ts';
import { whenFound } from '../store/store.ts';
import { configFor, currentDataset, streetEngineOf } from './settings.ts';

export function addQueryCommand(program: Command): void {
  program
    .command('query <endpoint> [parameters...]')
    .description('query the current dataset without a server; the answer is JSON')
    .showHelpAfterError('(parameters have the form name=value: limit=3; whereabouts query --help has examples)')
    .addHelpText(
      'after',
      `
Parameters have the form name=value; a value without a name is the endpoint's first parameter.
  whereabouts query search "paris texas"
  whereabouts query nearby lat=47.14 lng=9.52 limit=3
  whereabouts query country DE
Parameters in braces are given the same way, as in "place/{id}" id=2950159, or simply: place 2950159

Endpoints: ${endpointPaths.join(', ')}`,
    )
    .action(async (name: string, words: string[], _options: unknown, command: Command) => {
      const endpoint = endpointNamed(name);
      const config = configFor(command);
      const engine = await streetEngineOf(config);
      const store = openDataset(currentDataset(config), { isLazy: true, engine });
      try {
        const names = Object.keys(endpoint.parameters.default.properties);
        const context = { store, profile: 'default', now: Date.now(), clientAddress: undefined } as const;
        const operation = createOperation(name, endpoint);
        const answer = await whenFound(() => ask(operation, readWords(words, names), context));
        console.log(JSON.stringify(answer, null, 2));
      } catch (error) {
        // Bad input has one exit code, whether the command line or the endpoint refuses it.
        throw error instanceof WhereaboutsError && error.status === 400 ? new UsageError(error.message) : error;
      } finally {
        store.close();
        await engine?.close();
      }
    });
}

/** Parameters by name, of those the endpoint has. Throws UsageError for others: over HTTP they may mean something to a proxy. */
function readWords(words: readonly string[], names: readonly string[]): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  let unnamed: string | undefined;
  for (const word of words) {
    const [, name, value] = /^(?:([a-z0-9_]+)=)?(.*)$/s.exec(word)!;
    const parameter = name ?? names[0];
    if (name === undefined && unnamed !== undefined) {
      throw new UsageError(
        `"${unnamed}" and "${value}" have no name, and only one value may have none, which is ${parameter}; name the ` +
          `others as in ${parameter}=${unnamed} ${names[1] ?? parameter}=${value}, or put text with spaces in quotes`,
      );
    }
    if (name === undefined) unnamed = value;
    if (!names.includes(parameter)) {
      throw new UsageError(`there is no parameter ${parameter}${didYouMean(parameter, names)}`);
    }
    if (parameter in raw) throw new UsageError(`${parameter} was given twice, expected once`);
    raw[parameter] = value;
  }
  return raw;
}
