/** What a search cluster of one node shows: it is started once for all of these, as its start takes as long as most of them. */
import { after } from 'node:test';
import { engineCases } from './engine-cases.ts';
import { pointCases } from './points-cases.ts';
import { type SearchCluster, searchCluster } from './support/opensearch.ts';
import { upsertCases } from './upsert-cases.ts';
import { upsertCommandCases } from './upsert-command-cases.ts';

let started: Promise<SearchCluster> | undefined;
const oneNode = () => (started ??= searchCluster(1));
after(async () => (await started)?.close());
for (const cases of [engineCases, pointCases, upsertCases, upsertCommandCases]) cases(oneNode);
