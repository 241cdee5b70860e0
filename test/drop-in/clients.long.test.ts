/**
 * The drop-in interfaces used by clients of other projects, unchanged except for the base address. They are installed
 * by `npm ci` in `clients/`, and `pip install --target clients/python geopy geocoder`.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { desktop, noBrowser, type Portal, startPortal } from '../support/browser.ts';
import { type TestService, testService } from '../support/service.ts';

const clients = join(import.meta.dirname, 'clients');
const modules = join(clients, 'node_modules');
const python = join(clients, 'python');
const noClients = existsSync(modules) ? false : 'needs npm ci in test/drop-in/clients';
const noGeopy = existsSync(join(python, 'geopy'))
  ? false
  : 'needs pip install --target test/drop-in/clients/python geopy geocoder';
const requireClient = createRequire(join(clients, 'package.json'));
const run = promisify(execFile);

/** The base address of everything, with the key in its path. */
async function listen(service: TestService): Promise<string> {
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}/key/${service.key}`;
}

suite('clients that run in Node', { skip: noClients }, () => {
  let service: TestService;
  let base: string;
  before(async () => {
    service = await testService(undefined);
    base = await listen(service);
  });
  after(() => service?.close());

  test('node-geocoder finds a place and what is at its position', async () => {
    const geocoder = requireClient('node-geocoder')({ provider: 'openstreetmap', osmServer: `${base}/nominatim` });
    const [found] = await geocoder.geocode('Berlin');
    assert.equal(found.countryCode, 'DE');
    assert.equal(found.city, 'Berlin');
    const [there] = await geocoder.reverse({ lat: found.latitude, lon: found.longitude });
    assert.equal(there.city, 'Berlin');
  });

  test('nominatim-geocoder searches and looks up a position', async () => {
    const Nominatim = requireClient('nominatim-geocoder');
    const geocoder = new Nominatim({ customUrl: `${base}/nominatim`, delay: 0 });
    const [found] = await geocoder.search({ q: 'Berlin' });
    assert.match(found.display_name, /^Berlin.*Germany$/);
    const there = await geocoder.reverse({ lat: found.lat, lon: found.lon });
    assert.match(there.display_name, /Berlin/);
  });
});

suite('clients that run in Python', { skip: noGeopy }, () => {
  test('geopy asks Nominatim, Photon and Pelias, geocoder asks Nominatim', async (t) => {
    const service = await testService(t);
    const [scheme, address] = (await listen(service)).split('://');
    const program = `
import json, sys
sys.path.insert(0, ${JSON.stringify(python)})
from geopy.geocoders import Nominatim, Photon, Pelias
options = {"scheme": "${scheme}", "user_agent": "test", "timeout": 120}
answers = []
for make, path in ((Nominatim, "nominatim"), (Photon, "photon"), (Pelias, "pelias")):
    geocoder = make(domain="${address}/" + path, **options)
    found = geocoder.geocode("Berlin")
    there = geocoder.reverse((found.latitude, found.longitude))
    answers.append([found.address, found.latitude, found.longitude, there.address])
