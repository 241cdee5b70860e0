/** The facts of countries that the program brings along: sources/names/country-facts.csv. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildWorldWith, openLayers } from '../support/build-layer.ts';
import { smallPackages } from '../support/small-packages.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('the table has the countries of ISO 3166-1 and Kosovo, each value in its form', async (t) => {
  const { countries: _, ...packages } = smallPackages;
  const directory = temporaryDirectory(t);
  const { records } = await buildWorldWith(directory, [], { packages });
  assert.deepEqual([records.countries, records.unassignedCountries], [249, 1]);
  const { countries } = openLayers(directory, ['world']);
  const all = [...countries.assigned, countries.get('XK')!];
  assert.equal(new Set(all.map(({ iso3 }) => iso3)).size, 250);
  assert.equal(all.filter(({ isEu }) => isEu).length, 27);
  const currencies = new Set(Intl.supportedValuesOf('currency'));
  for (const { iso2, iso3, currency, currencySymbol, phoneCode, languages, population, ...country } of all) {
    assert.match(`${iso2} ${iso3}`, /^[A-Z]{2} [A-Z]{3}$/);
    assert.match(phoneCode ?? '+', /^\+(\d{1,3}(-\d{3})?)?$/, iso2);
    assert.ok(currency === null ? iso2 === 'AQ' : currencies.has(currency) && currencySymbol, iso2);
    assert.ok(languages.length > 0 || iso2 === 'AQ', iso2);
    assert.ok(Number.isInteger(population), iso2);
    assert.ok(country.continent && country.region && country.name, iso2);
    assert.ok(new Intl.DateTimeFormat('en', { timeZone: country.timezone! }).resolvedOptions(), iso2);
  }
  const north = countries.get('AG');
  assert.deepEqual([north?.phoneCode, north?.region], ['+1-268', 'Caribbean'], 'with its area code');
});
