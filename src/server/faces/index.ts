/** The faces of the service: each is a plugin of routes. */
import { withFormat } from '../../api/answer-body.ts';
import { createOperation } from '../../api/execute.ts';
import { endpoints } from '../../endpoints/index.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Route, Service } from '../service.ts';
import { accountActions } from './account.ts';
import { adminActions } from './admin.ts';
import { batchAction } from './batch.ts';
import { dropInRoutes } from './drop-in.ts';
import { jobActions } from './jobs.ts';
import { mcpRoute } from './mcp.ts';
import { describeApi } from './openapi.ts';
import type { BaseMapOptions } from './portal/base-map.ts';
import { openApi } from './portal/keyless.ts';
import { pageRoutes, statusPage } from './portal.ts';
import type { SignUpOptions } from './sign-up.ts';
import { statusActions } from './status.ts';
import { tileActions, tileRoutes } from './tiles.ts';
import { endpointAction, usageEndpoint } from './v1.ts';

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
export function createFaces(
  service: Service,
  jobRunner: JobRunner | undefined,
  options: FaceOptions,
): Record<FaceName, readonly Route[]> {
  const { signUp = { mode: 'closed' }, baseMap = { style: '', archive: '', origins: [] } } = options;
  const counted = Object.entries(endpoints).map(([name, endpoint]) => createOperation(name, withFormat(endpoint)));
  const usage = createOperation('usage', usageEndpoint(service), false);
  const data = counted.map((operation) => endpointAction(service, operation));
  const v1 = [...data, endpointAction(service, usage)];
  const batch = [batchAction(service, v1)];
  const jobs = jobActions(service, jobRunner);
  const status = statusActions(service, statusPage(service));
  const tiles = tileActions(service);
  const account = accountActions(service, signUp);
  const admin = adminActions(service);
  const actions = [...v1, ...batch, ...jobs, ...status, ...tiles, ...account, ...admin];
  const api = describeApi(actions, service.version);
  const pages = pageRoutes(service, api, actions, baseMap);
  return {
    ...{ v1, batch, jobs, account, admin, status },
    docs: pages.docs,
    portal: [...pages.portal, ...openApi(service, data, tiles, options.portalRequestsPerMinute)],
    tiles: tileRoutes(tiles),
    mcp: [mcpRoute(service, counted)],
    nominatim: dropInRoutes(service, 'nominatim', counted),
    photon: dropInRoutes(service, 'photon', counted),
    pelias: dropInRoutes(service, 'pelias', counted),
  };
}
