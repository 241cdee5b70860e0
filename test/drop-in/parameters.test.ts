/** The table of parameters in docs/drop-in.md: what it calls honoured changes an answer, all else changes none. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type TestService, testService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await testService(undefined);
});
after(() => service?.close());

/** A request, and the same with the parameter. */
type Case = readonly [request: string, added: string];

const nominatimSearch = '/nominatim/search?q=paris';
const germany = '/nominatim/search?q=germany';
const nominatimReverse = '/nominatim/reverse?lat=52.48&lon=13.35';
const texas = 'viewbox=-96,33,-95,34';
const nominatim: Record<string, Case> = {
  q: ['/nominatim/search?', 'q=paris'],
  amenity: ['/nominatim/search?city=berlin', 'amenity=hauptstrasse'],
  street: ['/nominatim/search?city=berlin', 'street=hauptstrasse 3'],
  city: ['/nominatim/search?state=texas', 'city=paris'],
  county: ['/nominatim/search?city=springfield', 'county=sangamon county'],
  state: ['/nominatim/search?city=paris', 'state=texas'],
  country: ['/nominatim/search?city=paris', 'country=us'],
  postalcode: ['/nominatim/search?city=berlin', 'postalcode=10115'],
  format: [nominatimSearch, 'format=xml'],
  json_callback: [nominatimSearch, 'json_callback=show'],
  limit: [nominatimSearch, 'limit=1'],
  addressdetails: [nominatimSearch, 'addressdetails=1'],
  extratags: [nominatimSearch, 'extratags=1'],
  namedetails: [nominatimSearch, 'namedetails=1'],
  'accept-language': [germany, 'accept-language=de'],
  countrycodes: [nominatimSearch, 'countrycodes=us'],
  layer: [nominatimSearch, 'layer=poi'],
  featureType: [germany, 'featureType=city'],
  exclude_place_ids: [nominatimSearch, 'exclude_place_ids=N2988507'],
  viewbox: [nominatimSearch, texas],
  bounded: [`${nominatimSearch}&${texas}`, 'bounded=1'],
  polygon_geojson: [germany, 'polygon_geojson=1'],
  polygon_kml: [germany, 'polygon_kml=1'],
  polygon_svg: [germany, 'polygon_svg=1'],
  polygon_text: [germany, 'polygon_text=1'],
  polygon_threshold: ['/nominatim/search?q=japan&polygon_geojson=1', 'polygon_threshold=0.8'],
  lat: ['/nominatim/reverse?lon=13.35', 'lat=52.48'],
  lon: ['/nominatim/reverse?lat=52.48', 'lon=13.35'],
  zoom: [nominatimReverse, 'zoom=3'],
  osm_ids: ['/nominatim/lookup?', 'osm_ids=N2988507'],
  debug: [nominatimSearch, 'debug=1'],
  dedupe: [nominatimSearch, 'dedupe=0'],
  email: [nominatimSearch, 'email=me@example.org'],
  entrances: [nominatimSearch, 'entrances=1'],
};

const photonSearch = '/photon/api?q=paris';
const near = `${photonSearch}&lat=33.66&lon=-95.55`;
const photon: Record<string, Case> = {
  q: ['/photon/api?', 'q=paris'],
  limit: [photonSearch, 'limit=1'],
  lang: ['/photon/api?q=germany', 'lang=de'],
  lat: [`${photonSearch}&lon=-95.55`, 'lat=33.66'],
  lon: [`${photonSearch}&lat=33.66`, 'lon=-95.55'],
  zoom: [near, 'zoom=3'],
  location_bias_scale: [near, 'location_bias_scale=1'],
  bbox: [photonSearch, 'bbox=-100,30,-90,40'],
  countrycode: [photonSearch, 'countrycode=US'],
  layer: [photonSearch, 'layer=state'],
  osm_tag: [photonSearch, 'osm_tag=!place:city'],
  include: [photonSearch, 'include=osm.place.town'],
  exclude: [photonSearch, 'exclude=osm.place.city'],
  radius: ['/photon/reverse?lat=0&lon=-30', 'radius=1'],
  housenumber: ['/photon/structured?street=hauptstrasse&city=berlin', 'housenumber=3'],
  street: ['/photon/structured?city=berlin', 'street=hauptstrasse'],
  district: ['/photon/structured?city=tokyo', 'district=shibuya'],
  city: ['/photon/structured?state=texas', 'city=paris'],
  postcode: ['/photon/structured?city=berlin', 'postcode=10115'],
  county: ['/photon/structured?city=springfield', 'county=sangamon county'],
  state: ['/photon/structured?city=paris', 'state=texas'],
  dedupe: [photonSearch, 'dedupe=0'],
};

