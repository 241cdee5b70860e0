/** Programs that tests run as people would. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

/** What a program writes; a service in this process goes on answering meanwhile. */
export const run = async (command: string, args: string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { timeout: 180_000 })).stdout;

/** What curl without its progress writes for a line of a shell. */
const runCurl = (line: string): Promise<string> => run('sh', ['-c', line.replace('curl', 'curl -s')]);

/** Runs the code behind the tabs of a page, whose key has to be shown; without Python where there is none. */
export async function runTabs(page: Page, id: string): Promise<string[]> {
  const codeOf = async (language: string) => {
    await page.getByRole('tab', { name: language }).click();
    return (await page.locator(`#${id}-text`).textContent()) ?? '';
  };
  const written = [
    await runCurl(await codeOf('curl')),
    await run(process.execPath, ['--input-type=module', '-e', await codeOf('JavaScript')]),
  ];
  const python = await codeOf('Python');
  const hasPython = await run('python3', ['--version']).catch(() => '');
  return hasPython ? [...written, await run('python3', ['-c', python])] : written;
}
