/**
 * The service for applications of one's own, as the package's entry `whereabouts/server`: a plugin of Fastify, and what it
 * is made of.
 */

export { openDataset as openStore } from '../api/open.ts';
export { defaultPlans } from '../keys/key-record.ts';
export { openKeys } from '../keys/sqlite/sqlite-keys.ts';
export { type AppOptions, createApp, whereabouts } from './app.ts';
export { type FaceName, faceNames } from './faces/index.ts';
