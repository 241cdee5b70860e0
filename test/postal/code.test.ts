import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  codeOfKey,
  compact,
  everydayForm,
  postalKey,
  rangeStarts,
  readPostalCode,
  shorterForms,
  spellPostalCode,
  withLeadingZeros,
} from '../../src/core/postal/code.ts';
import formats from '../../src/core/postal/formats.json' with { type: 'json' };

const shapes: Record<string, string> = formats.shapes;

/** What people type, in which country, and the spelling that is meant; undefined: no code of that country. */
const typed: readonly (readonly [string, string, string | undefined])[] = [
  ['GB', 'sw1a1aa', 'SW1A 1AA'],
  ['GB', ' Sw1a  1aA ', 'SW1A 1AA'],
  ['GB', 'sw1a', 'SW1A'],
  ['GB', 'e1 6an', 'E1 6AN'],
  ['US', '90210-1234', '90210'],
  ['US', '90210 1234', '90210'],
  ['US', '902101234', '90210'],
  ['US', '9021', undefined],
  ['JP', '1000001', '100-0001'],
  ['JP', '〒100-0001', '100-0001'],
  ['JP', '１００－０００１', '100-0001'],
  ['DE', 'D-10115', '10115'],
  ['DE', 'DE 10115', '10115'],
  ['DE', '1011', undefined],
  ['DE', '10115 OR 1=1', undefined],
  ['LV', '1010', 'LV-1010'],
  ['LV', 'lv1010', 'LV-1010'],
  ['AZ', '1000', 'AZ 1000'],
  ['AR', 'C1070AAM', '1070'],
  ['CA', 'k1a0b1', 'K1A 0B1'],
  ['CA', 'K1A', 'K1A'],
  ['NL', '1012ab', '1012 AB'],
  ['BR', '01310100', '01310-100'],
  ['PL', '00001', '00-001'],
  ['SE', 'SE-111 22', '111 22'],
  ['CZ', '11000', '110 00'],
  ['PT', '1000001', '1000-001'],
  ['IR', '۱۱۹۳۶۱۲۳۴۵', '11936-12345'],
  ['IN', '११०००१', '110001'],
  ['CH', 'CH–8001', '8001'],
  ['DE', '\u0000', undefined],
  ['DE', '\u202e10115', '10115'],
  ['DE', '🙂'.repeat(50), undefined],
];

/** Codes of a country, compact, made from its shapes. */
const codeOf = (country: string) =>
  fc
    .constantFrom(...shapes[country].split(', '))
    .chain((shape) =>
      fc
        .tuple(
          ...[...shape.replace(/\[[^\]]*\]/g, '').replace(/[^#@*0-9A-Z]/g, '')].map((sign) =>
            sign === '#'
              ? fc.constantFrom(...'0123456789')
              : sign === '@'
                ? fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
                : sign === '*'
                  ? fc.constantFrom(...'0123456789ABCXYZ')
                  : fc.constant(sign),
          ),
        )
        .map((signs) => signs.join('')),
    );
const countryAndCode = fc
  .constantFrom(...Object.keys(shapes))
  .chain((country) => codeOf(country).map((code) => ({ country, code })));

describe('postal codes as people type them', () => {
  it('are read whatever the spacing, case, dash, width and script of digits', () => {
    for (const [country, text, spelled] of typed) {
      const code = readPostalCode(country, text);
      assert.equal(code && spellPostalCode(country, code), spelled, `${country} ${JSON.stringify(text)}`);
    }
  });

  it('get their leading zeros back', () => {
    const lost = {
      'DE 1067': '01067',
      'US 501': '00501',
      'NO 1': '0001',
      'TW 1': '001',
      'IE d2': 'D02',
      'IE Dublin-2': 'D02',
      'JP 100': '0000100',
    };
    for (const [typed, whole] of Object.entries(lost)) {
      const [country, text] = typed.split(' ');
      assert.equal(withLeadingZeros(country, text), whole, typed);
    }
    for (const [country, text] of [
      ['DE', '10115'],
      ['DE', '1x'],
      ['GB', 'SW1A'],
      ['GB', 'x'],
      ['AE', '1'],
      ['US', ''],
    ])
      assert.equal(withLeadingZeros(country, text), text);
  });

  it('come out the same when read again', () => {
    fc.assert(
      fc.property(countryAndCode, fc.string({ unit: 'grapheme' }), ({ country, code }, text) => {
        for (const written of [code, text]) {
          const once = readPostalCode(country, written);
          if (once !== undefined) assert.equal(readPostalCode(country, once), once);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('mean the same code in any spelling', () => {
    const noise = fc.constantFrom('', ' ', '-', '  ', '\u2013', '.', '\u00a0');
    fc.assert(
      fc.property(
        countryAndCode,
        fc.array(noise, { minLength: 10, maxLength: 10 }),
        fc.boolean(),
        (made, gaps, isLower) => {
          const { country, code } = made;
          const plain = readPostalCode(country, code);
          assert.ok(plain !== undefined, `${country} ${code} is not read`);
          const spread = [...plain].map((sign, at) => sign + gaps[at % gaps.length]).join('');
          for (const written of [spread, spellPostalCode(country, plain), ` ${plain} `])
            assert.equal(readPostalCode(country, isLower ? written.toLowerCase() : written), plain);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('forms of postal codes', () => {
  it('have the shorter forms that data and people use', () => {
    assert.deepEqual(shorterForms('GB', 'SW1A1AA'), ['SW1A']);
    assert.deepEqual(shorterForms('GB', 'E16AN'), ['E1']);
    assert.deepEqual(shorterForms('CA', 'K1A0B1'), ['K1A']);
    assert.deepEqual(shorterForms('BR', '01310100'), ['01310']);
    assert.deepEqual(shorterForms('DE', '10115'), []);
  });

  it('report the form used alone', () => {
    assert.equal(everydayForm('NL', '1012AB'), '1012');
    assert.equal(everydayForm('BR', '01310100'), '01310100');
    assert.equal(everydayForm('DE', '10115'), '10115');
  });

  it('report where the range of a Brazilian town may begin', () => {
    assert.deepEqual(rangeStarts('BR', '06460040'), ['06460000', '06400000', '06000000']);
    assert.deepEqual(rangeStarts('DE', '10115'), []);
  });
});

describe('postal keys', () => {
  it('return the code and sort as codes do', () => {
    fc.assert(
      fc.property(countryAndCode, countryAndCode, ({ code: one }, { code: other }) => {
        assert.equal(codeOfKey(postalKey(one)), one);
        assert.equal(Math.sign(postalKey(one) - postalKey(other)), one < other ? -1 : one > other ? 1 : 0);
      }),
    );
  });

  it('are not made from anything else', () => {
    for (const text of ['', 'a', '1 2', '12345678901', 'Ä']) assert.ok(Number.isNaN(postalKey(text)));
  });
});

describe('compact', () => {
  it('never keeps anything but ASCII letters and digits', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.match(compact(text), /^[0-9A-Z]*$/)));
  });
});
