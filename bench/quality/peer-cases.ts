/**
 * Test cases of other address readers, from clones of their repositories: a text as somebody wrote it, and what its
 * parts are. Nothing of them is in this repository.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { draw, randomNumbers } from './samples.ts';

export type PeerCase = {
  text: string;
  number: string;
  street: string;
  city?: string;
  admin1?: string;
  postcode?: string;
  /** Alpha-2 code in upper case. */
  country: string;
};

export type PeerSuite = { name: string; repository: string; cases: PeerCase[] };

type Parts = Record<string, string | undefined>;

/** The suites whose repositories are below a directory, as `<owner>+<name>/repo` or `<name>`. */
export function peerSuites(directory: string): PeerSuite[] {
  const suite = (name: string, repository: string, read: (files: Repository) => (PeerCase | undefined)[]) => {
    const [owner, repo] = repository.split('/');
    const path = [join(directory, `${owner}+${repo}`, 'repo'), join(directory, repo)].find(existsSync);
    if (!path) return [];
    const seen = new Set<string>();
    const cases = read(new Repository(path)).filter((one): one is PeerCase => {
      const isNew = one !== undefined && !seen.has(one.text.toLowerCase());
      if (isNew) seen.add(one.text.toLowerCase());
      return isNew;
    });
    return [{ name, repository, cases }];
  };
  return [
    ...suite('OpenCage address-formatting, all countries', 'OpenCageData/address-formatting', openCage),
    ...suite('libpostal, parser tests', 'openvenues/libpostal', libpostal),
    ...suite('Pelias acceptance tests', 'pelias/acceptance-tests', pelias),
    ...suite('Pelias parser tests', 'pelias/parser', peliasParser),
    ...suite('usaddress, labelled addresses', 'datamade/usaddress', usaddress),
    ...suite('Pelias fuzzy tests: food inspections of Florida, 700 drawn', 'pelias/fuzzy-tests', florida),
  ];
}

class Repository {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  files(pattern: RegExp): string[] {
    const names = this.#git('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0');
    return names.filter((name) => pattern.test(name));
  }

  text(file: string): string {
    return this.#git('show', `HEAD:${file}`);
  }

