/** The attribution that publishers of MMDB files require, by the file's database type or name. */
import { basename } from 'node:path';
import type { SourceInfo } from '../../../store/manifest-format.ts';
import type { MmdbContent } from './read-sources.ts';

type Terms = Pick<SourceInfo, 'licence' | 'attribution' | 'url'>;

// Texts as the publishers require them; docs/sources.md says where each was read.
const publishers: readonly (readonly [RegExp, Terms])[] = [
  [
    /geolite/i,
    {
      licence: 'GeoLite End User License Agreement: CC-BY-SA-4.0 with conditions, old versions to be destroyed',
      attribution: 'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com.',
      url: 'https://www.maxmind.com/en/geolite2/eula',
    },
  ],
  [/geoip/i, { licence: 'as agreed with MaxMind', attribution: 'MaxMind GeoIP', url: 'https://www.maxmind.com' }],
  [
    /db-?ip.*lite/i,
    { licence: 'CC-BY-4.0', attribution: 'IP Geolocation by DB-IP (https://db-ip.com)', url: 'https://db-ip.com' },
  ],
  [/db-?ip/i, { licence: 'as agreed with DB-IP', attribution: 'DB-IP', url: 'https://db-ip.com' }],
  [
    // `IP2LITE-City` is the database type that IP2Location's own converter writes for its free data.
    /ip2location[-_ ]?lite|ip2lite/i,
    {
      licence: 'CC-BY-SA-4.0',
      attribution: 'This site or product includes IP2Location LITE data available from https://lite.ip2location.com.',
      url: 'https://lite.ip2location.com',
    },
  ],
  [
    /ip2location|ip2proxy/i,
    { licence: 'as agreed with IP2Location', attribution: 'IP2Location', url: 'https://www.ip2location.com' },
  ],
  [
    /ipinfo.*lite/i,
    {
      licence: 'CC-BY-SA-4.0',
      attribution: 'IP address data powered by IPinfo (https://ipinfo.io)',
      url: 'https://ipinfo.io/lite',
    },
  ],
  [/ipinfo/i, { licence: 'as agreed with IPinfo', attribution: 'IPinfo', url: 'https://ipinfo.io' }],
  [/iptoasn/i, { licence: 'PDDL-1.0', attribution: 'IPtoASN (https://iptoasn.com)', url: 'https://iptoasn.com' }],
];

/** A user's MMDB file as the manifest lists it; with its terms where the publisher is known. */
export function userSource({ file: { path, databaseType, buildDate, metadata } }: MmdbContent): SourceInfo {
  const name = basename(path).replace(/\.mmdb(\.gz)?$/i, '');
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
