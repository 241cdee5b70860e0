import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { distanceKm, roundKm } from '../../src/core/geo.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, refusal } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

const { address, autocomplete, pois, reverse, search, streets } = endpoints;

type Row = Record<string, unknown>;

describe('/address, /streets and /pois', () => {
  let store: Store;
  let remove: () => void;
  before(async () => ({ store, remove } = await openSmallStore()));
  after(() => remove());

  const rows = (...[endpoint, raw, options]: [Parameters<typeof ask>[0], Row, Parameters<typeof ask>[3]?]) =>
    ask(endpoint, store, raw, options).results as Row[];
  const first = (q: string, more: Row = {}) => {
    const [row] = rows(address, { q, ...more });
    return row ? [row.match_type, row.house_number, row.street, row.city] : undefined;
  };

  describe('/address', () => {
    const found: [q: string, number: string, street: string, city: string][] = [
      ['10 Downing Street', '10', 'Downing Street', 'London'],
      ['Downing St 10', '10', 'Downing Street', 'London'],
      ['downing street 10, London SW1A 2AA', '10', 'Downing Street', 'London'],
      ['Hauptstr. 12 a Berlin', '12a', 'Hauptstraße', 'Berlin'],
      ['12A Haupt Strasse, 10827 Berlin', '12a', 'Hauptstraße', 'Berlin'],
      ['Berlin Hauptstrasse 16', '14-18', 'Hauptstraße', 'Berlin'],
      ['Hauptstr. 1, München', '1', 'Hauptstraße', 'Munich'],
      ['D-10623 Berlin, Straße des 17. Juni 135', '135', 'Straße des 17. Juni', 'Berlin'],
      ['5 bis rue de la Paix 75002 Paris', '5 bis', 'Rue de la Paix', 'Paris'],
      ['5 R. DE LA PAIX, PARIS', '5', 'Rue de la Paix', 'Paris'],
      ['N° 9 rue Paix', '9', 'Rue de la Paix', 'Paris'],
      ['1745 T St SE Washington DC', '1745', 'T Street Southeast', 'Washington'],
      ['1745 T Street Southeast Apt 4', '1745', 'T Street Southeast', 'Washington'],
      ['12 W 42 St, Springfield IL', '12', 'West 42nd Street', 'Springfield'],
      ['45-10 Queens Blvd', '45-10', 'Queens Boulevard', 'Springfield'],
      ['ulitsa Arbat 12 korp 2', '12 к2', 'улица Арбат', 'Berlin'],
      ['ул. Арбат, д. 12 корп. 2, кв. 5', '12 к2', 'улица Арбат', 'Berlin'],
      ['Bullerbü 3', '3', 'Bullerbü', 'Berlin'],
      ['Mannerheimvägen 20', '20', 'Mannerheimvägen', 'Berlin'],
      ['Mannerheimintie 20', '20', 'Mannerheimintie', 'Berlin'],
      ['Hauptsrtaße 3, Berlin', '3', 'Hauptstraße', 'Berlin'],
      ['Hauptstraze 3, Berlni', '3', 'Hauptstraße', 'Berlin'],
    ];
    for (const [q, number, street, city] of found) {
      it(`finds ${q}`, () => assert.deepEqual(first(q), ['exact', number, street, city]));
    }

    it('does not leave out the name of a town to find the street far from there', () => {
      for (const q of ['10 Downing Street, Paris', 'Downing Street 10 Paris', 'Downing Street, 75002 Paris'])
        assert.equal(first(q), undefined, q);
      assert.equal((ask(address, store, { q: '10 Downing Street, Paris' }).coverage as Row).country, 'FR');
      // A word that names no town may be left out, also a name within the street's part.
      assert.deepEqual(first('10 Downing Street, Qwertzu'), ['exact', '10', 'Downing Street', 'London']);
      assert.deepEqual(first('Paris 10 Downing Street, London'), ['exact', '10', 'Downing Street', 'London']);
    });

    it('has less confidence in a street where a word is unmatched, in a search of all layers', () => {
      const confidence = (q: string) => rows(search, { q, layers: 'street,address' })[0]?.confidence;
      const [street, house] = ['Downing Street', '10 Downing Street'].map(confidence) as number[];
      const [half, halfHouse] = ['Qwertzu Downing Street', 'Qwertzu, 10 Downing Street'].map(confidence) as number[];
      assert.ok(house >= 95 && street >= 60 && street < house, `${street} ${house}`);
      assert.ok(half < street && halfHouse < house, `${half} ${halfHouse}`);
      // A number explains little beside an unknown town.
      for (const q of ['Bullerbü 3, Zobelstadt', 'Downing Street 10 Zobelheim'])
        assert.ok((confidence(q) as number) < 80, `${q} ${confidence(q)}`);
    });

    const typedStreets: [q: string, street: string, city: string, least: number][] = [
      ['Bulerbü Berlin', 'Bullerbü', 'Berlin', 75],
      ['Maneerheimintie Berlin', 'Mannerheimintie', 'Berlin', 75],
      ['Quens Boulevard Springfield', 'Queens Boulevard', 'Springfield', 75],
      ['Hauptsrasse Berlin', 'Hauptstraße', 'Berlin', 75],
      ['Hauptstrasse München', 'Hauptstraße', 'Munich', 90],
      ['T Street Washington', 'T Street Southeast', 'Washington', 75],
      // Two words that are context say nothing about the first.
      ['Bullerbü, Berlin, Germany', 'Bullerbü', 'Berlin', 90],
    ];
    for (const [q, street, city, least] of typedStreets)
      it(`is found in a search without a number: ${q}`, () => {
        const [row] = rows(search, { q });
        assert.deepEqual([row.layer, row.name, row.city], ['street', street, city]);
        assert.ok((row.confidence as number) >= least, `${row.confidence}`);
      });

    for (const [q, street, city] of [
      ['Queens Boulevard Spring', 'Queens Boulevard', 'Springfield'],
      ['Rue de la Paix Pari', 'Rue de la Paix', 'Paris'],
      ['Paris Rue de la Pa', 'Rue de la Paix', 'Paris'],
      ['Hauptstraße Mun', 'Hauptstraße', 'Munich'],
      ['Hauptstraße Ber', 'Hauptstraße', 'Berlin'],
    ])
      it(`is suggested with its town while either is being typed: ${q}`, () => {
        const found = rows(autocomplete, { q }).map(({ layer, name, city }) => [layer, name, city]);
        assert.deepEqual(found, [['street', street, city]]);
      });

    it('is sure of a house in its town despite a typo, a unit or a firm, and certain only of what is all explained', () => {
      const confidence = (q: string) => rows(search, { q })[0]?.confidence as number;
      assert.equal(confidence('10 Downing Street, Apt 4, London'), 100);
      // Another kind of street is another street: at least not surely this one.
      assert.ok(confidence('10 Downing Lane, London') < 90, `${confidence('10 Downing Lane, London')}`);
      for (const q of ['10 Downing Stret, London', 'Zwick & Sons Ltd, 10 Downing Street, London']) {
        assert.ok(confidence(q) >= 90 && confidence(q) < 100, `${q} ${confidence(q)}`);
        assert.equal(rows(search, { q })[0].house_number, '10');
      }
    });

    it('answers a search with the town of an address that is missing, and with the coverage of addresses there', () => {
      const town = (q: string) => {
        const { results, coverage } = ask(search, store, { q });
        const [row] = results as Row[];
        const confidence = row?.confidence as number;
        return (
          row && [row.name, row.country, confidence > 10 && confidence <= 30, (coverage as Row | undefined)?.country]
        );
      };
      assert.deepEqual(town('12 Zobelgasse, Berlin'), ['Berlin', 'DE', true, 'DE']);
      const suggested = ask(autocomplete, store, { q: '12 Zobelgasse Berlin' });
      assert.deepEqual(
        [(suggested.results as Row[]).map(({ name }) => name), (suggested.coverage as Row).country],
        [['Berlin'], 'DE'],
      );
      assert.deepEqual(town('12 Rue Zobel 75001 Paris'), ['Paris', 'FR', true, 'FR']);
      assert.deepEqual(town('10 Downing Street, Paris, France'), ['Paris', 'FR', true, 'FR']);
      assert.deepEqual(town('12 Zobelgasse, Zobelviertel, Berlin'), ['Berlin', 'DE', true, 'DE']);
      // The town first, with a comma or before the kind of street.
      for (const q of ['Berlin, Zobelgasse 12', 'Berlin Zobelgasse 12', 'Berlin Platz Zobel 12'])
        assert.deepEqual(town(q), ['Berlin', 'DE', true, 'DE'], q);
      // A small town behind the number, and a large one behind what the dataset lacks.
      assert.deepEqual(town('Zobelgasse 5 Münchberg'), ['Münchberg', 'DE', true, 'DE']);
      assert.deepEqual(town('Springfield Zwickhotel Berlin'), ['Berlin', 'DE', true, 'DE']);
      assert.equal(town('Springfield Zwickhotel Münchberg'), undefined);
      for (const q of ['12 Zobelgasse', 'Zobel, Zobelgasse 12']) assert.equal(town(q), undefined, q);
    });

    it('puts a missing number between its neighbours, or else returns the street', () => {
      const [row] = rows(address, { q: 'Hauptstraße 5', city: 'Berlin' });
      assert.deepEqual([row.match_type, row.house_number], ['interpolated', '5']);
      const [three, seven] = ['3', '7'].map(
        (number) => rows(address, { q: `Hauptstraße ${number}`, city: 'Berlin' })[0],
      );
      assert.ok(Math.abs((row.lat as number) - ((three.lat as number) + (seven.lat as number)) / 2) < 1e-6);
      assert.deepEqual(first('Hauptstraße 900', { city: 'Berlin' }), ['street', null, 'Hauptstraße', 'Berlin']);
      assert.deepEqual(first('Hauptstraße', { city: 'Munich' }), ['street', null, 'Hauptstraße', 'Munich']);
    });

    it('keeps to the requested country, city and postal code', () => {
      assert.equal(rows(address, { q: 'Hauptstraße 1' }).length, 2);
      assert.deepEqual(first('Hauptstraße 1', { postal_code: '81241' }), ['exact', '1', 'Hauptstraße', 'Munich']);
      assert.deepEqual(first('Hauptstraße 1', { city: 'München' }), ['exact', '1', 'Hauptstraße', 'Munich']);
      assert.deepEqual(rows(address, { q: 'Hauptstraße 1', country: 'FR' }), []);
      for (const marks of ['!!', '🙂']) {
        assert.deepEqual(rows(address, { q: 'Hauptstraße 1', city: marks }), []);
        assert.deepEqual(rows(address, { q: 'Hauptstraße 1', postal_code: marks }), []);
        assert.deepEqual(rows(streets, { q: 'Hauptstraße', city: marks }), []);
      }
      const states = rows(address, { q: '12 West 42nd Street', city: 'Springfield' }).map(({ admin1 }) => admin1);
      assert.deepEqual(states.sort(), ['Illinois', 'Missouri']);
    });

    it('has exactly the fields and types of each profile', () => {
      const parameters = { q: '10 Downing Street', country: 'GB' };
      const [a] = rows(address, parameters, { profile: 'a' });
      const [b] = rows(address, parameters, { profile: 'b' });
      assert.equal(typeof a.id, 'number');
      assert.equal(b.id, String(a.id));
      const fields = (profile: 'a' | 'b') =>
        Object.keys(
          (address.response[profile].properties.results as unknown as { items: { properties: object } }).items
            .properties,
        );
      const shared = ['street', 'city', 'admin1', 'postal_code', 'country', 'lat', 'lng'];
      assert.deepEqual(fields('a'), ['id', 'house_number', ...shared]);
      assert.deepEqual(fields('b'), ['id', 'number', ...shared]);
      assert.deepEqual(refusal(address, store, { q: '10 Downing Street' }, { profile: 'a' }).parameters, ['country']);
    });

    it('assigns every answer its own identifier; a smaller limit returns a prefix', () => {
      const all = rows(address, { q: 'Hauptstraße 1', limit: 50 });
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
      assert.deepEqual(rows(address, { q: 'Hauptstraße 1', limit: 1 }), all.slice(0, 1));
    });

    it('says what the dataset has of the country where the house is not there', () => {
      const coverage = (raw: Row) => ask(address, store, raw).coverage;
      assert.equal(coverage({ q: '10 Downing Street' }), null);
      const none = { country: 'JP', addresses: 0, level: 'none' };
      assert.deepEqual(coverage({ q: 'Zobel 7', country: 'JP' }), none);
      assert.deepEqual(coverage({ q: 'Zobel 7, Japan' }), none);
      const berlin = coverage({ q: 'Zobelgasse 7, Berlin' }) as Row;
      assert.deepEqual([berlin.country, berlin.level], ['DE', 'partial']);
      assert.ok((berlin.addresses as number) > 0);
      assert.deepEqual(coverage({ q: 'Hauptstraße 5', city: 'Berlin' }), berlin);
      // Without a country, of all that it has.
      const all = coverage({ q: 'Zobelgasse 7' }) as Row;
      assert.deepEqual([all.country, all.level], [null, 'partial']);
      assert.ok((all.addresses as number) > (berlin.addresses as number));
    });

    it('explains how answers came about, for those who ask', () => {
      const explained = (q: string) => ask(address, store, { q, explain: 'true' });
      assert.equal(ask(address, store, { q: '10 Downing Street' }).explain, undefined);
      const written = explained('10 Downing Street').explain as Row;
      assert.deepEqual((written.interpretations as Row[])[0], { house_number: '10', words: ['downing', 'street'] });
      assert.equal(written.step, 'as_written');
      assert.ok((written.candidates as number) >= 1);
      const [answer] = written.answers as { name: string; contributions: Record<string, number>; score: number }[];
      assert.equal(answer.name, 'Downing Street');
      assert.deepEqual(answer.contributions, {
        nameMatch: 100,
        houseMatch: 200,
        spelling: 0.2,
        unexplained: 0,
      });
      assert.equal(answer.score, 300.2);
      const corrected = explained('Hauptsrtaße 3, Berlin').explain as Row;
      assert.equal(corrected.step, 'corrected');
      const nothing = explained('qqqqzz 7');
      assert.deepEqual([(nothing.explain as Row).step, (nothing.explain as Row).answers], [null, []]);
    });

    it('answers anything with addresses or nothing', () => {
      for (const q of [
        '"',
        '* OR 1',
        'NEAR(a b)',
        '\u0000',
        '🙂🙂 7',
        "'; DROP TABLE streets",
        '5',
        '-',
        '=s',
        'st',
        '1 1 1 1 1 1 1 1',
      ])
        assert.ok(Array.isArray(rows(address, { q })), q);
    });
  });

  describe('/streets', () => {
    it('names city and region in the language', () => {
      const [{ name, city, admin1 }] = rows(streets, { q: 'Hauptstraße', lang: 'ru', city: 'Munich' });
      assert.deepEqual([name, city, admin1], ['Hauptstraße', 'Мюнхен', 'Бавария']);
    });

    it('returns one result per street and city, nearest first around a point', () => {
      const near = rows(streets, { q: 'hauptstrasse', lat: 52.48, lng: 13.36, radius: 5 });
      assert.equal(near.length, 1);
      assert.deepEqual([near[0].city, near[0].highway_type], ['Berlin', 'primary']);
      const vertexKm = distanceKm({ lat: 52.48, lng: 13.36 }, { lat: 52.482, lng: 13.351 });
      assert.equal(near[0].distance_km, roundKm(vertexKm));
      assert.deepEqual(rows(streets, { q: 'Hauptstraße', lat: 52.48, lng: 13.36, radius: 0.5 }), []);
      assert.equal(rows(streets, { q: 'Hauptstr' }).length, 2);
      assert.deepEqual(
        rows(streets, { q: 'Hauptstr', city: 'Munich' }).map(({ distance_km }) => distance_km),
        [null],
      );
    });

    it('finds mistyped names and prefixes when nothing has the whole name', () => {
      const cities = (q: string) => rows(streets, { q }).map(({ name }) => name);
      assert.deepEqual(cities('Dowming Street'), ['Downing Street']);
      assert.deepEqual(cities('Downi'), ['Downing Street']);
      assert.deepEqual(cities('Haupts').length, 2);
      assert.deepEqual(cities('Stre'), []);
    });

    it('does not take the sounds of Chinese characters for the beginning of a name in Latin letters', () => {
      // 满 is man, 查 is cha.
      assert.deepEqual(rows(address, { q: '5 满' }), []);
      assert.notDeepEqual(rows(address, { q: '5 Mann' }), []);
      const sounds = rows(autocomplete, { q: '查', layers: 'address,street,poi' });
      assert.deepEqual(sounds, []);
      assert.deepEqual(
        rows(autocomplete, { q: 'Charit', layers: 'poi' }).map(({ name }) => name),
        ['Charité'],
      );
    });

    it('knows streets that only addresses mention where no source has those of the settlement', () => {
      const [made] = rows(streets, { q: 'Rue de la Paix' });
      assert.deepEqual([made.name, made.highway_type], ['Rue de la Paix', null]);
      assert.deepEqual(rows(streets, { q: 'улица Арбат' }), []);
    });

    it('refuses half a centre and echoes the query', () => {
      assert.deepEqual(refusal(streets, store, { q: 'x', lat: 1 }).parameters, ['lng']);
      assert.equal(ask(streets, store, { q: ' Downing St ' }).query, 'Downing St');
    });
  });

  it('a suggested house is explained, and stands before what its number is the postal code of', () => {
    const { results, explain } = ask(autocomplete, store, { q: '10 Downing Street, London', explain: true });
    const [first] = results as Row[];
    assert.deepEqual([first.layer, first.house_number], ['address', '10']);
    assert.equal(((explain as Row).addresses as Row).step, 'as_written');
  });

  it('/streets takes the name of the city in the text where no street has all of its words', () => {
    for (const [q, street, city] of [
      ['Hauptstraße Munich', 'Hauptstraße', 'Munich'],
      ['Paris, Rue de la Pa', 'Rue de la Paix', 'Paris'],
    ])
      assert.deepEqual(
        rows(streets, { q }).map(({ name, city }) => [name, city]),
        [[street, city]],
      );
    assert.deepEqual(rows(streets, { q: 'Rue de la Paix Berlin' }), []);
  });

  it('/autocomplete does not list a landmark again as a point of interest', () => {
    assert.deepEqual(
      rows(autocomplete, { q: 'gare du nord' }).map(({ layer }) => layer),
      ['landmark'],
    );
    assert.equal(rows(autocomplete, { q: 'gare du nord', layers: 'poi' }).length, 1);
  });

  it('/streets and /pois say what the dataset has where they find nothing', () => {
    const there = { lat: 41.9, lng: 12.5, radius: 1 };
    assert.deepEqual(ask(streets, store, { q: 'zobel', country: 'JP' }).coverage, {
      country: 'JP',
      streets: 0,
      level: 'none',
    });
    const all = ask(streets, store, { q: 'zobel' }).coverage as Row;
    assert.deepEqual([all.country, all.level], [null, 'partial']);
    assert.ok((all.streets as number) > 0);
    const { coverage } = ask(pois, store, there) as { coverage: Row };
    assert.deepEqual([coverage.country, coverage.level], [null, 'partial'], 'at sea that of all countries');
  });

  describe('/pois', () => {
    it('names landmarks in the language', () => {
      assert.equal(rows(pois, { lat: 48.8584, lng: 2.2945, lang: 'ru' })[0].name, 'Эйфелева башня');
    });

    // Landmarks of the table are points of interest, too.
    const own = new Set(['Trattoria Roma', 'Sushi Bar', 'Charité']);
    const names = (raw: Row, profile?: 'a' | 'b') =>
      rows(pois, { lat: 52.48, lng: 13.35, limit: 100, ...raw }, profile && { profile })
        .map(({ name }) => name)
        .filter((name) => own.has(name as string));
    it('returns points by distance, of a category, name or cuisine', () => {
      assert.deepEqual(names({}), ['Trattoria Roma', 'Sushi Bar']);
      assert.deepEqual(names({ radius: 50 }), ['Trattoria Roma', 'Sushi Bar', 'Charité']);
      assert.deepEqual(names({ radius: 50, limit: 1 }), ['Trattoria Roma']);
      assert.deepEqual(names({ radius: 50, category: 'HOSPITAL' }), ['Charité']);
      assert.deepEqual(names({ cuisine: 'Italian' }), ['Trattoria Roma']);
      assert.deepEqual(names({ cuisine: '!' }), []);
      assert.deepEqual(names({ q: 'sushi' }), ['Sushi Bar']);
      assert.deepEqual(names({ q: 'roma trattoria' }), ['Trattoria Roma']);
      assert.deepEqual(names({ q: 'charite', radius: 50 }, 'a'), ['Trattoria Roma', 'Sushi Bar', 'Charité']);
    });

    it('finds mistyped names and prefixes when nothing has the whole name', () => {
      assert.deepEqual(names({ q: 'tratoria' }), ['Trattoria Roma']);
      assert.deepEqual(names({ q: 'sush bar' }), ['Sushi Bar']);
      assert.deepEqual(names({ q: 'tratt' }), ['Trattoria Roma']);
      assert.deepEqual(names({ q: 'Charité', radius: 1 }), []);
      assert.deepEqual(names({ q: 'tratoria', category: 'hospital' }), []);
    });

    it('answers at the poles and on the antimeridian', () => {
      for (const lat of [90, -90, 89.9, 0]) {
        for (const lng of [180, -180, 0]) assert.deepEqual(names({ lat, lng, radius: 50 }), []);
      }
    });

    it('has the radius of each profile', () => {
      assert.deepEqual(names({ lat: 52.49, lng: 13.377 }), []);
      assert.deepEqual(names({ lat: 52.49, lng: 13.377 }, 'b'), ['Sushi Bar', 'Trattoria Roma', 'Charité']);
      assert.deepEqual(refusal(pois, store, { lat: 1, lng: 1, radius: 51 }).parameters, ['radius']);
      assert.deepEqual(refusal(pois, store, { lat: 1, lng: 1, category: 'park' }).parameters, ['category']);
    });
  });

  it('/reverse names the house within 50 m, and nothing farther away', () => {
    const [near] = rows(reverse, { lat: 51.5036, lng: -0.1276 });
    assert.deepEqual([near.house_number, near.street, near.postal_code], ['10', 'Downing Street', 'SW1A 2AA']);
    const [far] = rows(reverse, { lat: 51.51, lng: -0.1276 });
    assert.deepEqual([far.house_number, far.street], [null, null]);
    assert.equal(rows(reverse, { lat: 90, lng: 0 })[0].street, null);
  });
});

describe('a dataset without street-level data', () => {
  it('answers dataset_missing', async () => {
    const { store, remove } = await openSmallStore({ without: ['addresses', 'streets', 'pois'] });
    assert.equal(refusal(address, store, { q: 'x' }).code, 'dataset_missing');
    assert.equal(refusal(streets, store, { q: 'x' }).code, 'dataset_missing');
    assert.equal(refusal(pois, store, { lat: 1, lng: 1 }).code, 'dataset_missing');
    assert.equal((ask(reverse, store, { lat: 51.5036, lng: -0.1276 }).results as Row[])[0].street, null);
    remove();
  });
});
