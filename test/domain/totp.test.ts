import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromEpochMs } from '../../src/domain/time.ts';
import {
  matchTotp,
  newRecoveryCodes,
  newTotpSecret,
  otpauthUrl,
  recoveryHash,
  totpCode,
  totpStep,
} from '../../src/domain/totp.ts';

/** RFC 6238, appendix B: the ASCII text `12345678901234567890`, in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => fromEpochMs(seconds * 1_000);

for (const [seconds, code] of [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const) {
  test(`the RFC's code at ${seconds} s is ${code}`, () => {
    assert.equal(totpCode(RFC_SECRET, totpStep(at(seconds)), 8), code);
    assert.equal(totpCode(RFC_SECRET, totpStep(at(seconds))), code.slice(2), 'six digits are the last six');
  });
}

test('a code counts one step early and one step late, and no further', () => {
  const step = totpStep(at(1_111_111_111));
  for (const off of [-1, 0, 1]) {
    const code = totpCode(RFC_SECRET, step + off);
    assert.equal(matchTotp(RFC_SECRET, code, at(1_111_111_111), null), step + off);
  }
  for (const off of [-2, 2]) {
    assert.equal(matchTotp(RFC_SECRET, totpCode(RFC_SECRET, step + off), at(1_111_111_111), null), null);
  }
});

test('neither a code that was used nor an older one counts again', () => {
  const step = totpStep(at(1_111_111_111));
  assert.equal(matchTotp(RFC_SECRET, totpCode(RFC_SECRET, step), at(1_111_111_111), step), null);
  assert.equal(matchTotp(RFC_SECRET, totpCode(RFC_SECRET, step - 1), at(1_111_111_111), step), null);
  assert.equal(matchTotp(RFC_SECRET, totpCode(RFC_SECRET, step + 1), at(1_111_111_111), step), step + 1);
});

test('spaces in a code do not count; anything that is not six digits is refused', () => {
  const step = totpStep(at(59));
  assert.equal(totpCode(RFC_SECRET, step), '287082');
  assert.equal(matchTotp(RFC_SECRET, '287 082', at(59), null), step);
  for (const wrong of ['', '287083', '28708', '2870820', 'abcdef']) {
    assert.equal(matchTotp(RFC_SECRET, wrong, at(59), null), null);
  }
});

test('secrets have 160 bits and differ', () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.equal(new Set(secrets).size, 100);
});

test('recovery codes are ten, differ, and are known by their hash however they are written', () => {
  const codes = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) {
    assert.match(code, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    assert.equal(recoveryHash(code.toLowerCase().replaceAll('-', ' ')), recoveryHash(code));
  }
});

test('the address for authenticator apps names business and admin', () => {
  assert.equal(
    otpauthUrl('ABC', 'Café & Wi-Fi', 'asha@example.com'),
    'otpauth://totp/Caf%C3%A9%20%26%20Wi-Fi:asha%40example.com?secret=ABC&issuer=Caf%C3%A9%20%26%20Wi-Fi',
  );
});
