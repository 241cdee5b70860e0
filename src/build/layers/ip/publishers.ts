/** What the publishers of MMDB files ask of those who show their data, by the file's database type or name. */
import { basename } from 'node:path';
import type { SourceInfo } from '../../../store/store.ts';
import type { MmdbContent } from './read-sources.ts';

type Terms = Pick<SourceInfo, 'licence' | 'attribution' | 'url'>;

const publishers: readonly (readonly [RegExp, Terms])[] = [
  [
    /geolite/i,
    {
      licence: 'GeoLite2 End User License Agreement',
      attribution: 'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com',
      url: 'https://www.maxmind.com',
    },
  ],
  [/geoip/i, { licence: 'commercial', attribution: 'MaxMind GeoIP', url: 'https://www.maxmind.com' }],
  [
    /db-?ip.*lite/i,
    { licence: 'CC-BY-4.0', attribution: 'IP Geolocation by DB-IP (https://db-ip.com)', url: 'https://db-ip.com' },
  ],
  [/db-?ip/i, { licence: 'as agreed with DB-IP', attribution: 'DB-IP', url: 'https://db-ip.com' }],
  [
    /ipinfo/i,
    {
      licence: 'CC-BY-SA-4.0 for IPinfo Lite, else as agreed with IPinfo',
      attribution: 'IP address data powered by IPinfo (https://ipinfo.io)',
      url: 'https://ipinfo.io',
    },
  ],
];

/** A given MMDB file as the manifest lists it; its terms where the publisher is known. */
export function givenSource({ file: { path, databaseType, buildDate, metadata } }: MmdbContent): SourceInfo {
  const name = basename(path).replace(/\.mmdb$/i, '');
  const terms = publishers.find(([pattern]) => pattern.test(databaseType) || pattern.test(name))?.[1];
  const { en } = (metadata.description ?? {}) as Record<string, unknown>;
  return {
    id: name.toLowerCase(),
    title: typeof en === 'string' ? en : databaseType || name,
    version: basename(path),
    vintage: buildDate,
    ...(terms ?? { licence: 'as agreed with its publisher', attribution: databaseType || name, url: '' }),
  };
}
