import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import {
  maskPhone,
  type Phone,
  parsePhone,
  routerUserName,
  searchDigits,
  stripDeviceSuffix,
} from '../../src/domain/phone.ts';

const ASHA = '+255712345678';

test('every accepted writing of a number has one canonical form', () => {
  const writings = [
    '+255712345678',
    '255712345678',
    '0712345678',
    '712345678',
    '00255712345678',
    '0712 345 678',
    '0712-345-678',
    '(0712) 345.678',
    '+255 712 345 678',
    ' 0712345678 ',
    '٠٧١٢٣٤٥٦٧٨',
    '۰۷۱۲۳۴۵۶۷۸',
    '०७१२३४५६७८',
    '０７１２３４５６７８',
    '0712\u00a0345\u2011678',
  ];
  for (const writing of writings) assert.equal(parsePhone(writing, 'TZ'), ASHA, JSON.stringify(writing));
});

test('a number of another country needs its country code', () => {
  assert.equal(parsePhone('+254712345678', 'TZ'), '+254712345678');
  assert.equal(parsePhone('254712345678', 'TZ'), '+254712345678');
  assert.equal(parsePhone('0712345678', 'TZ'), '+255712345678');
  assert.equal(parsePhone('0712345678', 'KE'), '+254712345678');
  assert.equal(parsePhone('+14155552671', 'TZ'), '+14155552671');
});

test('what is not the number of a mobile phone is refused', () => {
  const refused = ['', ' ', '0', '12345', '0712', '+255', '+2557123456789', 'abc', '0712345678x', '+255+712345678'];
  // A landline in Dar es Salaam, a toll-free number, too long to be looked at.
  refused.push('+255222123456', '+255800110051', `0712345678${' '.repeat(50)}`, '0712345678\u0000');
  for (const text of refused) assert.equal(parsePhone(text, 'TZ'), null, JSON.stringify(text));
});

test('a canonical number is read back as itself, with and without its plus', () => {
  const mobile = fc.tuple(fc.constantFrom('71', '74', '75', '76', '68', '62'), fc.integer({ min: 0, max: 9_999_999 }));
  fc.assert(
    fc.property(mobile, ([prefix, rest]) => {
      const phone = parsePhone(`0${prefix}${String(rest).padStart(7, '0')}`, 'TZ');
      assert.ok(phone !== null);
      assert.equal(parsePhone(phone, 'TZ'), phone);
      assert.equal(parsePhone(phone.slice(1), 'TZ'), phone);
      assert.equal(parsePhone(phone, 'KE'), phone);
    }),
  );
});

test('in every country the digits of a number alone are read as they are with a space between them', () => {
  const countries = getCountries().filter(country => getExampleNumber(country, examples) !== undefined);
  const digit = fc.integer({ min: 0, max: 9 });
  const changes = fc.array(fc.tuple(fc.nat(20), digit), { maxLength: 4 });
  const number = fc
    .constantFrom(...countries)
    .chain(country => fc.tuple(fc.constant(country), changes, fc.boolean(), fc.integer({ min: -1, max: 1 })));
  fc.assert(
    fc.property(number, ([country, changed, hasPlus, longer]) => {
      const digits = [...(getExampleNumber(country, examples)?.nationalNumber ?? '')];
      for (const [place, value] of changed) digits[place % digits.length] = String(value);
      const national = longer < 0 ? digits.slice(1).join('') : digits.join('') + '7'.repeat(longer);
      const text = `${hasPlus ? '+' : ''}${getCountryCallingCode(country)}${national}`;
      assert.equal(parsePhone(text, country), parsePhone(text.replace(/.$/, ' $&'), country), `${text} in ${country}`);
    }),
    { numRuns: 5_000 },
  );
});

test('no text makes the parser throw, and what it accepts is E.164', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
      const phone = parsePhone(text, 'TZ');
      assert.ok(phone === null || /^\+\d{7,15}$/.test(phone));
    }),
  );
});

test('a router user name is the number without its plus, and a suffix for further devices', () => {
  const phone = ASHA as Phone;
  assert.equal(routerUserName(phone, 1), '255712345678');
  assert.equal(routerUserName(phone, 3), '255712345678-3');
  for (let slot = 1; slot < 100; slot += 1)
    assert.equal(stripDeviceSuffix(routerUserName(phone, slot)), '255712345678');
  assert.equal(stripDeviceSuffix('0712-345-678'), '0712-345-678', 'dashes of a number as people write it stay');
});

test('a part of a number finds it in any accepted form', () => {
  for (const part of ['0712345', '712 345', '+255712', '255-712', '٧١٢٣٤٥']) {
    assert.ok(ASHA.includes(searchDigits(part)), part);
  }
});

test('a masked number does not tell the number', () => {
  assert.equal(maskPhone(ASHA), '+2557…678');
  assert.equal(maskPhone('+123'), '…');
});
