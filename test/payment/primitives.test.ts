import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, parseJson, parseJsonBytes, rawNumber, textAt } from '../../src/outbound/json.ts';
import { scrub } from '../../src/outbound/scrub.ts';
import { headerOf, hmacHex, sameText } from '../../src/outbound/signature.ts';
import { fromUnits, majorUnits, readMoney, toUnits } from '../../src/payment/amounts.ts';

/** RFC 4231, section 4: key and data in hex, HMAC-SHA-256, HMAC-SHA-512. Case 5 is about truncation, which we have not. */
const RFC_4231 = [
  {
    title: '1',
    key: '0b'.repeat(20),
    data: Buffer.from('Hi There').toString('hex'),
    sha256: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    sha512:
      '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
  },
  {
    title: '2',
    key: Buffer.from('Jefe').toString('hex'),
    data: Buffer.from('what do ya want for nothing?').toString('hex'),
    sha256: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    sha512:
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  },
  {
    title: '3',
    key: 'aa'.repeat(20),
    data: 'dd'.repeat(50),
    sha256: '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    sha512:
      'fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb',
  },
  {
    title: '4',
    key: Buffer.from(Array.from({ length: 25 }, (_, index) => index + 1)).toString('hex'),
    data: 'cd'.repeat(50),
    sha256: '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
    sha512:
      'b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd',
  },
  {
    title: '6',
    key: 'aa'.repeat(131),
    data: Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First').toString('hex'),
    sha256: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    sha512:
      '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
  },
  {
    title: '7',
    key: 'aa'.repeat(131),
    data: Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ).toString('hex'),
    sha256: '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
    sha512:
      'e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58',
  },
] as const;

for (const vector of RFC_4231) {
  test(`HMAC agrees with test case ${vector.title} of RFC 4231`, () => {
    const key = Buffer.from(vector.key, 'hex');
    const data = Buffer.from(vector.data, 'hex');
    assert.equal(hmacHex('sha256', key, data), vector.sha256);
    assert.equal(hmacHex('sha512', key, data), vector.sha512);
    assert.equal(hmacHex('sha256', key, data.subarray(0, 5), data.subarray(5)), vector.sha256);
  });
}

test('texts are equal only to themselves, and emptiness to nothing', () => {
  assert.equal(sameText('abc', 'abc'), true);
  for (const [given, expected] of [
    ['abd', 'abc'],
    ['ab', 'abc'],
    ['', ''],
    [null, 'abc'],
    ['abc', ''],
  ] as const)
    assert.equal(sameText(given, expected), false);
});

test('a header that was sent twice counts as absent', () => {
  assert.equal(headerOf({ a: 'x' }, 'a'), 'x');
  assert.equal(headerOf({ a: ['x', 'y'] }, 'a'), null);
  assert.equal(headerOf({}, 'a'), null);
});

test('JSON numbers keep the text they were written in', () => {
  const body = parseJson('{"a":1.0,"b":9007199254740993,"c":[1e3,-0.10],"d":"1.0"}');
  assert.equal(textAt(body, 'a'), '1.0');
  assert.equal(textAt(body, 'b'), '9007199254740993');
  assert.equal(textAt(body, 'd'), '1.0');
  assert.equal(JSON.stringify({ a: rawNumber('1000.00') }), '{"a":1000.00}');
});

test('paths lead only to own members, and bytes that are not UTF-8 are not JSON', () => {
  const body = parseJson('{"a":{"b":""},"__proto__":{"c":"d"}}');
  assert.equal(textAt(body, 'a', 'b'), null);
  assert.equal(textAt(body, 'a', 'b', 'c'), null);
  assert.equal(field(body, 'toString'), undefined);
  assert.equal(textAt(body, '__proto__', 'c'), 'd');
  assert.equal(textAt(body, 'c'), null);
  assert.equal(parseJsonBytes(Buffer.from([0x22, 0xc3, 0x28, 0x22])), undefined);
  assert.equal(parseJson('{'), undefined);
});

test('units shift the decimal point and never round', () => {
  assert.equal(toUnits({ minor: 100_000, currency: 'TZS' }, 2), '100000');
  assert.equal(toUnits({ minor: 100_000, currency: 'TZS' }, 0), '1000');
  assert.equal(toUnits({ minor: 100_050, currency: 'TZS' }, 0), null);
  assert.equal(toUnits({ minor: 500, currency: 'JPY' }, 0), '500');
  assert.equal(toUnits({ minor: 500, currency: 'XOF' }, 2), '50000');
  assert.equal(toUnits({ minor: 1_234, currency: 'KWD' }, 3), '1234');
  assert.equal(toUnits({ minor: 5, currency: 'USD' }, 2), '5');
  assert.equal(toUnits({ minor: 0, currency: 'USD' }, 2), '0');
  assert.deepEqual(fromUnits('100000', 2, 'tzs'), { minor: 100_000, currency: 'TZS' });
  assert.deepEqual(fromUnits('50000', 2, 'XOF'), { minor: 500, currency: 'XOF' });
  assert.deepEqual(fromUnits('5', 2, 'USD'), { minor: 5, currency: 'USD' });
  assert.equal(fromUnits('50001', 2, 'XOF'), null);
  for (const units of ['1.5', '-5', '', 'abc', '1e3', null]) assert.equal(fromUnits(units, 2, 'USD'), null);
});

test('an amount without a currency, or with nonsense for one, is no amount', () => {
  assert.deepEqual(readMoney('1000.0', 'tzs'), { minor: 100_000, currency: 'TZS' });
  for (const currency of [null, '', 'TZ', 'T2S', 'TZSX', '<b>']) assert.equal(readMoney('1', currency), null);
  for (const amount of [null, '', '1,000', 'NaN', '1.001', '99999999999999999'])
    assert.equal(readMoney(amount, 'TZS'), null);
  assert.equal(majorUnits({ minor: 100_000, currency: 'TZS' }), '1000');
  assert.equal(majorUnits({ minor: 1_050, currency: 'USD' }), '10.50');
});

test('a provider’s words lose phone numbers, addresses, keys and length before they are kept', () => {
  assert.equal(scrub('Customer +255 712 345 678 not found'), 'Customer … not found');
  assert.equal(scrub('no 255712345678@wifi.example here'), 'no …@… here');
  assert.equal(scrub('Invalid API Key provided: sk_test_51H8x9example0000000000'), 'Invalid API Key provided: …');
  assert.equal(scrub('Minimum is 1000\nTZS'), 'Minimum is 1000 TZS');
  assert.equal(scrub('word '.repeat(100)).length, 200);
});
