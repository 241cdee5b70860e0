/** The tools of the list, with the schemas of their endpoints' parameters. */
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { endpoints } from '../../endpoints/index.ts';
import { WhereaboutsError } from '../../errors.ts';
import { publicSchema } from '../../schema.ts';

// All tools for models, on one screen: each is one endpoint, described in a model's terms, with the parameters it
// needs.

type ToolDeclaration = {
  /** The endpoint that answers; a key restricted to endpoints sees the tools of those only. */
  endpoint: keyof typeof endpoints;
  title: string;
  /** When to use the tool, what it returns, and when not to use it. */
  description: string;
  /** Parameters of the endpoint that the tool takes, with what a model must know to fill them in. */
  parameters: Readonly<Record<string, string>>;
};

const lat = 'Latitude, WGS84 degrees';
const lng = 'Longitude, WGS84 degrees';
const countryCode = 'ISO 3166-1 alpha-2 code, e.g. DE';
const lang = 'Language of names, e.g. de';
const limit = 'Most results';

const toolList: Readonly<Record<string, ToolDeclaration>> = {
  find_place: {
    endpoint: 'search',
    title: 'Find a place by name',
    description:
      'Finds cities, towns, villages, regions and countries by name, in any language, also misspelled: coordinates, ' +
      'region, time zone, population. confidence below 60 means a guess. Not for street addresses: geocode_address.',
    parameters: {
      q: 'The name, best with its region or country: Paris, Texas',
      country: `Only this country. ${countryCode}`,
      lat: 'With lng: prefer places near this point',
      lng,
      lang,
      limit,
    },
  },
  geocode_address: {
    endpoint: 'address',
    title: 'Coordinates of a street address',
    description:
      'Finds the position of a house or street. match_type: exact is the house, partial a house that a part of the query ' +
      'contradicts, interpolated an estimate between neighbours, street the street only. components says what became of each part of the query. ' +
      'Only some countries have addresses: elsewhere fallback is the town, and coverage says what there is. Not for cities: find_place.',
    parameters: {
      q: 'House number and street, then city and postal code, as people write it',
      country: countryCode,
      city: 'City, if it is not part of q',
      postal_code: 'Postal code, if it is not part of q',
      limit,
    },
  },
  reverse_geocode: {
    endpoint: 'reverse',
    title: 'What is at these coordinates',
    description:
      'The address (street and house_number, where the dataset has a house within 50 m), city, region and country at a ' +
      'position. For several places around it: places_near.',
    parameters: { lat, lng, lang },
  },
  places_near: {
    endpoint: 'nearby',
    title: 'Towns near a position',
    description: 'Cities, towns and villages around a position, nearest first, with distance_km.',
    parameters: { lat, lng, radius: 'Kilometres', min_population: 'Only places with at least this many people', limit },
  },
  cities_of_country: {
    endpoint: 'cities',
    title: 'Largest cities of a country or region',
    description: 'Cities of a country, or of one of its regions, by falling population.',
    parameters: {
      country: countryCode,
      admin1: 'Region, name or code: Bavaria, CA',
      min_population: 'Fewest people',
      max_population: 'Most people',
      limit,
    },
  },
  points_of_interest: {
    endpoint: 'pois',
    title: 'Restaurants, shops, stations and the like near a position',
    description:
      'Restaurants, hotels, schools, banks, shops, stops, sights, car parks and petrol stations around a position, ' +
      'nearest first. Only some areas have them; coverage says so when nothing is found.',
    parameters: {
      lat,
      lng,
      radius: 'Kilometres',
      category: 'Kind',
      q: 'Words of its name',
      cuisine: 'e.g. pizza',
      limit,
    },
  },
  find_street: {
    endpoint: 'streets',
    title: 'Find a street',
    description: 'Streets by name, with kind and city. For a house: geocode_address.',
    parameters: {
      q: 'Name of the street',
      city: 'Only in this city',
      country: countryCode,
      lat: 'With lng: only streets near this point',
      lng,
      limit,
    },
  },
  postal_code: {
    endpoint: 'postal',
    title: 'Place of a postal code',
    description: 'Places that a postal or ZIP code stands for, with region and coordinates.',
    parameters: { code: 'The code, in any spelling', country: countryCode },
  },
  check_city: {
    endpoint: 'validate',
    title: 'Check that city and postal code belong together',
    description:
      'Whether a city exists in a country and a postal code is one of its codes, with the usual spelling of both. ' +
      'Use it to check a form. status unknown: the data cannot tell.',
    parameters: { city: 'City', postal_code: 'Postal code', country: countryCode },
  },
  time_at: {
    endpoint: 'timezone',
    title: 'Time zone and local time',
    description:
      'Time zone, UTC offset, daylight saving time and local time at a position or in a zone, now or at a moment. For a ' +
      'city, take its coordinates or time zone from find_place first.',
    parameters: {
      lat,
      lng,
      timezone: 'Instead of coordinates, e.g. Europe/Berlin',
      at: 'Moment, ISO 8601; now if absent. Without offset it is local time there',
    },
  },
  sun_times: {
    endpoint: 'sun',
    title: 'Sunrise, sunset, day length',
    description: 'Dawn, sunrise, solar noon, sunset, dusk and day length in local time, at a position or in a city.',
    parameters: {
      lat,
      lng,
      city: 'Instead of coordinates',
      country: `Country of the city. ${countryCode}`,
      date: 'YYYY-MM-DD; today if absent',
    },
  },
  distance_between: {
    endpoint: 'distance',
    title: 'Distance between two places',
    description:
      'Straight-line (great-circle) distance in km and miles, and bearing, between cities or positions. Not the length ' +
      'of a road or a travel time.',
    parameters: {
      from_city: 'Start: a city',
      from_country: `Its country. ${countryCode}`,
      from_lat: 'Or start: latitude',
      from_lng: 'and longitude',
      to_city: 'End: a city',
      to_country: `Its country. ${countryCode}`,
      to_lat: 'Or end: latitude',
      to_lng: 'and longitude',
    },
  },
  about_country: {
    endpoint: 'country',
    title: 'Facts about a country',
    description:
      'Capital, currency, languages, calling code, continent, population, flag, EU membership of one country. The code of ' +
      'a country: find_place with its name.',
    parameters: { code: countryCode },
  },
  list_countries: {
    endpoint: 'countriesAll',
    title: 'All countries',
    description:
      'All 249 countries with codes, capital, currency, calling code and EU membership. Long: for one country use ' +
      'about_country.',
    parameters: {},
  },
  list_regions: {
    endpoint: 'admin',
    title: 'Regions of a country',
    description: 'States, provinces or counties of a country with their ISO 3166-2 codes, by name.',
    parameters: {
      country: countryCode,
      level: '1: states, provinces; 2: counties, districts',
      parent: 'With level 2: code of the state, e.g. CA',
    },
  },
  where_is_ip: {
    endpoint: 'ip',
    title: 'Where an IP address is',
    description:
      'Country, often city, time zone, currency and network operator of an IP address. An estimate; never a street ' +
      'address.',
    parameters: { ip: 'IPv4 or IPv6 address' },
  },
};

