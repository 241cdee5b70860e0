import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { AppOptions } from '../../src/server/index.ts';
import { type TestService, testService } from './service.ts';

/** A service over the small dataset on a free port of the loopback interface; closed after the test, or by `close`. */
export async function listening(
  t: TestContext | undefined,
  options: Partial<AppOptions> = {},
): Promise<TestService & { port: number }> {
  const service = await testService(t, options);
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  return { ...service, port: (service.app.server.address() as AddressInfo).port };
}
