import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SMS_LANGUAGES } from '../../src/contract/settings.ts';
import type { SmsKind } from '../../src/domain/sms.ts';
import { gsmPlaces, smsText, toGsm } from '../../src/domain/sms-texts.ts';

const KINDS: readonly SmsKind[] = [
  'payment_received',
  'receipt',
  'voucher_redeemed',
  'access_ending',
  'access_expired',
  'refund',
  'vouchers',
];
const CODE = 'ABCD-EFGH-2345';

/** 3GPP TS 23.038, tables 6.2.1 and 6.2.1.1, written out by row. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅå' +
  'Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
  ' !"#¤%&\'()*+,-./' +
  '0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNO' +
  'PQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmno' +
  'pqrstuvwxyzäöñüà';
const EXTENSION = '\f^{}\\[~]|€';

function septets(text: string): number {
  return [...text].reduce((sum, letter) => {
    if (BASIC.includes(letter)) return sum + 1;
    assert.ok(EXTENSION.includes(letter), `${JSON.stringify(letter)} is not of the GSM alphabet`);
    return sum + 2;
  }, 0);
}

const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(...Array.from(EXTENSION + BASIC)), maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('é', 'ş', 'ç', 'ü', '—', '’', '…', 'ى', 'हि', '日', '👍🏽'), maxLength: 200 }),
);

test('whatever a bundle is called and costs, a message fits 160 places of the GSM alphabet', () => {
  const languages = [...SMS_LANGUAGES, 'ar', 'hi', 'xx', ''];
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS),
      fc.constantFrom(...languages),
      anyName,
      fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constant('TZS 100000000000.00')),
      (kind, language, bundle, amount) => {
        const text = smsText(kind, language, {
          bundle,
          amount,
          until: '2026-11-21 18:20',
          receipt: 'R00042',
          code: CODE,
        });
        assert.ok(septets(text) <= 160, `${septets(text)} places: ${text}`);
        assert.equal(gsmPlaces(text), septets(text));
        if (kind === 'vouchers') assert.ok(text.endsWith(CODE), text);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('with any name, what matters is still in the message', () => {
  for (const language of SMS_LANGUAGES) {
    const values = {
      bundle: '€'.repeat(100),
      amount: 'TZS 1,000',
      until: '2026-11-21 18:20',
      receipt: 'R00042',
      code: CODE,
    };
    const received = smsText('payment_received', language, values);
    assert.match(received, /TZS 1,000/);
    assert.match(received, /2026-11-21 18:20/);
    assert.ok(gsmPlaces(received) > 150, `shortened too far: ${received}`);
    assert.match(smsText('receipt', language, values), /R00042.*TZS 1,000.*2026-11-21 18:20/);
    assert.match(smsText('access_ending', language, values), /2026-11-21 18:20/);
  }
});

test('no language’s own words are written with a question mark for a letter', () => {
  for (const language of SMS_LANGUAGES) {
    for (const kind of KINDS) {
      const text = smsText(kind, language, { bundle: 'B', amount: 'A', until: 'U', receipt: 'R', code: CODE });
      assert.doesNotMatch(text, /\?/, text);
    }
  }
});

test('the five languages differ, and those that the alphabet cannot write get English', () => {
  const texts = SMS_LANGUAGES.map(language =>
    smsText('access_expired', language, { bundle: '', amount: '', until: '' }),
  );
  assert.equal(new Set(texts).size, 5);
  for (const language of ['ar', 'hi', 'zz']) {
    assert.equal(smsText('access_expired', language, { bundle: '', amount: '', until: '' }), texts[0]);
  }
});

test('letters lose accents that the alphabet lacks and keep those it has', () => {
  assert.equal(toGsm('reçu à Paris, là-bas’s “one” – été'), 'recu à Paris, là-bas\'s "one" - été');
  assert.equal(toGsm('São João ½ ﬁne'), 'Sao Joao ? fine');
  assert.equal(toGsm('Wi‑Fi 日本 👍'), 'Wi?Fi ?? ?');
  assert.equal(toGsm('a\tb\nc d'), 'a b c d');
});