type InputSchema = { type: 'object'; properties: Record<string, object>; required?: string[] };

/** A tool as `tools/list` shows it. */
export type Tool = ReturnType<typeof toolsOf>[number];

/** Default number of results of a list: each one costs a model attention. */
const resultsByDefault = 5;

/** Every tool whose endpoint is among those given, in the order of the list. */
export const toolsOf = (endpoints: Readonly<Record<string, Endpoint>>) =>
  Object.entries(toolList)
    .filter(([, { endpoint }]) => endpoint in endpoints)
    .map(([name, { endpoint, title, description, parameters }]) => ({
      name,
      title,
      description,
      inputSchema: inputSchemaOf(endpoints[endpoint], parameters),
      annotations: { readOnlyHint: true },
    }));

/** Name of the endpoint that answers a tool; undefined for no tool. */
export const endpointOf = (tool: string): string | undefined => toolList[tool]?.endpoint;

/**
 * Parameters of the endpoint for the arguments of a tool: with a short list where none is requested. Arguments that the
 * tool does not have are left out; the endpoint would take some of them.
 */
export function parametersOf(tool: string, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { parameters } = toolList[tool];
  const known = Object.entries(args).filter(([name, value]) => name in parameters && value !== null);
  return { ...('limit' in parameters ? { limit: resultsByDefault } : {}), ...Object.fromEntries(known) };
}

/** Returns the answer of an endpoint. Throws WhereaboutsError. */
type Ask = (endpoint: string, parameters: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/**
 * A tool's answer: that of its endpoint, but for an address that the dataset does not have the town of it, as `fallback`.
 * Throws WhereaboutsError.
 */
export function answerOf(tool: string, args: Readonly<Record<string, unknown>>, ask: Ask): Record<string, unknown> {
  const parameters = parametersOf(tool, args);
  const endpoint = endpointOf(tool)!;
  if (endpoint !== 'address') return shortened(ask(endpoint, parameters));
  let answer: Record<string, unknown> = { results: [], count: 0 };
  try {
    answer = ask(endpoint, parameters);
  } catch (error) {
    if (!(error instanceof WhereaboutsError && error.code === 'dataset_missing')) throw error;
  }
  if (answer.count !== 0) return shortened(answer);
  const { q, city, postal_code, country } = parameters;
  const text = [q, city, postal_code].filter(Boolean).join(', ').slice(0, maxText);
  const { results, coverage } = ask('search', { q: text, country, layers: 'place,address', limit: 1 });
  const [town] = results as Record<string, unknown>[];
  if (town?.layer !== 'place') return shortened({ ...answer, coverage });
  const hint = 'The dataset has no such house or street; fallback is its town. find_place has more about towns.';
  return shortened({ ...answer, coverage: answer.coverage ?? coverage, fallback: town, hint });
}

/** Maximum length of a text. */
const maxText = 200;

/** An answer without what is useless to a model: null fields, and the names of data sources. */
function shortened(answer: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(answer, (name, value) => (value === null || name === 'sources' ? undefined : value)),
  );
}

/** The type, values and range of each parameter from the endpoint, with the tool's own words. */
function inputSchemaOf({ parameters }: Endpoint, described: Readonly<Record<string, string>>): InputSchema {
  const schema = publicSchema(parameters.default) as unknown as InputSchema;
  const properties: Record<string, object> = {};
  for (const [name, description] of Object.entries(described)) {
    const { type, enum: values, minimum, maximum } = schema.properties[name] as Record<string, unknown>;
    const isList = name === 'limit';
    properties[name] = {
      type,
      enum: values,
      minimum,
      maximum,
      ...(isList ? { default: resultsByDefault } : {}),
      description,
    };
  }
  // A parameter with a default is optional, although a handler's type says otherwise.
  const required = (schema.required ?? []).filter(
    (name) => name in described && !('default' in schema.properties[name]),
  );
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}
