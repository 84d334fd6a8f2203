import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { beem } from '../../src/sms/beem.ts';
import { basic, type SmsDriverUnderTest, startRig, TEXT, testAnswers, testFaults } from './support.ts';

const KEY = '0123456789abcdef';
const SECRET = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

/** docs.beem.africa, "SMS API", "Send SMS". */
const SendBody = v.strictObject({
  source_addr: v.pipe(v.string(), v.maxLength(11)),
  encoding: v.literal(0),
  schedule_time: v.literal(''),
  message: v.string(),
  recipients: v.pipe(
    v.array(v.strictObject({ recipient_id: v.string(), dest_addr: v.pipe(v.string(), v.regex(/^\d{9,15}$/)) })),
    v.length(1),
  ),
});

/** The same page, "Response". */
const submitted = {
  body: {
    successful: true,
    request_id: 35918915,
    code: 100,
    message: 'Message Submitted Successfully',
    valid: 1,
    invalid: 0,
    duplicates: 0,
  },
};
/** The same page, "Error codes"; refusals come with status 400 or 401. */
const refusal = (code: number, message: string, status = 400) => ({ status, body: { code, message } });

const driver: SmsDriverUnderTest = {
  name: 'beem',
  create: (apiUrl, tools) => beem.create({ apiUrl, username: KEY, apiKey: SECRET, senderId: 'LANGO' }, tools),
  play: () => submitted,
  secrets: [SECRET],
};

test('a message goes to Beem as its documents say, the number without a plus', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.send(), { outcome: 'accepted', reference: '35918915', message: null });
  const [request] = rig.server.requests;
  assert.equal(`${request?.method} ${request?.path}`, 'POST /v1/send');
  assert.equal(request?.headers.authorization, basic(KEY, SECRET));
  assert.equal(request?.headers['content-type'], 'application/json');
  const body = v.parse(SendBody, JSON.parse(request?.body ?? ''));
  assert.equal(body.message, TEXT);
  assert.equal(body.source_addr, 'LANGO');
  assert.equal(body.recipients[0]?.dest_addr, '255712345678');
});

testAnswers(driver, [
  ['an invalid number', refusal(101, 'Invalid phone number'), 'refused', /101/],
  ['an empty account', refusal(102, 'Insufficient balance'), 'retry', /102/],
  ['a timeout in its network', refusal(103, 'Network timeout'), 'uncertain', /103/],
  ['a missing field', refusal(104, 'Please provide all required parameters'), 'refused'],
  ['an account that is not found', refusal(105, 'Account not found'), 'refused'],
  ['no route', refusal(106, 'No route mapping to your account'), 'refused'],
  ['an unknown sender', refusal(111, 'Invalid Sender Id'), 'refused', /Invalid Sender Id/],
  ['wrong keys', refusal(120, 'Invalid api_key and/or secret_id', 401), 'retry'],
  ['wrong keys that come with status 200', refusal(120, 'Invalid Authentication Parameters', 200), 'retry'],
  ['a success in HTML', { body: '<h1>Welcome</h1>' }, 'uncertain'],
  ['a success without a code', { body: { successful: true } }, 'uncertain'],
]);

testFaults(driver);
