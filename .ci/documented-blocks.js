/**
 * Runs the blocks of code that the documentation shows as somebody would who has installed the packed packages: JavaScript
 * and TypeScript, whose types are checked, and Python against a server that runs; the element in frameworks is rendered.
 *
 *     node documented-blocks.js <address of the server> <key>
 *
 * Runs in a folder in which the packages, react-dom, vue, svelte, esbuild and typescript are installed and `data` is a
 * data directory. PYTHON: an interpreter that has the packed Python package; without it, its blocks are left out.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [address, key] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const packages = readdirSync(join(root, 'packages'))
  .map((name) => `packages/${name}/README.md`)
  .filter((path) => hasFile(join(root, path)));
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...packages,
];
const { resolve } = createRequire(join(process.cwd(), 'package.json'));
const installed = (name) => import(pathToFileURL(resolve(name)).href);

/** Blocks that need more than is here, by a text in them. */
const leftOut = [
  ['maplibregl.Map', 'test/tiles runs it in a browser'],
  ['L.Control', 'test/drop-in runs it in a browser'],
  ['geopy.geocoders', 'test/drop-in runs geopy'],
];

/** What a block of Python takes for granted, by a text in it. */
const takenForGranted = [
  ['in addresses', "addresses = ['1.1.1.1', '8.8.8.8']"],
  [
    '(frame',
    'import pandas\nframe = pandas.DataFrame([{"address": "Berlin", "street": "Main", "number": "1", "city": "Berlin", "cc": "DE"}])',
  ],
  [
    '(df',
    'from pyspark.sql import SparkSession\ndf = SparkSession.builder.master("local[1]").getOrCreate().createDataFrame([{"address": "Berlin", "street": "Main", "city": "Berlin", "cc": "DE"}])',
  ],
  [
    'df.withColumn',
    'from pyspark.sql import SparkSession\nspark = SparkSession.builder.master("local[1]").getOrCreate()\ndf = spark.createDataFrame([{"id": 1, "y": 52.5, "x": 13.4, "address": "Berlin", "cc": "DE"}])\ndf.createOrReplaceTempView("customers")',
  ],
  // Its own second is too short for an answer on a busy machine.
  ['client.geopy', 'from geopy.geocoders import options\noptions.default_timeout = 10'],
  ['(session', 'from pyspark.sql import SparkSession\nsession = SparkSession.builder.master("local[1]").getOrCreate()'],
  [
    'duckdb.',
    `import duckdb\nfrom whereabouts_client import bulk\nduckdb.sql("COPY (SELECT 'Berlin' AS address) TO 'customers.parquet'")`,
  ],
];

const runs = {
  ts(code) {
    writeFileSync('block.mts', code.includes('app.listen') ? `${code}\nawait app.close();` : code);
    const options = [
      '--strict',
      '--noEmit',
      '--ignoreConfig',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--types',
      'node',
    ];
    execFileSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', ...options, '--target', 'es2024', 'block.mts'],
      quiet,
    );
    execFileSync(process.execPath, ['block.mts'], quiet);
  },
  js(code) {
    writeFileSync('block.mjs', code);
    const printed = execFileSync(process.execPath, ['block.mjs'], quiet);
    if (!printed.includes('results')) throw new Error(printed);
  },
  python(code) {
    const { PYTHON } = process.env;
    if (!PYTHON) return 'PYTHON is not set';
    const before = takenForGranted.filter(([text]) => code.includes(text)).map(([, line]) => line);
    writeFileSync('block.py', [...before, code].join('\n'));
    execFileSync(PYTHON, ['block.py'], { ...quiet, env: { ...process.env, PYSPARK_PYTHON: PYTHON } });
  },
  async jsx(code) {
    const [imports, element] = code.split('\n\n');
    const view = `${imports}\nconst [url, key, setPlace] = ['/v1', 'k', () => {}];\nexport const view = (${element.replace(/;\s*$/, '')});`;
    const { transformSync } = await installed('esbuild');
    writeFileSync('block.mjs', transformSync(view, { loader: 'jsx', jsx: 'automatic' }).code);
    const { view: made } = await import(pathToFileURL('block.mjs').href);
    const { renderToString } = (await installed('react-dom/server')).default;
    checkElement(renderToString(made));
  },
  async vue(template) {
    const { createSSRApp } = await installed('vue');
    const { renderToString } = await installed('vue/server-renderer');
    const app = createSSRApp({ template, data: () => ({ url: '/v1', key: 'k', place: null }) });
    app.config.compilerOptions.isCustomElement = (tag) => tag.startsWith('whereabouts-');
    checkElement(await renderToString(app));
  },
  async svelte(code) {
    const { default: compiler } = await installed('svelte/compiler');
    const { warnings } = compiler.compile(
      `<script>let url = '/v1', key = 'k', place = $state(null);</script>\n${code}`,
      {},
    );
    if (warnings.length > 0) throw new Error(warnings.map(({ message }) => message).join('\n'));
  },
};

const quiet = { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' };

function hasFile(path) {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}

function checkElement(html) {
  if (!/^<whereabouts-autocomplete base-url="\/v1" api-key="k"[^>]*><input/.test(html)) throw new Error(html);
}

/** The block with the address, key and folders that are here. */
function adapted(code) {
  return code
    .replaceAll(/https:\/\/(location|maps)\.example\.org|http:\/\/localhost:8080/g, address)
    .replaceAll(/wab_…|<your key>/g, key)
    .replaceAll(/data\/\d{8}T\d{6}Z/g, `data/${readFileSync('data/current', 'utf8').trim()}`)
    .replaceAll('/srv/whereabouts', 'data')
    .replaceAll('port: 8080', 'port: 0');
}

// What a module of the element needs where there is no browser.
globalThis.HTMLElement = class {};
globalThis.customElements = { get: () => undefined, define() {} };
const outcomes = [];
for (const page of pages) {
  for (const [, language, code] of readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms)) {
    if (!(language in runs)) continue;
    const first = code.split('\n').find((line) => line !== '' && !line.startsWith('import'));
    let reason = leftOut.find(([text]) => code.includes(text))?.[1];
    try {
      reason ??= await runs[language](adapted(code));
      outcomes.push(true);
    } catch (error) {
      outcomes.push(false);
      reason = `FAILED\n${error.stdout ?? ''}${error.stderr ?? error.stack}`;
    }
    console.log(`${page} ${language}: ${first} ${reason === undefined ? 'runs' : `— ${reason}`}`);
  }
}
if (outcomes.length < 15) throw new Error(`only ${outcomes.length} blocks were found`);
if (outcomes.includes(false)) process.exitCode = 1;
