/** Common mistakes at the command line: one line each, with the remedy, and never a stack trace. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { addDataset, makeCurrent } from '../support/served.ts';

const program = join(import.meta.dirname, '../../src/main.ts');
const nobody = 65_534;
const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
/** Root's own folders, in which a checkout may lie, are closed to others. */
const skipAsNobody =
  spawnSync(process.execPath, [program, '--version'], asNobody).status !== 0 &&
  'the checkout is in a folder that other users cannot read';

type RunOptions = { data: string; environment?: NodeJS.ProcessEnv; isNobody?: boolean; codes?: readonly number[] };

/** Runs the program, which has to refuse in one line; returns the line. */
function refusal(args: readonly string[], { data, environment = {}, isNobody = false, codes = [1, 2] }: RunOptions) {
  const { stderr, status, signal } = spawnSync(process.execPath, [program, '--data-directory', data, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    timeout: 180_000,
    // Permissions do not apply to root.
    ...(isNobody ? asNobody : {}),
  });
  assert.equal(signal, null, 'it hangs');
  assert.ok(codes.includes(status!), `${args.join(' ')}: exit code ${status}: ${stderr}`);
  // These two say before what they do.
  assert.match(
    stderr,
    ['build', 'publish'].includes(args[0]) ? /^(?: .*\n)*whereabouts: [^\n]+\n$/ : /^whereabouts: [^\n]+\n$/,
  );
  return stderr;
}

