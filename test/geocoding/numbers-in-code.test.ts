/**
 * Numbers that decide which answer comes first stand in weights.json, not in code: every other number that the code of a
 * search declares is here, with the reason why it is no weight.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const folders = 'src/{geocoding,text,endpoints,server/drop-in}/**/*.ts';
const root = join(import.meta.dirname, '../..');

/** Files without their ending, each with the constants in it that a reason holds for. */
const reasons: Readonly<Record<string, string>> = {
  'bounds of work: more is not looked at, and no text that people type reaches it': `
    candidates maxCandidates; word-lists maxBrandWords maxConnector maxQualifier maxWords;
    components maxNameWords; corrections maxCompletions maxCorrections maxSign;
    crossings maxPairs; finder maxAround maxWords; street-search maxNamedStreets;
    geocode maxNamesWithCode maxWordsOfTown; interpret maxInterpretations;
    fold maxLength; lattice maxContextPlaces maxContextVisited maxPrefixAreas maxSpan; mended-text maxMended; query-text maxJoins maxNumber maxTokenWords maxTokens maxWords;
    score maxSettlements; candidates maxAround; street-hits maxAround maxPlaceWords; poi-search maxNamed maxNamedShown maxReadAtOnce readPerWanted readings; postal-codes maxSearches maxUnfinished;
    readings maxDroppedWords maxInterpretations maxNameTokens maxNumbered maxParts maxPlaces
    maxPlaceWords;
    search-limits fullBudgetTokens placesBudget prices streetsBudget townBudget
    maxAreasWithPlaces maxExact maxFuzzy maxFuzzyInContext
    maxNamesakes maxNear maxPrefix maxPrefixInContext maxSubsequence maxWordsOfStreet walkBudget; search-places maxKindWords maxTowns;
    street-hits maxHits; street-search manyInCircle maxInCircle; suggest maxAreas maxVisited
    maxVisitedInContext walkBudget; transliterated maxUnusual;
    wanted-hits overfetch overfetchOfKind; words maxLetters maxSpellings maxWords;
    record maxOfKind; situations compared`,
  'upper bounds of points, by which a search ends early without another answer': 'search-limits maxProminence',
  'letters from which a rule of spelling holds': `
    address-search minLongLetters; components minBeginning minCodeDigits minNameLetters; corrections minLetters minPrefixLetters;
    mended-text minAbbreviation minHalf minStem;
    readings maxAbbreviationLength maxSign; search-limits maxFuzzyLength maxTwoEditsLength minFuzzyLength minPrefixLength minTwoEditsLength;
    query-text minLetters; search-places codeLetters; situations minAlike; street-hits minLetters; street-search minPrefixLetters;
    suggest distinctiveLength minEditedLength; transliterated lettersPerUnusual`,
  'distances and sizes of things on the ground, with their unit': `
    address positionReachKm; components townReachKm; crossings cellSize maxGapKm
    maxMiddleDistanceKm; distance nameWithinKm; distinct samePointKm sameStreetKm; features-at nearKm reachKm;
    geocoded-record maxCityKm; lattice airportKm cityKm nearKm; namesakes featureReachKm landmarkReachKm; candidates borderKm; houses circleGrowth firstCircleKm;
    nominatim reachKm; nominatim-format metresPerDegree; pelias circleKm; street-hits maxPlaceKm; poi-search firstCircleKm sameUnnamedKm;
    record houseReachKm kindReachKm maxReachKm seaKm; position-context clearlyFarther largestReachKm maxCityKm maxLandmarkKm maxReaches maxSuburbKm minReachKm nearerByCode peoplePerKm2;
    position-context maxKm; postal-codes nearKm; reverse addressReachKm reachKm; situations otherKm;
    street-hits nearKm sameKm sameTownKm; street-search firstCircleKm; support densityPerKm2 maxReachKm maxShareOfSuburb minInhabitants placeReachKm;
    wanted-hits nearPlaceKm positionKm`,
  'how good the context of an area must be for its places to be looked at': 'search-limits minContextOfArea',
  'numbers of objects that are no points: 0 for none, -1 for unknown, and what a search asks itself': `
    finder byCode; street-search beginsOnly; geocode townOnly; interpret rest; resolve-city options; score houseMatches plainSituation;
    situations costOfMatch; suggest kindCosts`,
  'patterns and lists of fields in which digits stand': `
    admin fields; distance fields; nearby limitParameters; nominatim-format tolerances;
    pelias pelias; interpret spellings; photon byDefault; position inLinks; streets shared; units patterns; words marks`,
  'how many answers a request may have, as its interface documents it': `
    address maxNearPosition; drop-in maxCountries; nominatim byDefault maxResults; nominatim maxLookups;
    pelias byDefault maxResults; photon defaultZoom lookedAt maxCategories maxResults maxZoom minZoom suggestions; nominatim maxZoom;
    position-context cities nearest; reverse maxResults; place maxCodes`,
  'how data are kept in memory': `
    street-match namesInMemory;
    corrections signWeight`,
  'no order of a search':
    'coverage fullFrom; position lengthBefore; position-context clearlyFarther; validate farKm townPopulation',
};

const declared = /^(?:export )?const (\w+)(?:: number)? = -?[\d_.]+(?:e\d+)?;/gm;
/** One in an object or a list. */
const listed = /^(?:export )?const (\w+)(?:: [^=]+)? = (?:new \w+\()?[{[][^;]*?(?<![\w.#$'])-?\d[\d_.]*(?=\s*[,\]}])/gm;

test('every number that the code of a search declares is a weight, or has a reason not to be one', () => {
  const allowed = new Set(
    Object.values(reasons).flatMap((list) =>
      list.split(';').flatMap((ofFile) => {
        const [file, ...names] = ofFile.trim().split(/\s+/);
        return names.map((name) => `${file} ${name}`);
      }),
    ),
  );
  const found = globSync(folders, { cwd: root }).flatMap((path) => {
    const code = readFileSync(join(root, path), 'utf8');
    return [...code.matchAll(declared), ...code.matchAll(listed)].map(([, name]) => `${basename(path, '.ts')} ${name}`);
  });
  const without = (list: Iterable<string>, known: ReadonlySet<string>) =>
    [...list].filter((one) => !known.has(one)).sort();
  assert.deepEqual(without(found, allowed), [], 'a number without a reason: move it to weights.json, or say why not');
  assert.deepEqual(without(allowed, new Set(found)), [], 'a reason for a number that is not there');
});
