/**
 * What openapi-generator makes of the description in Java and Go compiles, and reads what the service answers and each of the
 * description's examples.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { classPathOf, javaOf } from '../support/java.ts';
import { type TestService, testService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const programs = join(import.meta.dirname, 'generated');
const java = javaOf(17);
const classPath = java && classPathOf(join(programs, 'pom.xml'), join(tmpdir(), 'whereabouts-generated'));
const noGenerator = !classPath && 'needs Java 17 or newer and Maven, and Maven Central';
const noGo = noGenerator || (spawnSync('go', ['version']).status !== 0 && 'needs Go');
const quickStart = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const at = 'at=2026-07-01T12:00:00Z';
/** What the programs ask for. */
const urls = [
  '/v1/search?q=paris&country=FR&limit=2',
  `/v1/timezone?lat=52.52000123456789&lng=13.405&${at}`,
  `/v1/timezone?timezone=Asia/Tokyo&${at}`,
  '/v1/timezone?lat=91.5&lng=0',
];
const apis: readonly string[] = ['Data', 'Jobs', 'Service'];

type Described = { operationId: string; tags: string[]; responses: Record<string, { content?: Content }> };
type Content = Record<string, { example?: object }>;

suite('generated clients', { skip: noGenerator }, () => {
  let service: TestService;
  let description: { paths: Record<string, Record<string, Described>> };
  const examples: Record<string, object> = {};
  before(async () => {
    service = await testService(undefined);
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    description = (await service.ask('/openapi.json', { key: null })).body;
    for (const { operationId, tags = [], responses } of Object.values(description.paths).flatMap(Object.values)) {
      const { example } = (responses?.['200'] ?? responses?.['202'])?.content?.['application/json'] ?? {};
      if (example && apis.includes(tags[0])) examples[operationId] = example;
    }
    assert.ok(Object.keys(examples).length > 20);
  });
  after(() => service?.close());

  /** Generates a client, and returns a function that runs a command in its folder. */
  async function generate(folder: string, ...options: string[]) {
    const run = (command: string, args: readonly string[]) =>
      promisify(execFile)(command, args, { cwd: folder, maxBuffer: 1 << 26 }).then(
        ({ stdout }) => stdout,
        (error: Error & { stdout: string }) => assert.fail(`${error.message}\n${error.stdout}`.slice(0, 5000)),
      );
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(description));
    writeFileSync(join(folder, 'examples.json'), JSON.stringify(examples));
    const only = ['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((name) => `${name}=false`).join();
    const generator = ['org.openapitools.codegen.OpenAPIGenerator', 'generate', '-i', 'openapi.json', '-o', '.'];
    await run(java!, [...quickStart, '-cp', classPath!, ...generator, '--global-property', only, ...options]);
    return run;
  }

  const asked = () => [
    `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}/v1`,
    service.key,
    'examples.json',
  ];

  /** A program writes the service's own answers, and the examples; it may leave nulls and empty lists out, and milliseconds. */
  async function check(output: string): Promise<void> {
    const own = await Promise.all(urls.map(async (url) => (await service.ask(url)).body));
    const plain = (answer: object) =>
      JSON.parse(JSON.stringify(answer).replaceAll('.000Z', 'Z'), (key, value) =>
        value === null || value.length === 0 || key === 'query_ms' || key === 'request_id' ? undefined : value,
      );
    const read = output
      .trim()
      .split('\n')
      .map((line) => plain(JSON.parse(line)));
    assert.deepEqual(read, [...own, examples].map(plain));
  }

  test('Go', { skip: noGo }, async (t) => {
    const folder = temporaryDirectory(t);
    const run = await generate(folder, '-g', 'go');
    mkdirSync(join(folder, 'ask'));
    copyFileSync(join(programs, 'ask.go'), join(folder, 'ask/ask.go'));
    await check(await run('go', ['run', './ask', ...asked()]));
  });

  test('Java', async (t) => {
    const folder = temporaryDirectory(t);
    const run = await generate(folder, '-g', 'java', '--library', 'native');
    const sources = globSync('src/main/java/**/*.java', { cwd: folder });
    const compiler = ['-m', 'jdk.compiler/com.sun.tools.javac.Main', '-proc:none', '-nowarn', '-cp', classPath!];
    await run(java!, [...quickStart, ...compiler, '-d', 'classes', ...sources, join(programs, 'Ask.java')]);
    await check(await run(java!, [...quickStart, '-cp', `classes:${classPath}`, 'Ask', ...asked()]));
  });
});
