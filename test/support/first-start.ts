/**
 * The first start of a data directory, without the server: first-start.ts <directory>. Has three layers built beside it, and
 * prints when they can be served and when the dataset is whole.
 */
import { buildBesideService } from '../../src/commands/run-build.ts';
import { loadConfig } from '../../src/config.ts';

const config = loadConfig({ environment: {}, overrides: { dataDirectory: process.argv[2] } });
const growing = await buildBesideService(config, {
  layer: ['zones', 'world', 'ip'],
  keepSources: true,
  acceptLoss: true,
});
console.log('serves');
// The build does not keep the process from ending, a service does.
const service = setInterval(() => {}, 1000);
const end = (message: string) => {
  console.log(message);
  clearInterval(service);
};
let message = (await growing?.next()) ?? { built: '' };
while (growing && 'arrived' in message) message = await growing.next();
end('failed' in message ? message.failed : 'whole');
