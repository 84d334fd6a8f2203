import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseIp, parseMac } from '../../src/domain/mac.ts';

test('colons, dashes, dots and bare hex of any case are one address', () => {
  for (const text of [
    'a4:83:e7:12:34:56',
    'A4-83-E7-12-34-56',
    'a483.e712.3456',
    'A483E7123456',
    ' a4:83:E7:12:34:56 ',
  ]) {
    assert.equal(parseMac(text), 'A4:83:E7:12:34:56', text);
  }
});

test('addresses that are not of one station are refused', () => {
  for (const text of [
    '00:00:00:00:00:00',
    'FF:FF:FF:FF:FF:FF',
    '01:00:5E:00:00:FB',
    '33:33:00:00:00:01',
    'A4:83:E7:12:34',
    'A4:83:E7:12:34:56:78',
    'A4:83-E7:12:34:56',
    'A4:83:E7:12:34:5G',
    '',
  ]) {
    assert.equal(parseMac(text), null, text);
  }
});

test('the canonical form of any station’s address is a fixed point', () => {
  const octets = fc.uint8Array({ minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(octets, bytes => {
      const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0'));
      const isStation = ((bytes[0] ?? 0) & 1) === 0 && bytes.some(byte => byte !== 0);
      const parsed = parseMac(hex.join('-'));
      assert.equal(parsed, isStation ? hex.join(':').toUpperCase() : null);
      if (parsed !== null) assert.equal(parseMac(parsed), parsed);
    }),
  );
});

test('IP addresses have one text', () => {
  assert.equal(parseIp('10.5.50.23'), '10.5.50.23');
  assert.equal(parseIp('::ffff:10.5.50.23'), '10.5.50.23');
  assert.equal(parseIp('2001:DB8:0:0:0:0:0:1'), '2001:db8::1');
  for (const text of [
    '',
    '10.5.50',
    '10.5.50.256',
    '0x0a.5.50.23',
    '010.5.50.23',
    '10.5.50.23/24',
    'localhost',
    'fe80::1::2',
  ]) {
    assert.equal(parseIp(text), null, text);
  }
});
