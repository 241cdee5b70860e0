/**
 * Tables of the street-level files. Streets are numbered by falling prominence class, and within a class along the
 * curve (curve.ts); points of interest along the curve.
 */

/** Terms of a search index: our own words, already folded; terms with a leading `=` cannot occur in names. */
const termIndex = (name: string) =>
  `CREATE VIRTUAL TABLE ${name} USING fts5(
     terms, content = '', detail = none, columnsize = 0, tokenize = "ascii tokenchars '='");
   INSERT INTO ${name} (${name}, rank) VALUES ('pgsz', 4000);
   INSERT INTO ${name} (${name}, rank) VALUES ('hashsize', 33554432);`;

/**
 * Merges the postings of each term into one list, in short pages: a search skips whole pages and decodes whole pages.
 * (Long pages are written faster as long as lists are short.)
 */
export const optimizeTerms = (name: string) =>
  `INSERT INTO ${name} (${name}, rank) VALUES ('pgsz', 250);
   INSERT INTO ${name} (${name}) VALUES ('optimize');`;

const sources = 'CREATE TABLE sources (id INTEGER PRIMARY KEY, name TEXT NOT NULL);';

/** Words within one edit: every word of the index, by the hash of itself and of itself without one letter. */
const spelling = `
  CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL, documents INTEGER NOT NULL);
  CREATE TABLE filters (name TEXT PRIMARY KEY, bits BLOB NOT NULL); -- term-filter.ts
  CREATE TABLE spelling (hash INTEGER, word INTEGER, PRIMARY KEY (hash, word)) WITHOUT ROWID;`;

export const streetSchema = `
  ${sources}
  CREATE TABLE areas (id INTEGER PRIMARY KEY, city TEXT, admin1 TEXT, country TEXT NOT NULL, terms TEXT NOT NULL);
  CREATE TABLE streets (
    id INTEGER PRIMARY KEY,
    names TEXT NOT NULL,     -- the main name and others, a line each
    area INTEGER NOT NULL,
    postcodes TEXT NOT NULL, -- a line each; houses refer to them by position
    lat INTEGER NOT NULL,    -- in 1e-7 degrees
    lng INTEGER NOT NULL,
    highway TEXT,
    source INTEGER NOT NULL,
    stretches TEXT,          -- JSON: interpolation lines as [from, to, step, [lng, lat, ...]]
    lines BLOB,              -- line-block.ts; null for a street that only addresses tell of
    objects TEXT             -- the pieces as objects of OpenStreetMap (w12 w13), null where they are none
  );
  CREATE TABLE houses (
    street INTEGER, first INTEGER, -- the lowest number of the block
    block BLOB NOT NULL,           -- house-block.ts
    PRIMARY KEY (street, first)
  ) WITHOUT ROWID;
  CREATE TABLE objects (object INTEGER, street INTEGER, PRIMARY KEY (object, street)) WITHOUT ROWID; -- pieces and houses
  CREATE TABLE near (cell INTEGER, street INTEGER, first INTEGER, PRIMARY KEY (cell, street, first)) WITHOUT ROWID;
  CREATE TABLE whole_names (name TEXT PRIMARY KEY, streets BLOB NOT NULL) WITHOUT ROWID; -- whole-names.ts
  ${termIndex('street_terms')}
  ${spelling}`;

export const poiSchema = `
  ${sources}
  CREATE TABLE pois (
    id INTEGER PRIMARY KEY,
    name TEXT,                 -- null for one without a name
    others TEXT NOT NULL,      -- other names, a line each
    category INTEGER NOT NULL, -- position in poiCategories
    lat INTEGER NOT NULL,      -- in 1e-7 degrees
    lng INTEGER NOT NULL,
    cuisine TEXT,
    source INTEGER NOT NULL,
    object TEXT,               -- the object of OpenStreetMap (n12) and the tag that makes it a point (amenity=cafe), or null
    tag TEXT
  );
  CREATE INDEX pois_object ON pois (object) WHERE object IS NOT NULL;
  CREATE TABLE kinds ( -- the points of each category along the curve
    category INTEGER, curve INTEGER, poi INTEGER, lat INTEGER NOT NULL, lng INTEGER NOT NULL,
    PRIMARY KEY (category, curve, poi)
  ) WITHOUT ROWID;
  ${termIndex('poi_terms')}
  ${spelling}`;

/** Edge in degrees of the cells by which houses are looked up by position: about 200 m. */
export const houseCellSize = 0.002;
