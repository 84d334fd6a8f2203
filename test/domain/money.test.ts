import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountNumber, formatAmount, parseAmount, withCurrency } from '../../src/domain/money.ts';

test('amounts are written with the currency’s own decimals', () => {
  assert.equal(formatAmount({ minor: 100_000, currency: 'TZS' }), '1000.00');
  assert.equal(formatAmount({ minor: 5, currency: 'USD' }), '0.05');
  assert.equal(formatAmount({ minor: 1_500, currency: 'UGX' }), '1500');
  assert.equal(formatAmount({ minor: 1_500, currency: 'KWD' }), '1.500');
  assert.equal(formatAmount({ minor: -250, currency: 'KES' }), '-2.50');
});

test('people read thousands apart, and decimals only where there are any', () => {
  assert.equal(withCurrency({ minor: 120_000, currency: 'TZS' }), 'TZS 1,200');
  assert.equal(withCurrency({ minor: 123_456_750, currency: 'TZS' }), 'TZS 1,234,567.50');
  assert.equal(withCurrency({ minor: 1_500_000, currency: 'UGX' }), 'UGX 1,500,000');
  assert.equal(withCurrency({ minor: 1_234_567, currency: 'KWD' }), 'KWD 1,234.567');
  assert.equal(withCurrency({ minor: -99_900, currency: 'KES' }), 'KES -999');
});

test('whatever is written is read back to the unit', () => {
  const currency = fc.constantFrom('TZS', 'KES', 'UGX', 'KWD', 'USD', 'XOF');
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), currency, (minor, code) => {
      const money = { minor, currency: code };
      assert.deepEqual(parseAmount(formatAmount(money), code), money);
    }),
  );
});

test('a JSON number is read without floating-point arithmetic', () => {
  assert.deepEqual(parseAmount(0.29, 'USD'), { minor: 29, currency: 'USD' });
  assert.deepEqual(parseAmount(1.15, 'USD'), { minor: 115, currency: 'USD' });
  assert.deepEqual(parseAmount(4_503_599_627_370.49, 'USD'), { minor: 450_359_962_737_049, currency: 'USD' });
  assert.equal(amountNumber({ minor: 29, currency: 'USD' }), 0.29);
});

test('what the currency cannot express is refused', () => {
  for (const [value, currency] of [
    ['10.5', 'UGX'],
    ['1.005', 'USD'],
    ['1e3', 'TZS'],
    ['1,000', 'TZS'],
    ['', 'TZS'],
    ['NaN', 'TZS'],
    [Number.NaN, 'TZS'],
    [Number.POSITIVE_INFINITY, 'TZS'],
    ['99999999999999999', 'TZS'],
    ['0x10', 'TZS'],
  ] as const) {
    assert.equal(parseAmount(value, currency), null, `${value} ${currency}`);
  }
  assert.deepEqual(parseAmount('10.500', 'TZS'), { minor: 1_050, currency: 'TZS' }, 'zeros after what counts are fine');
});
