/** The explorer's base map where an operator has configured another than our own tiles. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { invalidParameter, systemReason, UsageError, WhereaboutsError } from '../../../errors.ts';
import { jsonType } from '../../route.ts';
import { assetAnswer, holdAnswer } from '../../send.ts';
import { Asset, type HttpAnswer, type Route, type Service } from '../../service.ts';
import { escapeHtml } from './files.ts';

export type BaseMapOptions = {
  /** A MapLibre style: its address, or a file of this machine; empty for none. */
  style: string;
  /** A PMTiles archive: its address, or a file of this machine; empty for none. */
  archive: string;
  /** Origins that the style loads from, besides its own, the archive's and those named in a local style. */
  origins: readonly string[];
};

const stylePath = '/map/style.json';
const archivePath = '/map/archive.pmtiles';
/** A directory of an archive or a tile has less; more at once would only cost memory. */
const maxRangeBytes = 2 ** 20;

const isAddress = (text: string) => /^https?:\/\//i.test(text);

/** Reads what is configured. Throws UsageError where a file cannot be read. */
export function readBaseMap(service: Service, { style, archive, origins }: BaseMapOptions) {
  const routes: Route[] = [];
  const loaded = new Set(origins);
  const add = (address: string, text = address) => {
    for (const origin of originsIn(text)) loaded.add(origin);
    return address;
  };
  const addresses: { style?: string; archive?: string } = {};
  if (isAddress(style)) addresses.style = add(style);
  else if (style !== '') {
    const text = readStyle(style);
    const asset = new Asset(jsonType, text);
    routes.push(portalRoute(stylePath, (call) => assetAnswer(call, asset)));
    addresses.style = add(stylePath, text);
  }
  if (isAddress(archive)) addresses.archive = add(archive);
  else if (archive !== '') {
    routes.push(archiveRoute(service, archive));
    addresses.archive = archivePath;
  }
  /** Its configuration for the page, as JSON in an attribute; empty for our own map. */
  const attribute = style || archive ? escapeHtml(JSON.stringify(addresses)) : '';
  /** Origins that the explorer may load from. */
  return { routes, attribute, origins: [...loaded] };
}

const portalRoute = (path: string, handle: Route['handle']): Route => ({ name: 'portal', method: 'GET', path, handle });

/** The origins of the URLs in a text. */
function originsIn(text: string): string[] {
  const addresses = text.match(/https?:\/\/[\w.:[\]-]+/gi) ?? [];
  return addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin);
}

function readStyle(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`mapStyle: ${path} cannot be read: ${systemReason(error)}`);
  }
  try {
    if (JSON.parse(text).version === 8) return text;
  } catch {
    // Said below.
  }
  throw new UsageError(`mapStyle: ${path} is not a MapLibre style, a JSON object with "version": 8`);
}

/** Parts of a local archive, which browsers ask for by `Range`; a file that is replaced is served from the next request on. */
function archiveRoute(service: Service, path: string): Route {
  checkArchive(path);
  return portalRoute(archivePath, async (call) => {
    const { request } = call;
    const [, from, to] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(request.headers.range ?? '') ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (!(last >= first && last - first < maxRangeBytes)) {
      const detail = `the archive is served in ranges of at most 1 MiB: send the header Range, such as "bytes=0-16383"`;
      throw invalidParameter('Range', detail);
    }
    const bytes = last + 1 - first;
    holdAnswer(service, call).add(bytes);
    try {
      await using file = await open(path);
      return await rangeAnswer(file, first, last);
    } catch (err) {
      service.log.error({ err }, 'the map archive cannot be read');
      throw new WhereaboutsError('unavailable', 'the map archive cannot be read at present; try again later');
    }
  });
}

async function rangeAnswer(file: FileHandle, first: number, last: number): Promise<HttpAnswer> {
  const { size, mtimeMs } = await file.stat();
  const tag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`;
  const headers = ['ETag', tag, 'Cache-Control', 'no-cache', 'Accept-Ranges', 'bytes'];
  if (first >= size) {
    return { status: 416, headers: [...headers, 'Content-Range', `bytes */${size}`], body: undefined };
  }
  const { bytesRead, buffer } = await file.read({
    buffer: Buffer.allocUnsafe(Math.min(last + 1, size) - first),
    position: first,
  });
  const range = `bytes ${first}-${first + bytesRead - 1}/${size}`;
  headers.push('Content-Type', 'application/vnd.pmtiles', 'Content-Range', range);
  return { status: 206, headers, body: buffer.subarray(0, bytesRead) };
}

/** Throws UsageError unless a file is an archive of the version that is read. */
function checkArchive(path: string): void {
  const start = Buffer.alloc(8);
  try {
    const file = openSync(path, 'r');
    readSync(file, start);
    closeSync(file);
  } catch (error) {
    throw new UsageError(`mapArchive: ${path} cannot be read: ${systemReason(error)}`);
  }
  if (start.toString('latin1') !== 'PMTiles\x03') {
    throw new UsageError(`mapArchive: ${path} is not a PMTiles archive of version 3`);
  }
}
