/** The faces of the service: each is a plugin of routes. */
import { withFormat } from '../../api/answer-body.ts';
import { createOperation } from '../../api/execute.ts';
import { endpoints } from '../../endpoints/index.ts';
import type { JobService } from '../jobs/runner.ts';
import type { Route } from '../service.ts';
import { accountRoutes } from './account.ts';
import { adminRoutes } from './admin.ts';
import { batchRoute } from './batch.ts';
import { dropInRoutes } from './drop-in.ts';
import { jobRoutes } from './jobs.ts';
import { mcpRoute } from './mcp.ts';
import { describeApi } from './openapi.ts';
import type { BaseMapOptions } from './portal/base-map.ts';
import { openApi } from './portal/keyless.ts';
import { pageRoutes, statusPage } from './portal.ts';
import type { SignUpOptions } from './sign-up.ts';
import { statusRoutes } from './status.ts';
import { tileRoutes, tilesAlsoBelowV1 } from './tiles.ts';
import { endpointRoute, usageEndpoint } from './v1.ts';

export const faceNames = [
  'v1',
  'batch',
  'jobs',
  'account',
  'admin',
  'status',
  'docs',
  'portal',
  'tiles',
  'mcp',
  'nominatim',
  'photon',
  'pelias',
] as const;
export type FaceName = (typeof faceNames)[number];

export type FaceOptions = {
  /** How people may sign up; not at all by default. */
  signUp?: SignUpOptions;
  /** Base map of the explorer, if not the service's own. */
  baseMap?: BaseMapOptions;
  /** Requests a minute that the portal's pages may send from one address without a key; 300 by default, 0 for none. */
  portalRequestsPerMinute?: number;
};

/** The routes of each face. Throws UsageError where an option is wrong. */
export function createFaces(service: JobService, options: FaceOptions): Record<FaceName, readonly Route[]> {
  const { signUp = { mode: 'closed' }, baseMap = { style: '', archive: '', origins: [] } } = options;
  const counted = Object.entries(endpoints).map(([name, endpoint]) => createOperation(name, withFormat(endpoint)));
  const usage = createOperation('usage', usageEndpoint(service), false);
  const data = counted.map((operation) => endpointRoute(service, operation));
  const v1 = [...data, endpointRoute(service, usage)];
  const batch = [batchRoute(service, v1)];
  const jobs = jobRoutes(service);
  const status = statusRoutes(service, statusPage(service));
  const tiles = tileRoutes(service);
  const account = accountRoutes(service, signUp);
  const admin = adminRoutes(service);
  const routes = [...v1, ...batch, ...jobs, ...status, ...tiles, ...account, ...admin];
  const api = describeApi(routes, service.version);
  const pages = pageRoutes(service, api, routes, baseMap);
  return {
    ...{ v1, batch, jobs, account, admin, status },
    docs: pages.docs,
    portal: [...pages.portal, ...openApi(service, data, tiles, options.portalRequestsPerMinute)],
    tiles: tilesAlsoBelowV1(tiles),
    mcp: [mcpRoute(service, counted)],
    nominatim: dropInRoutes(service, 'nominatim', counted),
    photon: dropInRoutes(service, 'photon', counted),
    pelias: dropInRoutes(service, 'pelias', counted),
  };
}
