-- Writes places.parquet and addresses.parquet of this directory with DuckDB (1.5.6: `duckdb < write.sql`): the columns
-- and types of Overture's releases of 2026, as a program other than the reader's own writer lays them out.
-- All rows are invented.
CREATE TYPE rules AS STRUCT(variant VARCHAR, "language" VARCHAR, perspectives STRUCT("mode" VARCHAR, countries VARCHAR[]), "value" VARCHAR, "between" DOUBLE[], side VARCHAR)[];
CREATE TYPE allnames AS STRUCT("primary" VARCHAR, common MAP(VARCHAR, VARCHAR), rules rules);
CREATE TYPE taxonomy AS STRUCT("primary" VARCHAR, hierarchy VARCHAR[], alternates VARCHAR[]);
CREATE TYPE place_address AS STRUCT(freeform VARCHAR, locality VARCHAR, postcode VARCHAR, region VARCHAR, country VARCHAR);
CREATE TYPE source AS STRUCT(property VARCHAR, dataset VARCHAR, license VARCHAR, record_id VARCHAR, update_time VARCHAR, confidence DOUBLE, provider VARCHAR, resource VARCHAR, "version" VARCHAR, "between" DOUBLE[]);
CREATE TYPE bbox AS STRUCT(xmin DOUBLE, xmax DOUBLE, ymin DOUBLE, ymax DOUBLE);
-- Well-known binary of POINT (9.5 47.1), little-endian, and of POINT (-97.75 30.25), big-endian.
CREATE MACRO vaduz() AS unhex('0101000000' || '0000000000002340' || 'CDCCCCCCCC8C4740');
CREATE MACRO austin() AS unhex('0000000001' || 'C058700000000000' || '403E400000000000');
CREATE MACRO boxed(x, y) AS {xmin: x, xmax: x, ymin: y, ymax: y}::bbox;
CREATE MACRO credited(dataset, license) AS [{property: '', dataset: dataset, license: license, record_id: 'r', update_time: NULL, confidence: 0.7, provider: NULL, resource: NULL, "version": NULL, "between": NULL}]::source[];

CREATE TABLE places (id VARCHAR, geometry BLOB, bbox bbox, theme VARCHAR, "type" VARCHAR, "version" INTEGER, sources source[], operating_status VARCHAR, basic_category VARCHAR, taxonomy taxonomy, confidence DOUBLE, websites VARCHAR[], phones VARCHAR[], brand STRUCT("names" allnames, wikidata VARCHAR), addresses place_address[], "names" allnames);
INSERT INTO places BY NAME
  SELECT 'p1' AS id, austin() AS geometry, boxed(-97.75, 30.25) AS bbox, credited('meta', 'CDLA-Permissive-2.0') AS sources, 'open' AS operating_status, 'restaurant' AS basic_category,
    {"primary": 'sushi_restaurant', hierarchy: ['food_and_drink', 'restaurant', 'asian_restaurant', 'sushi_restaurant'], alternates: ['bar']}::taxonomy AS taxonomy, 0.85 AS confidence,
    [{freeform: '1 Example Ave', locality: 'Austin', postcode: '78745', region: 'US-TX', country: 'US'}]::place_address[] AS addresses,
    {"primary": 'Blue Fish', common: MAP {'es': 'Pez Azul'}, rules: [{variant: 'short', "language": NULL, perspectives: NULL, "value": 'BF', "between": NULL, side: NULL}]}::allnames AS "names"
  UNION ALL BY NAME SELECT 'p2' AS id, vaduz() AS geometry, 'permanently_closed' AS operating_status, {"primary": 'hotel', hierarchy: ['lodging', 'hotel'], alternates: NULL}::taxonomy AS taxonomy, 0.0 AS confidence, {"primary": 'Closed Inn', common: NULL, rules: NULL}::allnames AS "names"
  UNION ALL BY NAME SELECT 'p3' AS id, vaduz() AS geometry, {"primary": 'hotel', hierarchy: ['lodging', 'hotel'], alternates: NULL}::taxonomy AS taxonomy, 0.3 AS confidence, {"primary": 'Doubtful Inn', common: NULL, rules: NULL}::allnames AS "names"
  UNION ALL BY NAME SELECT 'p4' AS id, vaduz() AS geometry, 'temporarily_closed' AS operating_status, {"primary": 'bank', hierarchy: ['services_and_business', 'financial_service', 'bank_or_credit_union', 'bank'], alternates: NULL}::taxonomy AS taxonomy, {"names": {"primary": 'Sparbank', common: NULL, rules: NULL}::allnames, wikidata: 'Q1'} AS brand, {"primary": 'Sparbank Vaduz', common: NULL, rules: NULL}::allnames AS "names"
  UNION ALL BY NAME SELECT 'p5' AS id, vaduz() AS geometry, {"primary": 'church', hierarchy: ['cultural_and_historic', 'place_of_worship', 'church'], alternates: NULL}::taxonomy AS taxonomy, 0.9 AS confidence, {"primary": 'Chapel', common: NULL, rules: NULL}::allnames AS "names"
  UNION ALL BY NAME SELECT 'p6' AS id, vaduz() AS geometry, {"primary": 'hotel', hierarchy: ['lodging', 'hotel'], alternates: NULL}::taxonomy AS taxonomy, 0.9 AS confidence;
COPY places TO 'places.parquet' (FORMAT parquet, COMPRESSION zstd, KV_METADATA {geo: '{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["Point"],"covering":{"bbox":{"xmin":["bbox","xmin"],"ymin":["bbox","ymin"],"xmax":["bbox","xmax"],"ymax":["bbox","ymax"]}}}}}'});

CREATE TABLE addresses (id VARCHAR, geometry BLOB, bbox bbox, theme VARCHAR, "type" VARCHAR, "version" INTEGER, sources source[], address_levels STRUCT("value" VARCHAR)[], country VARCHAR, "number" VARCHAR, postal_city VARCHAR, postcode VARCHAR, street VARCHAR, unit VARCHAR);
INSERT INTO addresses BY NAME
  SELECT 'a1' AS id, austin() AS geometry, [{"value": 'TX'}, {"value": 'AUSTIN'}] AS address_levels, 'US' AS country, '1000' AS "number", '78745' AS postcode, 'EXAMPLE AVE' AS street, 'Apt 4' AS unit
  UNION ALL BY NAME SELECT 'a2' AS id, vaduz() AS geometry, [{"value": 'Vaduz'}] AS address_levels, 'LI' AS country, '12a' AS "number", '9490' AS postcode, 'Städtle' AS street
  UNION ALL BY NAME SELECT 'a3' AS id, vaduz() AS geometry, [{"value": NULL}, {"value": 'Sežana'}] AS address_levels, 'SI' AS country, '71' AS "number", 'Dutovlje' AS postal_city, 'Tomaj' AS street
  UNION ALL BY NAME SELECT 'a4' AS id, vaduz() AS geometry, 'LI' AS country, 'Städtle' AS street
  UNION ALL BY NAME SELECT 'a5' AS id, vaduz() AS geometry, [{"value": NULL}, {"value": NULL}] AS address_levels, 'FR' AS country, '5 bis' AS "number", 'Rue X' AS street;
COPY addresses TO 'addresses.parquet' (FORMAT parquet, COMPRESSION snappy);