  #git(...args: string[]): string {
    return execFileSync('git', ['-C', this.#path, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  }
}

function caseOf(text: string, { number, street, city, admin1, postcode, country }: Parts): PeerCase | undefined {
  const clean = (part: string | undefined) => part?.replace(/^[\s,]+|[\s,]+$/g, '') || undefined;
  const [houseNumber, road] = [clean(number), clean(street)];
  if (!houseNumber || !/\d/.test(houseNumber) || !road || !country || !/^[A-Z]{2}$/.test(country)) return undefined;
  const rest = { city: clean(city), admin1: clean(admin1), postcode: clean(postcode) };
  return { text: text.trim(), number: houseNumber, street: road, ...rest, country };
}

const roadKeys = ['road', 'street', 'street_name', 'pedestrian', 'residential', 'footway', 'path'];
const numberKeys = ['house_number', 'housenumber', 'street_number'];
const cityKeys = ['city', 'town', 'village', 'municipality', 'hamlet'];

/** YAML of one simple form: `components:` with a line for each, then `expected: |` with the address. */
function openCage(files: Repository): (PeerCase | undefined)[] {
  return files.files(/^testcases\/countries\/\w\w\.yaml$/).flatMap((file) =>
    files
      .text(file)
      .split(/^---\s*$/m)
      .map((document) => {
        const components = /^components:\s*\n((?:[ \t]+.*\n)+)/m.exec(document)?.[1] ?? '';
        const lines = [...components.matchAll(/^[ \t]+"?(\w+)"?:[ \t]*(.*)$/gm)];
        const parts = Object.fromEntries(
          lines.map(([, key, value]) => [key, value.trim().replace(/^(["'])(.*)\1$/, '$2')]),
        );
        const first = (keys: readonly string[]) => keys.map((key) => parts[key]).find(Boolean);
        const expected = /^expected:[ \t]*\|[-+]?[ \t]*\n((?:[ \t]+.*\n?)+)/m.exec(document)?.[1] ?? '';
        const text = expected
          .trim()
          .split('\n')
          .map((line) => line.trim())
          .join(', ');
        const [number, street, city] = [first(numberKeys), first(roadKeys), first(cityKeys)];
        if (!number || !street || !city || !text.includes(number) || !text.includes(street)) return undefined;
        const country = (parts.country_code || file.slice(-7, -5)).toUpperCase();
        return caseOf(text, { number, street, city, admin1: parts.state, postcode: parts.postcode, country });
      }),
  );
}

/** C: a test for each country, with the text and its labelled parts. */
function libpostal(files: Repository): (PeerCase | undefined)[] {
  const tests = files.text('test/test_parser.c').split(/TEST test_(\w+)_parses\(void\)/);
  return tests.flatMap((body, at) => {
    if (at % 2 === 1) return [];
    const country = (tests[at - 1] ?? '').replace(/^uk$/, 'gb').toUpperCase();
    const calls = body.matchAll(/test_parse_result_equals\(\s*(?:\/\/[^\n]*\n\s*)*"((?:[^"\\]|\\.)*)"(.*?)\)\);/gs);
    return [...calls].map(([, text, labels]) => {
      const of = Object.fromEntries(
        [...labels.matchAll(/\{"(\w+)",\s*"([^"]*)"\}/g)].map(([, key, value]) => [key, value]),
      );
      const plain = text.replaceAll('\\n', '\n').replaceAll('\\"', '"');
      const city = of.city ?? of.city_district ?? of.suburb;
      return caseOf(plain, {
        number: of.house_number,
        street: of.road,
        city,
        admin1: of.state,
        postcode: of.postcode,
        country,
      });
    });
  });
}

const alpha2: Parts = Object.fromEntries(
  'USA US GBR GB DEU DE FRA FR CAN CA AUS AU NLD NL ESP ES ITA IT CHE CH AUT AT BRA BR POL PL NZL NZ FIN FI SWE SE NOR NO DNK DK BEL BE PRT PT CZE CZ JPN JP KOR KR MEX MX ARG AR EST EE LVA LV LTU LT IRL IE SGP SG ZAF ZA'
    .match(/\w+ \w+/g)!
    .map((pair) => pair.split(' ')),
);

/** JSON: what somebody searched for, and the properties that the first result must have. */
function pelias(files: Repository): (PeerCase | undefined)[] {
  type Test = { in?: { text?: string }; expected?: { properties?: Record<string, string>[] } };
  return files.files(/^test_cases\/(?!autocomplete).*\.json$/).flatMap((file) => {
    const { tests } = JSON.parse(files.text(file)) as { tests?: Test[] };
    return (tests ?? []).map(({ in: query, expected }) => {
      const of = Array.isArray(expected?.properties) ? expected.properties[0] : undefined;
      if (!query?.text || !of) return undefined;
      const [city, admin1] = [of.locality ?? of.localadmin, of.region_a ?? of.region];
      const country = alpha2[of.country_a];
      return caseOf(query.text, {
        number: of.housenumber,
        street: of.street,
        city,
        admin1,
        postcode: of.postalcode,
        country,
      });
    });
  });
}

const parserCountries: Parts = {
  aus: 'AU',
  usa: 'US',
  bra: 'BR',
  cze: 'CZ',
  deu: 'DE',
  esp: 'ES',
  fra: 'FR',
  gbr: 'GB',
  hrv: 'HR',
  ind: 'IN',
  nld: 'NL',
  nor: 'NO',
  nzd: 'NZ',
  pol: 'PL',
  prt: 'PT',
  rom: 'RO',
  svk: 'SK',
  swe: 'SE',
};

/** JavaScript: `assert('text', [{ housenumber: '1' }, …])`. */
function peliasParser(files: Repository): (PeerCase | undefined)[] {
  return files.files(/^test\/(address|addressit|functional|libpostal)\b.*\.test\.js$/).flatMap((file) => {
    const country = parserCountries[/\.(\w{3})\.test/.exec(file)?.[1] ?? 'usa'] ?? 'US';
    const calls = files
      .text(file)
      .matchAll(/assert\((['"`])(.*?)(?<!\\)\1,\s*\[(.*?)\]\s*(?:,\s*(?:true|false)\s*)?\)\n/gs);
    return [...calls].map(([, , text, body]) => {
      const of: Parts = {};
      for (const [, key, , value] of body.matchAll(/(\w+):\s*(['"`])(.*?)(?<!\\)\2/g))
        of[key] ??= value.replaceAll("\\'", "'");
      const parts = {
        number: of.housenumber,
        street: of.street,
        city: of.locality,
        admin1: of.region,
        postcode: of.postcode,
      };
      return caseOf(text.replaceAll("\\'", "'"), { ...parts, country });
    });
  });
}

/** XML: an element around each word that says what it is. */
function usaddress(files: Repository): (PeerCase | undefined)[] {
  const read = ['labeled', 'us50_test_tagged', 'synthetic_osm_data'].flatMap((name) => {
    const text = files.text(`measure_performance/test_data/${name}.xml`);
    const all = [...text.matchAll(/<AddressString>(.*?)<\/AddressString>/gs)].map(([, body]) => body);
    return all.filter((body) => !/<(Intersection|USPSBox|Second)/.test(body)).slice(0, 400);
  });
  return read.map((body) => {
    const words = [...body.matchAll(/<(\w+)>([^<]*)<\/\1>/g)];
    const plain = (value: string) => value.replaceAll('&amp;', '&').replace(/^[\s,]+|[\s,]+$/g, '');
    const of = (wanted: RegExp) =>
      words
        .filter(([, key]) => wanted.test(key))
        .map(([, , value]) => plain(value))
        .join(' ');
    if (of(/^StreetName$/) === '') return undefined;
    const parts = { number: of(/^AddressNumber/), street: of(/^StreetName/), city: of(/^PlaceName$/), country: 'US' };
    const text = plain(body.replace(/<[^>]*>/g, ''));
    return caseOf(text, { ...parts, admin1: of(/^StateName$/), postcode: of(/^ZipCode$/) });
  });
}

const unit =
  /\s+(?:STE|SUITES?|UNITS?|APT|BLDG|BAY(?= \d)|FL|LOT|RM|SPACE|STORE|ROOM|KIOSK|FLOOR|LEVEL|PMB|BOX|HANGAR|TERMINAL|STALL)\b.*|\s*#.*|\s+-\s.*/;

/** JSON: `number street unit, city, state, ZIP` as an inspector typed them. */
function florida(files: Repository): (PeerCase | undefined)[] {
  const texts = files.files(/^big_test_cases\/florida_food_inspections_by_address_\d+\.json$/).flatMap((file) => {
    const { tests } = JSON.parse(files.text(file)) as { tests: { in: { text: string } }[] };
    return tests.map((test) => test.in.text);
  });
  return draw(texts, 700, randomNumbers(42)).map((text) => {
    const [line, city, admin1, code] = text.split(',').map((part) => part.trim());
    const [, number, street] = /^(\d+[A-Z]?)\s+(.+)$/.exec(line) ?? [];
    if (!street || code === undefined) return undefined;
    return caseOf(text, {
      number,
      street: street.replace(unit, ''),
      city,
      admin1,
      postcode: code.slice(0, 5),
      country: 'US',
    });
  });
}
