/** The attribution that publishers of MMDB files require, by the file's database type or name. */
import { basename } from 'node:path';
import type { SourceInfo } from '../../../store/manifest-format.ts';
// Texts as the publishers require them; docs/sources.md says where each was read. The first that matches counts.
import publishers from './publishers.json' with { type: 'json' };
import type { MmdbContent } from './read-sources.ts';

/** A user's MMDB file as the manifest lists it; with its terms where the publisher is known. */
export function userSource({ file: { path, databaseType, buildDate, metadata } }: MmdbContent): SourceInfo {
  const name = basename(path).replace(/\.mmdb(\.gz)?$/i, '');
  const known = publishers.find(({ pattern }) => new RegExp(pattern, 'i').test(`${databaseType}\n${name}`));
  const { licence = 'as agreed with its publisher', attribution = databaseType || name, url = '' } = known ?? {};
  const { en } = (metadata.description ?? {}) as Record<string, unknown>;
  return {
    id: name.toLowerCase(),
    title: typeof en === 'string' ? en : databaseType || name,
    version: basename(path),
    vintage: buildDate,
    licence,
    attribution,
    url,
  };
}
