/**
 * Fetches the change files that an extract of OpenStreetMap lacks, from a server with the layout of osmosis, Geofabrik and
 * planet.openstreetmap.org (wiki.openstreetmap.org/wiki/Planet.osm/diffs): `state.txt` names the newest, and
 * `000/004/123.osc.gz` is number 4123.
 */
import { join } from 'node:path';
import { Failure } from '../errors.ts';
import { download } from './download.ts';
import { readList, under } from './extracts.ts';

/** Maximum number of changes, daily ones of two years; beyond it a new extract is faster to download and read. */
const maxChanges = 750;

/** `sequence` is the number of the newest change; `timestamp` is ISO 8601, the state of the data with it. */
type ReplicationState = { sequence: number; timestamp: string | undefined };

type ChangesWanted = {
  /** Address of the folder with `state.txt`. */
  baseUrl: string;
  /** Number of the last change that the extract has. */
  sequence: number;
  /** Number of the last change that is known already: where it is the newest, no file is fetched. */
  known: number;
  /** Where the change files are kept; those that are there already are not fetched again. */
  directory: string;
};

/**
 * The change files after an extract's own state, oldest first, and the state that they lead to; no file where the extract is
 * the newest. Throws Failure where the server has no such changes, or too many to be of use.
 */
export async function fetchChanges({ baseUrl, sequence, known, directory }: ChangesWanted): Promise<{
  files: string[];
  state: ReplicationState;
}> {
  const state = await readState(baseUrl);
  if (state.sequence < known) {
    throw new Failure(
      `${under(baseUrl, 'state.txt')} is at change ${state.sequence}, the data at ${known}; are they of the same publisher and region?`,
    );
  }
  const count = state.sequence - sequence;
  if (count > maxChanges) {
    throw new Failure(`the extract lacks ${count} changes of ${baseUrl}; download the extract again`);
  }
  const files: string[] = [];
  if (state.sequence === known) return { files, state };
  for (let number = sequence + 1; number <= state.sequence; number++) {
    const path = changePath(number);
    files.push(await download(under(baseUrl, path), join(directory, path.replaceAll('/', '-'))));
  }
  return { files, state };
}

/** The newest change that a server has. Throws Failure where it has none. */
async function readState(baseUrl: string): Promise<ReplicationState> {
  const url = under(baseUrl, 'state.txt');
  const text = await readList(url);
  const sequence = /^sequenceNumber=(\d{1,9})\s*$/m.exec(text)?.[1];
  if (sequence === undefined) {
    throw new Failure(`${url} has no line sequenceNumber=…, expected the state.txt of OpenStreetMap changes`);
  }
  // Colons are escaped as in Java's properties.
  const timestamp = /^timestamp=(\d{4}-\d\d-\d\dT\d\d\\?:\d\d\\?:\d\dZ)\s*$/m.exec(text)?.[1].replaceAll('\\', '');
  return { sequence: Number(sequence), timestamp };
}

/** Path of a change under the base address: `000/004/123.osc.gz`. */
function changePath(sequence: number): string {
  const [, first, second, third] = /(\d{3})(\d{3})(\d{3})$/.exec(String(sequence).padStart(9, '0'))!;
  return `${first}/${second}/${third}.osc.gz`;
}
