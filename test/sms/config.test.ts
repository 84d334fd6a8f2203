import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../src/config.ts';
import { createSmsProvider, type SmsConfig, smsConfigProblems } from '../../src/sms/index.ts';
import { recordingLog } from '../payment/support.ts';

const NONE: SmsConfig = {
  provider: 'none',
  apiUrl: null,
  apiBody: null,
  apiKey: null,
  username: null,
  senderId: null,
};
const SID = `AC${'0'.repeat(32)}`;

test('messages are off until a provider is configured', () => {
  assert.deepEqual(smsConfigProblems(NONE), []);
  assert.equal(createSmsProvider(NONE, { log: recordingLog() }), null);
  assert.equal(readConfig({}).sms.provider, 'none');
});

for (const [provider, complete, needed] of [
  ['africastalking', { username: 'lango', apiKey: 'k' }, ['USERNAME', 'API_KEY']],
  ['twilio', { username: SID, apiKey: 'k', senderId: '+15557122661' }, ['USERNAME', 'API_KEY', 'SENDER_ID']],
  ['nextsms', { apiKey: 'k', senderId: 'LANGO' }, ['API_KEY', 'SENDER_ID']],
  ['beem', { username: 'lango', apiKey: 'k', senderId: 'LANGO' }, ['USERNAME', 'API_KEY', 'SENDER_ID']],
  ['http', { apiUrl: 'http://gateway.example/?to={to}&text={text}' }, ['API_URL']],
] as const) {
  test(`${provider} says all at once which variables it misses`, () => {
    const problems = smsConfigProblems({ ...NONE, provider });
    for (const name of needed) assert.ok(problems.some(problem => problem.startsWith(`LANGO_SMS_${name} is missing`)));
    assert.equal(problems.length, needed.length);
  });

  test(`${provider} is content with what it needs`, () => {
    const config = { ...NONE, ...complete, provider };
    assert.deepEqual(smsConfigProblems(config), []);
    assert.equal(createSmsProvider(config, { log: recordingLog() })?.name, provider);
  });
}

test('a template that names nobody, a body nobody uses, and a wrong account are reported', () => {
  const http = { ...NONE, provider: 'http', apiUrl: 'https://gateway.example/send' } as const;
  assert.match(smsConfigProblems(http).join(), /no \{to\}/);
  assert.deepEqual(smsConfigProblems({ ...http, apiBody: 'to={digits}&text={text}' }), []);
  const beem = { ...NONE, provider: 'beem', username: 'u', apiKey: 'k', senderId: 's', apiBody: 'x' } as const;
  assert.match(smsConfigProblems(beem).join(), /LANGO_SMS_API_BODY/);
  const twilio = { ...NONE, provider: 'twilio', username: 'lango', apiKey: 'k', senderId: 's' } as const;
  assert.match(smsConfigProblems(twilio).join(), /account SID/);
  assert.match(smsConfigProblems({ ...twilio, username: `SK${'0'.repeat(32)}` }).join(), /AC…:SK…/);
  assert.deepEqual(smsConfigProblems({ ...twilio, username: `${SID}:SK${'0'.repeat(32)}` }), []);
});

test('the problems of messages are reported with all others when the program starts', () => {
  assert.throws(
    () => readConfig({ LANGO_SMS_PROVIDER: 'twilio', LANGO_CURRENCY: 'x', LANGO_SMS_API_KEY: 'top secret' }),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /LANGO_CURRENCY/);
      assert.match(error.message, /LANGO_SMS_USERNAME/);
      assert.doesNotMatch(error.message, /top secret/);
      return true;
    },
  );
});

test('a provider that nobody knows is reported with all others, and with those that are known', () => {
  assert.throws(
    () => readConfig({ LANGO_SMS_PROVIDER: 'pigeon', LANGO_PAYMENT_PROVIDER: 'barter', LANGO_CURRENCY: 'x' }),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(error.problems.length, 3);
      assert.match(error.message, /LANGO_CURRENCY/);
      assert.match(error.message, /^LANGO_PAYMENT_PROVIDER is "barter", which is not one of none, sandbox, /m);
      assert.match(error.message, /^LANGO_SMS_PROVIDER is "pigeon", which is not one of none, africastalking, /m);
      return true;
    },
  );
});
