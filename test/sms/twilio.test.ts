import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { createSmsProvider } from '../../src/sms/index.ts';
import { twilio } from '../../src/sms/twilio.ts';
import { ASHA, basic, formOf, type SmsDriverUnderTest, startRig, TEXT, testAnswers, testFaults } from './support.ts';

const SID = 'AC0123456789abcdef0123456789abcdef';
const TOKEN = 'fedcba9876543210fedcba9876543210';
const SERVICE = 'MG0123456789abcdef0123456789abcdef';

/** github.com/twilio/twilio-oai, twilio_api_v2010.json, CreateMessageRequest: To, and From or MessagingServiceSid, and Body. */
const CreateMessage = v.pipe(
  v.strictObject({
    To: v.pipe(v.string(), v.regex(/^\+[1-9]\d{1,14}$/)),
    From: v.optional(v.string()),
    MessagingServiceSid: v.optional(v.pipe(v.string(), v.length(34), v.regex(/^MG[0-9a-fA-F]{32}$/))),
    Body: v.pipe(v.string(), v.maxLength(1_600)),
  }),
  v.check(body => (body.From === undefined) !== (body.MessagingServiceSid === undefined), 'one sender'),
);

/** twilio.com/docs/messaging/api/message-resource, "Create a Message". */
const created = (change: object = {}) => ({
  status: 201,
  body: {
    account_sid: SID,
    api_version: '2010-04-01',
    body: TEXT,
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from: '+15557122661',
    num_segments: '1',
    price: null,
    sid: 'SM0123456789abcdef0123456789abcdef',
    status: 'queued',
    to: ASHA,
    ...change,
  },
});

/** twilio.com/docs/usage/twilios-response, "Exceptions"; codes of twilio.com/docs/api/errors. */
const error = (status: number, code: number, message: string) => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});

const driver: SmsDriverUnderTest = {
  name: 'twilio',
  create: (apiUrl, tools) => twilio.create({ apiUrl, username: SID, apiKey: TOKEN, senderId: '+15557122661' }, tools),
  play: () => created(),
  secrets: [TOKEN],
};

test('a message is created at Twilio as its API document says', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.send(), {
    outcome: 'accepted',
    reference: 'SM0123456789abcdef0123456789abcdef',
    message: null,
  });
  const [request] = rig.server.requests;
  assert.equal(`${request?.method} ${request?.path}`, `POST /2010-04-01/Accounts/${SID}/Messages.json`);
  assert.equal(request?.headers.authorization, basic(SID, TOKEN));
  assert.equal(request?.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.deepEqual(v.parse(CreateMessage, formOf(request?.body ?? '')), {
    To: ASHA,
    From: '+15557122661',
    Body: TEXT,
  });
});

test('a messaging service takes the place of a number', async t => {
  const rig = await startRig(t, {
    ...driver,
    create: (apiUrl, tools) => twilio.create({ apiUrl, username: SID, apiKey: TOKEN, senderId: SERVICE }, tools),
  });
  await rig.send();
  const body = v.parse(CreateMessage, formOf(rig.server.requests[0]?.body ?? ''));
  assert.equal(body.MessagingServiceSid, SERVICE);
});

test('an API key stands in for the account’s own token', async t => {
  const keySid = 'SK0123456789abcdef0123456789abcdef';
  const config = {
    provider: 'twilio',
    username: `${SID}:${keySid}`,
    apiKey: 'secret',
    senderId: '+15557122661',
  } as const;
  const rig = await startRig(t, {
    ...driver,
    create: (apiUrl, tools) => createSmsProvider({ ...config, apiUrl, apiBody: null }, tools) ?? assert.fail(),
  });
  assert.equal((await rig.send()).outcome, 'accepted');
  const [request] = rig.server.requests;
  assert.equal(request?.path, `/2010-04-01/Accounts/${SID}/Messages.json`);
  assert.equal(request?.headers.authorization, basic(keySid, 'secret'));
});

testAnswers(driver, [
  ['a message that is accepted', created({ status: 'accepted' }), 'accepted'],
  [
    'a message that failed at once',
    created({ status: 'failed', error_code: 30008, error_message: 'Unknown error' }),
    'refused',
    /30008 Unknown error/,
  ],
  ['an invalid number', error(400, 21211, `The 'To' number ${ASHA} is not a valid phone number.`), 'refused', /21211/],
  ['a country that is not enabled', error(400, 21408, 'Permission to send an SMS has not been enabled'), 'refused'],
  ['a person who unsubscribed', error(400, 21610, 'Attempt to send to unsubscribed recipient'), 'refused', /21610/],
  ['a landline', error(400, 21614, "'To' number is not a valid mobile number"), 'refused'],
  ['a sender that is not ours', error(400, 21606, "The 'From' phone number is not a valid number"), 'refused'],
  ['an account that does not exist', error(404, 20404, 'The requested resource was not found'), 'refused'],
  ['wrong keys', error(401, 20003, 'Authenticate'), 'retry'],
  ['too many requests', error(429, 20429, 'Too many requests'), 'retry'],
  ['a service that is unavailable', error(503, 20503, 'Service unavailable'), 'uncertain'],
  ['a success in HTML', { status: 201, body: '<h1>Welcome</h1>' }, 'uncertain'],
  ['a success without a sid', { status: 201, body: { status: 'queued' } }, 'uncertain'],
]);

testFaults(driver);
