import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { africastalking } from '../../src/sms/africastalking.ts';
import { ASHA, formOf, type SmsDriverUnderTest, startRig, TEXT, testAnswers, testFaults } from './support.ts';

const KEY = 'atsk_0123456789abcdef0123456789abcdef';

/** developers.africastalking.com/docs/sms/sending/bulk, "Parameters"; numbers in international format with a plus. */
const SendBody = v.strictObject({
  username: v.string(),
  to: v.pipe(v.string(), v.regex(/^\+\d{8,15}$/)),
  message: v.string(),
  from: v.optional(v.string()),
});

/** The same page, "Response". */
const sent = (change: object = {}) => ({
  status: 201,
  body: {
    SMSMessageData: {
      Message: 'Sent to 1/1 Total Cost: KES 0.8000',
      Recipients: [
        {
          statusCode: 101,
          number: ASHA,
          status: 'Success',
          cost: 'KES 0.8000',
          messageId: 'ATPid_SampleTxnId123',
          ...change,
        },
      ],
    },
  },
});
const nobody = (message: string) => ({ status: 201, body: { SMSMessageData: { Message: message, Recipients: [] } } });

const driver: SmsDriverUnderTest = {
  name: 'africastalking',
  create: (apiUrl, tools) =>
    africastalking.create({ apiUrl, username: 'lango', apiKey: KEY, senderId: 'LANGO' }, tools),
  play: () => sent(),
  secrets: [KEY],
};

test('a message goes to Africa’s Talking as its documents say', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.send(), { outcome: 'accepted', reference: 'ATPid_SampleTxnId123', message: null });
  const [request] = rig.server.requests;
  assert.equal(`${request?.method} ${request?.path}`, 'POST /version1/messaging');
  assert.equal(request?.headers['apikey'], KEY);
  assert.equal(request?.headers.accept, 'application/json');
  assert.equal(request?.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.deepEqual(v.parse(SendBody, formOf(request?.body ?? '')), {
    username: 'lango',
    to: ASHA,
    message: TEXT,
    from: 'LANGO',
  });
});

test('without a sender of our own the provider’s shared one is used', async t => {
  const rig = await startRig(t, {
    ...driver,
    create: (apiUrl, tools) => africastalking.create({ apiUrl, username: 'lango', apiKey: KEY, senderId: null }, tools),
  });
  await rig.send();
  assert.ok(!('from' in formOf(rig.server.requests[0]?.body ?? '')));
});

const status = (statusCode: number, name: string) => sent({ statusCode, status: name, messageId: 'None', cost: '0' });

testAnswers(driver, [
  ['a message that is processed', status(100, 'Success'), 'accepted'],
  ['a message that is queued', status(102, 'Success'), 'accepted'],
  ['a number on risk hold', status(401, 'RiskHold'), 'refused', /401 RiskHold/],
  ['an unknown sender', status(402, 'InvalidSenderId'), 'refused', /InvalidSenderId/],
  ['an invalid number', status(403, 'InvalidPhoneNumber'), 'refused'],
  ['an unsupported number', status(404, 'UnsupportedNumberType'), 'refused'],
  ['an empty account', status(405, 'InsufficientBalance'), 'retry', /405 InsufficientBalance/],
  ['a person who wants no messages', status(406, 'UserInBlacklist'), 'refused'],
  ['a number without a route', status(407, 'CouldNotRoute'), 'refused'],
  ['a number that is not to be disturbed', status(409, 'DoNotDisturbRejection'), 'refused'],
  ['an internal error about one recipient', status(500, 'InternalServerError'), 'uncertain'],
  ['a gateway error', status(501, 'GatewayError'), 'uncertain'],
  ['a rejection by the gateway', status(502, 'RejectedByGateway'), 'refused'],
  ['an unknown sender that reaches nobody', nobody('InvalidSenderId'), 'refused', /InvalidSenderId/],
  ['an empty account that reaches nobody', nobody('InsufficientBalance'), 'retry'],
  ['a status that is no number', sent({ statusCode: null }), 'uncertain'],
  ['a success in HTML', { status: 201, body: '<h1>Welcome</h1>' }, 'uncertain'],
  ['a success of another shape', { status: 201, body: { hello: [1] } }, 'uncertain'],
  ['a missing field', { status: 400, body: 'Request is missing required form field "to"' }, 'refused', /required/],
]);

testFaults(driver);
