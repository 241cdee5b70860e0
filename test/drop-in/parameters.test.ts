/**
 * The table of parameters in docs/drop-in.md: what it calls honoured changes an answer, everything else changes none.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type TestService, testService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await testService(undefined);
});
after(() => service?.close());

/** By project, requests and the parameters that are added to them, one at a time. */
const cases: Record<string, Record<string, readonly string[]>> = {
  Nominatim: {
    '/nominatim/search?': ['q=paris'],
    '/nominatim/search?q=paris': [
      ...['format=xml', 'json_callback=show', 'limit=1', 'addressdetails=1', 'extratags=1', 'namedetails=1'],
      ...['countrycodes=us', 'layer=poi', 'exclude_place_ids=2988507', 'viewbox=-96,33,-95,34'],
      ...['debug=1', 'dedupe=0', 'email=me@example.org', 'entrances=1'],
    ],
    '/nominatim/search?q=paris&viewbox=-96,33,-95,34': ['bounded=1'],
    '/nominatim/search?q=germany': [
      ...['accept-language=de', 'featureType=city'],
      ...['polygon_geojson=1', 'polygon_kml=1', 'polygon_svg=1', 'polygon_text=1'],
    ],
    '/nominatim/search?q=japan&polygon_geojson=1': ['polygon_threshold=0.8'],
    '/nominatim/search?city=berlin': ['amenity=hauptstrasse', 'street=hauptstrasse 3', 'postalcode=10115'],
    '/nominatim/search?city=paris': ['state=texas', 'country=us'],
    '/nominatim/search?city=springfield': ['county=sangamon county'],
    '/nominatim/search?state=texas': ['city=paris'],
    '/nominatim/reverse?lon=13.35': ['lat=52.48'],
    '/nominatim/reverse?lat=52.48': ['lon=13.35'],
    '/nominatim/reverse?lat=52.48&lon=13.35': ['zoom=3'],
    // More than are looked up; osm-objects.test.ts finds some.
    '/nominatim/lookup?': [`osm_ids=${Array.from({ length: 51 }, (_, at) => `N${at + 1}`)}`],
  },
  Photon: {
    '/photon/api?': ['q=paris'],
    '/photon/api?q=paris': [
      ...['limit=1', 'bbox=-100,30,-90,40', 'countrycode=US', 'layer=state', 'dedupe=0'],
      ...['osm_tag=!place:city', 'include=osm.place.town', 'exclude=osm.place.city'],
    ],
    '/photon/api?q=germany': ['lang=de'],
    '/photon/api?q=paris&lon=-95.55': ['lat=33.66'],
    '/photon/api?q=paris&lat=33.66': ['lon=-95.55'],
    '/photon/api?q=paris&lat=33.66&lon=-95.55': ['zoom=3', 'location_bias_scale=1'],
    '/photon/reverse?lat=52.3&lon=13.35': ['radius=1'],
    '/photon/structured?street=hauptstrasse&city=berlin': ['housenumber=3'],
    '/photon/structured?city=berlin': ['street=hauptstrasse', 'postcode=10115'],
    '/photon/structured?city=tokyo': ['district=shibuya'],
    '/photon/structured?city=springfield': ['county=sangamon county'],
    '/photon/structured?city=paris': ['state=texas'],
    '/photon/structured?state=texas': ['city=paris'],
  },
  Pelias: {
    '/pelias/v1/search?': ['text=paris'],
    '/pelias/v1/search?text=paris': [
      ...['size=1', 'layers=region', 'sources=openstreetmap', 'categories=food'],
      ...['boundary.country=US', 'boundary.gid=whosonfirst:region:85688753'],
      'focus.point.lat=33.6&focus.point.lon=-95.5',
      'boundary.circle.lat=33.6&boundary.circle.lon=-95.5&boundary.circle.radius=30',
      'boundary.rect.min_lon=-100&boundary.rect.min_lat=30&boundary.rect.max_lon=-90&boundary.rect.max_lat=40',
    ],
    '/pelias/v1/search?text=germany': ['lang=de'],
    '/pelias/v1/reverse?point.lon=13.35': ['point.lat=52.48'],
    '/pelias/v1/reverse?point.lat=52.48': ['point.lon=13.35'],
    '/pelias/v1/place?': ['ids=whereabouts:locality:2988507'],
    '/pelias/v1/search/structured?locality=berlin': [
      'venue=hauptstrasse',
      'address=hauptstrasse 3',
      'postalcode=10115',
    ],
    '/pelias/v1/search/structured?locality=tokyo': ['neighbourhood=shibuya', 'borough=shibuya'],
    '/pelias/v1/search/structured?locality=springfield': ['county=sangamon county'],
    '/pelias/v1/search/structured?locality=paris': ['region=texas', 'country=us'],
    '/pelias/v1/search/structured?region=texas': ['locality=paris'],
  },
};

/** The name of a parameter in the page's table; several that belong together are `boundary.rect.*`. */
const nameOf = (added: string) => (added.includes('&') ? added.replace(/\.[^.=]+=.*/, '.*') : added.replace(/=.*/, ''));

const page = readFileSync(new URL('../../docs/drop-in.md', import.meta.url), 'utf8');
const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

async function hasEffect(request: string, added: string): Promise<boolean> {
  const [plain, changed] = await Promise.all(
    [request, `${request}&${added}`].map((path) => service.ask(encodeURI(path))),
  );
  // The query itself is repeated by some forms of answers.
  const shown = ({ status, text }: typeof plain) => `${status} ${text.replace(/"query":\{[^}]*\}/, '')}`;
  return shown(plain) !== shown(changed);
}

for (const [project, requests] of Object.entries(cases)) {
  test(`${project}: each parameter has the effect that the table states`, async () => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${project} (`));
    assert.ok(row, `docs/drop-in.md has no row for ${project}`);
    const [, title, honoured, ignored] = row.split('|');
    const [effective, without] = [namesIn(honoured), namesIn(ignored)];
    assert.equal(Number(/\d+ of (\d+)/.exec(title)?.[1]), effective.length + without.length, title);
    assert.equal(Number(/(\d+) of/.exec(title)?.[1]), effective.length, title);
    const rows = Object.entries(requests).flatMap(([request, list]) => list.map((added) => ({ request, added })));
    assert.deepEqual([...effective, ...without].sort(), rows.map(({ added }) => nameOf(added)).sort());
    for (const { request, added } of rows)
      assert.equal(await hasEffect(request, added), effective.includes(nameOf(added)), `effect of ${added}`);
  });
}
