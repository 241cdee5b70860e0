/**
 * Under which licence each source of an OpenAddresses file stands. OpenAddresses does not relicense: what it knows of a
 * publisher's terms is stored next to each file as `<name>.geojson.meta`, a JSON object with `source_name` and
 * `license` (`url`, `text`, `attribution`, `attribution name`, `share-alike`), in a zip of many as on its own.
 */
import { readFile } from 'node:fs/promises';
import { linesOf, openBytes, zipMembers } from './open-bytes.ts';

export type SourceLicence = {
  /** Such as `us/ca/alameda`. */
  source: string;
  /** Name or address of the licence; `undefined` where OpenAddresses does not know it. */
  licence: string | undefined;
  /** The required attribution; `undefined` if there is none. */
  attribution: string | undefined;
  isShareAlike: boolean;
};

const isMeta = (name: string) => name.endsWith('.meta');

/** A note has some ten lines. */
const maxLines = 10_000;

/** The licences of a file's sources, in the order of the file; empty where it names none. */
export async function openAddressesLicences(path: string): Promise<SourceLicence[]> {
  const members = await zipMembers(path);
  if (!members) {
    const metaText = await readFile(`${path.replace(/\.gz$/, '')}.meta`, 'utf8').catch(() => undefined);
    return metaText === undefined ? [] : licenceOf(metaText);
  }
  if (!members.some(isMeta)) return [];
  const licences: SourceLicence[] = [];
  for await (const file of openBytes(path, { isWanted: isMeta })) {
    const lines: string[] = [];
    for await (const batch of linesOf(file)) {
      lines.push(...batch);
      if (lines.length > maxLines) break;
    }
    licences.push(...licenceOf(lines.join('\n')));
  }
  return licences;
}

type Meta = { source_name?: unknown; license?: unknown };

function licenceOf(text: string): SourceLicence[] {
  let meta: Meta;
  try {
    meta = JSON.parse(text) as Meta;
  } catch {
    // A damaged note says nothing; the addresses themselves are not in it.
    return [];
  }
  const terms =
    meta.license !== null && typeof meta.license === 'object' ? (meta.license as Record<string, unknown>) : {};
  const written = (key: string) => (typeof terms[key] === 'string' && terms[key].trim()) || undefined;
  return [
    {
      source: String(meta.source_name ?? ''),
      licence: written('text') ?? written('url'),
      // Older notes have the name itself under `attribution`.
      attribution: written('attribution name') ?? written('attribution'),
      isShareAlike: terms['share-alike'] === true,
    },
  ];
}