suite('mistakes', () => {
  let data: string;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'whereabouts-mistakes-'));
    data = join(folder, 'data');
    mkdirSync(data);
    await addDataset(data, 'one');
    makeCurrent(data, 'one');
  });
  after(() => rmSync(folder, { recursive: true }));

  test('a variable that is not a setting, with a suggestion; those that Kubernetes sets are accepted', () => {
    const refused = (environment: NodeJS.ProcessEnv) => refusal(['config', 'check'], { data, environment });
    assert.match(refused({ WHEREABOUTS_PRT: 'abc' }), /no variable WHEREABOUTS_PRT; did you mean WHEREABOUTS_PORT\?/);
    assert.match(
      refused({ WHEREABOUTS_COLOUR: 'red' }),
      /no variable WHEREABOUTS_COLOUR \(expected one of WHEREABOUTS_CONFIG,/,
    );
    assert.match(refused({ WHEREABOUTS_PORT: 'tcp://10.0.0.1:80' }), /enableServiceLinks: false/);
    const links = { WHEREABOUTS_SERVICE_HOST: '10.0.0.1', WHEREABOUTS_PORT_80_TCP_ADDR: '10.0.0.1' };
    const { status } = spawnSync(process.execPath, [program, 'config', 'check'], { env: { ...process.env, ...links } });
    assert.equal(status, 0);
  });

  test('an address that can hold no datasets, whatever is here already', () => {
    const environment = { WHEREABOUTS_DATASET: 'ftp://example.org/x' };
    assert.match(refusal(['serve', '--port', '0'], { data, environment }), /ftp:.* cannot hold datasets; expected s3:/);
  });

  test('a pull that finds nothing fails, but with --or-keep where a dataset is here', () => {
    const empty = join(folder, 'nothing');
    mkdirSync(empty);
    assert.match(refusal(['pull', empty], { data }), /nothing is published at .*nothing;/);
    assert.match(refusal(['pull', '--or-keep', empty], { data: join(folder, 'none') }), /nothing is published/);
    const args = [program, '--data-directory', data, 'pull', '--or-keep', empty];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [0, `one is the current dataset of ${data}\n`], stderr);
    assert.match(stderr, /nothing is published at .*; the local dataset is kept\n$/);
  });

  test('settings as Windows writes them, with a byte order mark, are no mistake', () => {
    const file = join(folder, 'windows.json');
    writeFileSync(file, '\ufeff{"port":8081}\r\n');
    const { status, stderr } = spawnSync(process.execPath, [program, '--config', file, 'config', 'check']);
    assert.equal(status, 0, String(stderr));
  });

  test('a registry that does not answer is named, with what npm says of it', () => {
    const registry = 'http://127.0.0.1:9';
    const npm = { registry, cache: join(folder, 'npm'), fetch_retries: '0' };
    const environment = Object.fromEntries(Object.entries(npm).map(([name, value]) => [`npm_config_${name}`, value]));
    const line = refusal(['build', '--layer', 'zones'], { data: join(folder, 'offline'), environment });
    assert.match(line, /could not download .*request to http:\/\/127\.0\.0\.1:9\/.*ECONNREFUSED.*Check the network/);
  });

  test('a layer whose needs neither the build nor a dataset has', () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    assert.match(
      refusal(['build', '--layer', 'world,addresses'], { data: empty }),
      /the layer streets needs boundaries, which neither .* add --layer boundaries/,
    );
  });

  test('an origin that no browser sends, by the rule of PATCH /account/key', () => {
    for (const origin of ['shop.example.org', '*', 'http://x/y'])
      assert.match(
        refusal(['keys', 'create', '--origin', origin], { data }),
        /whereabouts: ".*" is not an origin, expected/,
      );
  });

  test('a source that does not exist or is of no known kind', () => {
    assert.match(refusal(['sources', 'add', '/typo.pbf'], { data, codes: [2] }), /there is no file \/typo\.pbf/);
    const notes = join(folder, 'README.md');
    writeFileSync(notes, '# Notes\n');
    refusal(['sources', 'add', notes], { data });
    assert.ok(!existsSync(join(data, 'sources.json')));
  });

  test('a name that the list of sources cannot have', () => {
    const file = join(folder, 'places.csv');
    writeFileSync(file, 'id,name,lat,lng\n1,A,1,1\n');
    for (const name of ['My Source', '../x', 'a--b', 'x'.repeat(61)])
      assert.match(refusal(['sources', 'add', file, '--name', name], { data }), /sources\.json: .*name/);
    assert.ok(!existsSync(join(data, 'sources.json')));
  });

  test('a listed source that is gone does not hide how it is removed from the list', () => {
    writeFileSync(join(data, 'sources.json'), JSON.stringify({ sources: [{ name: 'gone', from: '/gone.pbf' }] }));
    assert.match(refusal(['build'], { data }), /no file \/gone\.pbf.*whereabouts sources remove gone/);
    rmSync(join(data, 'sources.json'));
  });

  test('an endpoint may be named as it is listed', () => {
    assert.match(refusal(['query', 'country/{code}', 'XX'], { data, codes: [1] }), /XX/);
  });

  test('a setting spelt wrong in the file, or by the name of the prototype', () => {
    const config = join(folder, 'settings.json');
    const refused = (settings: string) => {
      writeFileSync(config, settings);
      return refusal(['config', 'check', '--config', config], { data, codes: [2] });
    };
    assert.match(refused('{ "loglevel": "info" }'), /no setting loglevel; did you mean logLevel\?/);
    assert.match(refused('{ "__proto__": { "port": 1 } }'), /no setting __proto__/);
    const plan = { callsPerDay: 1e300, callsPerSecond: 1, burst: 1, batchSize: 1 };
    assert.match(refused(JSON.stringify({ plans: { most: plan } })), /callsPerDay .*must be <= 9007199254740991/);
  });

  test('a parameter that the endpoint does not have', () => {
    assert.match(
      refusal(['query', 'nearby', 'lat=1', 'lng=2', 'limi=3'], { data, codes: [2] }),
      /no parameter limi; did you mean limit\?/,
    );
    assert.match(refusal(['query', 'ip', 'colour=red'], { data }), /no parameter colour \(expected one of ip/);
  });

  test('bad input of a query has one exit code; so has a region that is no country, before anything is fetched', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [program, '--data-directory', data, ...args], { encoding: 'utf8' });
    for (const args of [['search', 'limi=3'], ['search', 'q='], ['search', 'q=a', 'limit=1000'], ['nothing']]) {
      assert.equal(run('query', ...args).status, 2, args.join(' '));
    }
    const { status, stderr } = run('build', '--region', 'LI,XX');
    assert.deepEqual([status, /--region has XX, which is no country/.test(stderr)], [2, true], stderr);
  });

  test('two values without a name, of which an endpoint takes one', () => {
    assert.match(
      refusal(['query', 'nearby', '47.14', '9.52'], { data }),
      /"47\.14" and "9\.52" have no name, and only one value may have none, which is lat; .* lat=47\.14 lng=9\.52, or/,
    );
    assert.match(refusal(['query', 'search', 'paris', 'texas'], { data }), /put text with spaces in quotes/);
  });

  test('plans in the environment, where they are not read', () => {
    const environment = { WHEREABOUTS_PLANS: '{"free":{"callsPerDay":5}}' };
    assert.match(
      refusal(['config', 'check'], { data, environment }),
      /WHEREABOUTS_PLANS cannot be read: plans are set in the configuration file \(--config, WHEREABOUTS_CONFIG\)/,
    );
  });

  test('publishing to a search cluster whose address is none', () => {
    for (const [address, fault] of [
      ['https://', /the address of the search cluster is no http:\/\/ or https:\/\/ address/],
      ['https://user:pa%ss@127.0.0.1:1/x', /search cluster has a % in its user or password .*; write %25/],
    ] as const)
      assert.match(refusal(['publish', address, '--list'], { data }), fault);
  });

  test('publishing a dataset that does not exist', () => {
    const destination = join(folder, 'published');
    mkdirSync(destination);
    for (const to of [destination, 'http://127.0.0.1:1/streets'])
      assert.match(
        refusal(['publish', to, 'nosuch'], { data }),
        /there is no dataset nosuch in .*data; "whereabouts versions" lists those that it has/,
      );
  });

  test('keys in a directory without a dataset: no database is created', () => {
    const wrong = join(folder, 'wrong');
    mkdirSync(wrong);
    for (const directory of [wrong, join(folder, 'not-there')]) {
      assert.match(
        refusal(['keys', 'create'], { data: directory }),
        /is not a data directory.*--data-directory.*whereabouts build/,
      );
      assert.equal(existsSync(join(directory, 'keys.db')), false);
    }
  });

  test('a file as data directory', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const command of [['status'], ['serve'], ['build'], ['keys', 'list']]) {
      assert.match(
        refusal(command, { data: file }),
        /dataDirectory .* is .*file, which is a file; expected a directory/,
      );
    }
  });

  test('a data directory in the process file system of the kernel', {
    skip: !existsSync('/proc/self') && 'needs /proc',
  }, () => {
    assert.match(refusal(['build'], { data: '/proc/whereabouts/data' }), /cannot be created: .*--data-directory/);
    assert.match(
      refusal(['build'], { data: '/proc' }),
      /cannot build into \/proc: no file can be created.*--data-directory/,
    );
  });

  test('no permission to write: a build, keys, the service', { skip: skipAsNobody }, () => {
    chmodSync(folder, 0o755);
    const isNobody = true;
    assert.match(
      refusal(['build'], { data: join(folder, 'mine', 'data'), isNobody }),
      /cannot be created: permission denied; choose another/,
    );
    chmodSync(data, 0o555);
    try {
      assert.match(refusal(['keys', 'create'], { data, isNobody }), /keys cannot be opened .*writable/);
      assert.match(refusal(['serve', '--port', '0'], { data, isNobody }), /cannot be opened .*writable.*--keys redis/);
      assert.match(refusal(['build'], { data, isNobody }), /cannot build into .*: permission denied; make it writable/);
    } finally {
      chmodSync(data, 0o755);
    }
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const inside = join(closed, 'data');
    assert.match(refusal(['build'], { data: inside, isNobody }), /data cannot be created: permission denied; choose /);
    assert.match(refusal(['versions'], { data: inside, isNobody }), /current cannot be read \(permission denied\); /);
    const unread = refusal(['geocode', join(closed, 'rows.csv')], { data, isNobody });
    assert.match(unread, /rows\.csv cannot be read: permission denied/);
  });

  test('no permission to read the dataset, and a dataset that is not whole', { skip: skipAsNobody }, () => {
    const pack = join(data, 'one', 'ip.pack');
    chmodSync(pack, 0o000);
    try {
      assert.match(
        refusal(['query', 'ip', '8.8.8.8'], { data, isNobody: true }),
        /ip\.pack.*(EACCES|permission denied)/,
      );
    } finally {
      chmodSync(pack, 0o644);
    }
  });

  test('a package that a small installation leaves out', () => {
    const hooks = join(folder, 'hooks.mjs');
    writeFileSync(
      hooks,
      `import { registerHooks } from 'node:module';
      registerHooks({
        resolve(name, context, next) {
          if (!/^(@aws-sdk|@opensearch-project|@redis|hyparquet)/.test(name)) return next(name, context);
          throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
        },
      });`,
    );
    const environment = { NODE_OPTIONS: `--import=${hooks}` };
    const input = join(folder, 'rows.csv');
    const table = join(folder, 'rows.parquet');
    writeFileSync(input, 'q\nberlin\n');
    writeFileSync(table, Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'q', data: ['berlin'] }] })));
    const needs: Record<string, string[]> = {
      '@whereabouts/object-store': ['publish', 's3://bucket'],
      '@whereabouts/opensearch': ['publish', 'https://127.0.0.1:1/streets'],
      '@whereabouts/valkey': ['keys', 'list', '--keys', 'redis://127.0.0.1:1'],
      'hyparquet hyparquet-compressors': ['geocode', table],
      'hyparquet-writer': ['geocode', input, '--endpoint', 'search', '--output', join(folder, 'done.parquet')],
    };
    for (const [packages, command] of Object.entries(needs)) {
      const line = refusal(command, { data, environment });
      assert.ok(line.includes(`run "npm install ${packages}"; in a clone of the repository, "npm ci"`), line);
    }
  });

  test('exit code 2 means that another command line is needed, 1 that something else is at fault', () => {
    const write = (name: string, content: string | Buffer) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const usage = [
      ['keys', 'create', '--plan', 'nosuch'],
      ['keys', 'revoke', '99'],
      ['pull'],
      ['rollback', 'nosuch'],
      ['geocode', '/typo.csv'],
    ];
    for (const args of usage) refusal(args, { data, codes: [2] });
    for (const args of [['build', '--colour'], ['nosuch']])
      assert.equal(spawnSync(process.execPath, [program, ...args]).status, 2, args.join(' '));
    const pbf = write(
      'broken.osm.pbf',
      Buffer.concat([Buffer.from([0, 0, 0, 13, 10, 9]), Buffer.from('OSMHeaderxxxxxxxx')]),
    );
    const rows = (name: string, content: string | Buffer) => ['geocode', write(name, content), '--endpoint', 'search'];
    const damaged = join(folder, 'damaged');
    mkdirSync(join(damaged, 'one'), { recursive: true });
    makeCurrent(damaged, 'one');
    const faults: [string[], string?][] = [
      [['build', '--source', pbf]],
      [['pull', 'http://127.0.0.1:1/']],
      [rows('broken.csv.gz', Buffer.from('\x1f\x8b\x08 broken', 'latin1'))],
      [['query', 'ip', '8.8.8.8'], damaged],
      [['serve', '--port', '0'], damaged],
    ];
    for (const [args, directory = data] of faults) refusal(args, { data: directory, codes: [1] });
  });

  test('publishing to a place that may only be read is one line', { skip: skipAsNobody }, () => {
    const readOnly = join(folder, 'read-only');
    mkdirSync(readOnly);
    chmodSync(folder, 0o755);
    for (const directory of [data, readOnly]) spawnSync('chmod', ['-R', 'a+rX,go-w', directory]);
    const line = refusal(['publish', readOnly], { data, isNobody: true, codes: [1] });
    assert.match(line, /whereabouts: .*read-only.*permission denied/);
  });

  test('geocode: an output folder and a column that do not exist, a quote that is not closed', () => {
    const input = join(folder, 'rows.csv');
    writeFileSync(input, 'q\nberlin\n');
    const ask = ['geocode', input, '--endpoint', 'search', '--output'];
    assert.match(
      refusal([...ask, join(folder, 'none', 'done.csv')], { data }),
      /no folder .*none for --output; create it first/,
    );
    const table = join(folder, 'rows.parquet');
    const columnData = [{ name: 'town', data: Array(30_000).fill('berlin') }];
    writeFileSync(table, Buffer.from(parquetWriteBuffer({ columnData })));
    assert.match(
      refusal(['geocode', table, '--columns', 'q=nosuch'], { data }),
      /no column "nosuch"; the header is "town"/,
    );
    const plain = ['geocode', input, '--endpoint', 'search'];
    assert.match(
      refusal([...plain, '--delimiter', 'abc'], { data }),
      /--delimiter is "abc", expected one character, or tab/,
    );
    assert.match(refusal(['geocode', folder], { data }), /is a folder; expected a table/);
    assert.match(
      refusal([...plain, '--map', join(folder, 'none', 'out.html')], { data }),
      /no folder .*none for --map/,
    );
    assert.match(refusal([...plain, '--map', 'q=town'], { data }), /--map has "q=town".*out\.html.*--columns/);
    assert.match(refusal(['geocode', process.execPath], { data }), /the input is no table: it is binary; expected CSV/);
    writeFileSync(input, 'q\n"berlin\nparis\n');
    assert.match(refusal([...ask, join(folder, 'done.csv')], { data, codes: [1] }), /the input is not CSV: .*fix it/);
  });
});
