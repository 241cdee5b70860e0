import type { Command } from 'commander';
import { type Config, hostAndPort, loadConfig, settings } from '../config.ts';
import { configFor } from './settings.ts';

export function addConfigCommand(program: Command): void {
  const config = program.command('config').description('check and show the settings');
  config
    .command('check')
    .description('read file, environment and options as serve does, and report errors (exit code 2)')
    .action((_options: unknown, command: Command) => {
      const warnings = warningsOf(configFor(command));
      for (const warning of warnings) console.error(`warning: ${warning}`);
      console.log(warnings.length === 0 ? 'The configuration is valid.' : 'The configuration is valid, with warnings.');
    });
  config
    .command('show')
    .description('print the effective settings as JSON, without passwords')
    .option('--changed', 'print only settings that differ from the default')
    .action((options: { changed?: boolean }, command: Command) => {
      const shown = shownSettings(configFor(command));
      const usual: Record<string, unknown> = shownSettings(loadConfig({ environment: {} }));
      const entries = Object.entries(shown).filter(
        ([name, value]) => !options.changed || JSON.stringify(value) !== JSON.stringify(usual[name]),
      );
      console.log(JSON.stringify(Object.fromEntries(entries), null, 2));
    });
}

/** The settings without what follows from them, and without passwords and tokens. */
export function shownSettings(config: Config): Record<string, unknown> {
  const values = config as Readonly<Record<string, unknown>>;
  const shown = (name: string) => (isSecret(name) && values[name] !== '' ? '***' : withoutPassword(values[name]));
  return Object.fromEntries(Object.keys(settings.properties).map((name) => [name, shown(name)]));
}

/** The address of a webhook is as good as its password. */
const isSecret = (name: string) => /(Token|Webhook)$/.test(name);

/** Addresses, of which nodes of a cluster are several with commas between them, have their passwords replaced by stars. */
function withoutPassword(value: unknown): unknown {
  return typeof value === 'string'
    ? value
        .split(/,(?=\s*[a-z]+:\/\/)/i)
        .map(withoutPasswordOf)
        .join(',')
    : value;
}

function withoutPasswordOf(text: string): string {
  const url = URL.parse(text.trim());
  if (!url?.password) return text;
  url.password = '***';
  return url.href;
}

/** Whether the address of a server of keys is one without TLS on another machine. */
function isUnprotected(address: string): boolean {
  const url = URL.parse(address.trim());
  return (
    url !== null && /^(redis|valkey):$/.test(url.protocol) && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)
  );
}

/** What is valid, and still seldom meant. */
export function warningsOf(config: Config): string[] {
  const warnings: string[] = [];
  const isOpen = (host: string) => host === '0.0.0.0' || host === '::';
  if (config.metrics !== '' && isOpen(hostAndPort(config.metrics)!.host)) {
    warnings.push(
      'metrics are readable by everyone who can reach this machine; use an address that only your monitoring can reach',
    );
  }
  if (config.whenKeysAway === 'allow' && config.keys === '') {
    warnings.push('whenKeysAway is "allow", which has no effect without a server in keys');
  }
  if (config.keys.split(',').some(isUnprotected)) {
    warnings.push('the connection to keys has no TLS; use rediss:// unless the network is private');
  }
  if (config.logClientAddresses && !config.logRequests) {
    warnings.push('logClientAddresses is set, but requests are not logged; set logRequests too');
  }
  if (config.signUp === 'open' && isOpen(config.host)) {
    warnings.push('signUp is "open" on every interface: anyone who can reach the service can create keys');
  }
  return warnings;
}