const peliasSearch = '/pelias/v1/search?text=paris';
const circle = 'boundary.circle.lat=33.6&boundary.circle.lon=-95.5';
const rectangle = ['min_lon=-100', 'min_lat=30', 'max_lon=-90', 'max_lat=40'].map((side) => `boundary.rect.${side}`);
const pelias: Record<string, Case> = {
  text: ['/pelias/v1/search?', 'text=paris'],
  size: [peliasSearch, 'size=1'],
  layers: [peliasSearch, 'layers=region'],
  lang: ['/pelias/v1/search?text=germany', 'lang=de'],
  'focus.point.*': [peliasSearch, 'focus.point.lat=33.6&focus.point.lon=-95.5'],
  'boundary.rect.*': [peliasSearch, rectangle.join('&')],
  'boundary.circle.*': [peliasSearch, `${circle}&boundary.circle.radius=30`],
  'boundary.country': [peliasSearch, 'boundary.country=US'],
  'point.lat': ['/pelias/v1/reverse?point.lon=13.35', 'point.lat=52.48'],
  'point.lon': ['/pelias/v1/reverse?point.lat=52.48', 'point.lon=13.35'],
  ids: ['/pelias/v1/place?', 'ids=whereabouts:locality:2988507'],
  venue: ['/pelias/v1/search/structured?locality=berlin', 'venue=hauptstrasse'],
  address: ['/pelias/v1/search/structured?locality=berlin', 'address=hauptstrasse 3'],
  neighbourhood: ['/pelias/v1/search/structured?locality=tokyo', 'neighbourhood=shibuya'],
  borough: ['/pelias/v1/search/structured?locality=tokyo', 'borough=shibuya'],
  locality: ['/pelias/v1/search/structured?region=texas', 'locality=paris'],
  county: ['/pelias/v1/search/structured?locality=springfield', 'county=sangamon county'],
  region: ['/pelias/v1/search/structured?locality=paris', 'region=texas'],
  postalcode: ['/pelias/v1/search/structured?locality=berlin', 'postalcode=10115'],
  country: ['/pelias/v1/search/structured?locality=paris', 'country=us'],
  sources: [peliasSearch, 'sources=openstreetmap'],
  'boundary.gid': [peliasSearch, 'boundary.gid=whosonfirst:region:85688753'],
  categories: [peliasSearch, 'categories=food'],
};

/** Parameters that clients of all versions send, in the order of the table. */
const projects: Record<string, Record<string, Case>> = { Nominatim: nominatim, Photon: photon, Pelias: pelias };

const page = readFileSync(new URL('../../docs/drop-in.md', import.meta.url), 'utf8');
const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

async function hasEffect([request, added]: Case): Promise<boolean> {
  const [plain, changed] = await Promise.all(
    [request, `${request}&${added}`].map((path) => service.ask(encodeURI(path))),
  );
  // The query itself is repeated by some forms of answers.
  const shown = ({ status, text }: typeof plain) => `${status} ${text.replace(/"query":\{[^}]*\}/, '')}`;
  return shown(plain) !== shown(changed);
}

for (const [project, cases] of Object.entries(projects)) {
  test(`${project}: each parameter has the effect that the table states`, async () => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${project} (`));
    assert.ok(row, `docs/drop-in.md has no row for ${project}`);
    const [, title, honoured, ignored] = row.split('|');
    const [effective, without] = [namesIn(honoured), namesIn(ignored)];
    assert.equal(Number(/\d+ of (\d+)/.exec(title)?.[1]), effective.length + without.length, title);
    assert.equal(Number(/(\d+) of/.exec(title)?.[1]), effective.length, title);
    assert.deepEqual([...effective, ...without].sort(), Object.keys(cases).sort());
    const wrong: string[] = [];
    for (const name of effective) if (!(await hasEffect(cases[name]))) wrong.push(`${name} has no effect`);
    for (const name of without) if (await hasEffect(cases[name])) wrong.push(`${name} has an effect`);
    assert.deepEqual(wrong, []);
  });
}
