/** nginx with deploy/nginx.conf, before services on other ports than the file names. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './served.ts';

// Debian keeps it where only root's PATH leads.
const binary = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);

/** Why what needs nginx is skipped where there is none; false where there is one. */
export const noNginx = binary === undefined && 'needs nginx: install nginx-light';

/** Starts nginx with its files in `directory`; the places of the file are filled with the services' ports in turn. */
export async function startNginx(
  directory: string,
  services: readonly number[],
): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  let next = 0;
  const site = readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
    .replace(/server 127\.0\.0\.1:8080/g, () => `server 127.0.0.1:${services[next++ % services.length]}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ');
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    `worker_processes 1; daemon off; pid ${directory}/nginx.pid; error_log ${directory}/nginx.log;
     events { worker_connections 2048; } http { access_log off; keepalive_requests 1000000; ${paths} ${site} }`,
  );
  const child = spawn(binary!, ['-p', directory, '-c', file, '-e', `${directory}/nginx.log`], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  const isThere = () =>
    fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('nginx answers', () => child.exitCode !== null || isThere());
  if (child.exitCode !== null) throw new Error(`nginx ended: ${readFileSync(`${directory}/nginx.log`, 'utf8')}`);
  return { child, url };
}