structured = Nominatim(domain="${address}/nominatim", **options).geocode({"city": "Berlin", "country": "Germany"})
answers.append([structured.address, structured.latitude, structured.longitude, structured.address])
import geocoder
other = geocoder.osm("Berlin", url="${scheme}://${address}/nominatim/search", timeout=120)
answers.append([other.address, other.lat, other.lng, other.city])
print(json.dumps(answers))`;
    const { stdout } = await run('python3', ['-c', program]);
    const answers: [string, number, number, string][] = JSON.parse(stdout);
    assert.equal(answers.length, 5);
    for (const [found, lat, lng, there] of answers) {
      assert.match(found, /Berlin/);
      assert.match(there, /Berlin/);
      assert.ok(Math.abs(lat - 52.5) < 0.2 && Math.abs(lng - 13.4) < 0.2);
    }
  });
});

suite('clients that run in a browser', { skip: noBrowser || noClients }, () => {
  let portal: Portal;
  let site: Server;
  let origin: string;
  let base: string;
  let html = '';
  before(async () => {
    portal = await startPortal();
    base = `${portal.base}/key/${portal.key}`;
    const types: Record<string, string> = { js: 'text/javascript', mjs: 'text/javascript', css: 'text/css' };
    site = createServer((request, response) => {
      const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
      if (path === '/') {
        response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html);
        return;
      }
      const file = join(modules, path);
      if (!existsSync(file)) response.writeHead(404).end();
      else response.setHeader('Content-Type', types[path.split('.').at(-1)!] ?? 'text/plain').end(readFileSync(file));
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  after(async () => {
    site?.close();
    await portal?.close();
  });

  async function open(head: string) {
    html = `<!doctype html><html lang="en"><title>A map</title>${head}<div id="map" style="height: 300px"></div>`;
    const { page, close } = await portal.visit('/status', { viewport: desktop });
    await page.goto(origin);
    return { page, close };
  }

  test('leaflet-control-geocoder asks Nominatim, Photon and Pelias', async () => {
    const { page, close } = await open(`
      <script src="/leaflet/dist/leaflet.js"></script>
      <script src="/leaflet-control-geocoder/dist/Control.Geocoder.js"></script>`);
    const found = await page.evaluate<Record<string, { name: string; lat: number; there: string }>>(`(async () => {
      const geocoders = L.Control.Geocoder;
      const all = {
        nominatim: new geocoders.Nominatim({ serviceUrl: '${base}/nominatim/' }),
        photon: new geocoders.Photon({ serviceUrl: '${base}/photon/api/', reverseUrl: '${base}/photon/reverse/' }),
        pelias: new geocoders.Pelias({ serviceUrl: '${base}/pelias/v1' }),
      };
      const answers = {};
      for (const [name, geocoder] of Object.entries(all)) {
        const [first] = await geocoder.geocode('Berlin');
        const [there] = await geocoder.reverse(first.center, 256 * 2 ** 10);
        answers[name] = { name: first.name, lat: first.center.lat, there: there.name };
      }
      return answers;
    })()`);
    for (const [name, answer] of Object.entries(found)) {
      assert.match(answer.name, /Berlin/, name);
      assert.match(answer.there, /Berlin/, name);
      assert.ok(Math.abs(answer.lat - 52.5) < 0.2, name);
    }
    await close();
  });

  test('leaflet-geosearch asks Nominatim and Pelias', async () => {
    const { page, close } = await open(`
      <script src="/leaflet/dist/leaflet.js"></script>
      <script src="/leaflet-geosearch/dist/geosearch.umd.js"></script>`);
    const [found, suggested] = await page.evaluate<
      { x: number; y: number; label: string; bounds: number[][] }[]
    >(`(async () => {
      const nominatim = new GeoSearch.OpenStreetMapProvider({ searchUrl: '${base}/nominatim/search' });
      const pelias = new GeoSearch.PeliasProvider({ host: '${base}/pelias' });
      return [(await nominatim.search({ query: 'Berlin' }))[0], (await pelias.search({ query: 'Berl' }))[0]];
    })()`);
    assert.match(found.label, /^Berlin.*Germany$/);
    const [[south, west], [north, east]] = found.bounds;
    assert.ok(south < found.y && found.y < north && west < found.x && found.x < east);
    assert.match(suggested.label, /^Berlin/);
    await close();
  });

  test('ol-geocoder lists what Nominatim finds', async () => {
    const { page, close } = await open(`
      <link rel="stylesheet" href="/ol-geocoder/dist/ol-geocoder.css">
      <script src="/ol/dist/ol.js"></script>
      <script src="/ol-geocoder/dist/ol-geocoder.js"></script>`);
    await page.evaluate(`{
      const map = new ol.Map({ target: 'map', view: new ol.View({ center: [0, 0], zoom: 2 }) });
      map.addControl(new Geocoder('nominatim', { provider: 'osm', url: '${base}/nominatim/search', key: '', lang: 'en' }));
    }`);
    await page.locator('.gcd-gl-btn, #gcd-button-control').first().click();
    const field = page.locator('#gcd-input-query, .gcd-gl-input').first();
    await field.fill('Berlin');
    await field.press('Enter');
    await page.locator('.gcd-gl-result li, ul.gcd-txt-result li').first().waitFor();
    assert.match((await page.locator('.gcd-gl-result, ul.gcd-txt-result').first().textContent()) ?? '', /Berlin/);
    await close();
  });

  test("maplibre-gl-geocoder works with the geocoding function of MapLibre's own example", async () => {
    const { page, close } = await open(`
      <script type="importmap">{ "imports": { "events": "/events/events.js" } }</script>
      <script src="/@maplibre/maplibre-gl-geocoder/dist/maplibre-gl-geocoder.js"></script>
      <div id="box"></div>`);
    const found = await page.evaluate<{ place: string; centre: number[] }>(`(async () => {
      const api = {
        async forwardGeocode({ query }) {
          const response = await fetch('${base}/nominatim/search?q=' + query + '&format=geojson&polygon_geojson=1&addressdetails=1');
          const { features } = await response.json();
          return {
            features: features.map(({ bbox, properties }) => {
              const center = [bbox[0] + (bbox[2] - bbox[0]) / 2, bbox[1] + (bbox[3] - bbox[1]) / 2];
              const geometry = { type: 'Point', coordinates: center };
              const name = properties.display_name;
              return { type: 'Feature', geometry, place_name: name, properties, text: name, place_type: ['place'], center };
            }),
          };
        },
      };
      const geocoder = new MaplibreGeocoder(api, { maplibregl: undefined, marker: false, flyTo: false, showResultsWhileTyping: false });
      geocoder.addTo('#box');
      const answered = new Promise((resolve) => geocoder.on('results', resolve));
      geocoder.query('Berlin');
      const { features } = await answered;
      return { place: features[0].place_name, centre: features[0].center };
    })()`);
    assert.match(found.place, /^Berlin.*Germany$/);
    assert.ok(Math.abs(found.centre[1] - 52.5) < 0.2);
    await close();
  });
});
