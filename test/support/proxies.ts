/** Proxies with their files of `deploy/`, before services on other ports than the files name. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './served.ts';

const deploy = join(import.meta.dirname, '../../deploy');
// Debian keeps nginx where only root's PATH leads.
const nginx = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);
const caddy = ['caddy'].find((name) => spawnSync(name, ['version']).status === 0);

/** Why what needs a proxy is skipped where there is none; false where there is one. */
export const noProxy: Record<string, string | false> = {
  nginx: nginx === undefined && 'needs nginx: install nginx-light',
  caddy: caddy === undefined && 'needs Caddy: install caddy',
};

/** Writes a proxy's settings into a directory; returns what starts it. */
const settings: Record<string, (directory: string, port: number, services: readonly number[]) => string[]> = {
  nginx(directory, port, services) {
    let next = 0;
    const site = readFileSync(join(deploy, 'nginx.conf'), 'utf8')
      .replace(/server 127\.0\.0\.1:8080/g, () => `server 127.0.0.1:${services[next++ % services.length]}`)
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('/var/log/nginx/error.log', `${directory}/nginx.log`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ');
    const file = join(directory, 'nginx.conf');
    writeFileSync(
      file,
      `worker_processes 1; daemon off; pid ${directory}/nginx.pid; error_log ${directory}/nginx.log;
       events { worker_connections 2048; } http { access_log off; keepalive_requests 1000000; ${paths} ${site} }`,
    );
    return [nginx!, '-p', directory, '-c', file, '-e', `${directory}/nginx.log`];
  },
  caddy(directory, port, services) {
    const site = readFileSync(join(deploy, 'Caddyfile'), 'utf8')
      .replace('127.0.0.1:8080', services.map((service) => `127.0.0.1:${service}`).join(' '))
      .replace('\n:80 {', `\nhttp://:${port} {\n\tbind 127.0.0.1`)
      // As where HTTP/2 is turned on, without TLS.
      .replace('\tprotocols h1', '\tprotocols h1 h2c')
      .replace('{', '{\n\tadmin off\n\tauto_https off\n')
      .replace('\tlog {', `\tlog {\n\t\toutput file ${directory}/caddy.log\n`);
    const file = join(directory, 'Caddyfile');
    writeFileSync(file, site);
    return [caddy!, 'run', '--config', file, '--adapter', 'caddyfile'];
  },
};

/** Starts `nginx` or `caddy` with its files in `directory`; the places of its file are filled with the services' ports in turn. */
export async function startProxy(
  name: string,
  directory: string,
  services: readonly number[],
): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const [binary, ...args] = settings[name](directory, port, services);
  const child = spawn(binary, args, {
    stdio: ['ignore', 'inherit', name === 'caddy' ? 'ignore' : 'inherit'],
    // Where Caddy keeps what it serves.
    env: { ...process.env, HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: directory },
  });
  const url = `http://127.0.0.1:${port}`;
  const isThere = () =>
    fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(`${name} answers`, () => child.exitCode !== null || isThere());
  if (child.exitCode !== null) throw new Error(`${name} ended; see ${directory}/${name}.log`);
  return { child, url };
}
