/** The baseline: a plain server of node:http that answers everything with one constant JSON object of typical size. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = JSON.stringify({
  id: 2950159,
  name: 'Berlin',
  country: 'DE',
  admin1: 'Land Berlin',
  lat: 52.52437,
  lng: 13.41053,
  timezone: 'Europe/Berlin',
  population: 3426354,
  type: 'city',
  distance_km: 1.234,
  query_ms: 0,
});

const server = createServer((_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port, key: '' })),
);
