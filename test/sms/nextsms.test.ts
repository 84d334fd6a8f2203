import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { nextsms } from '../../src/sms/nextsms.ts';
import { ASHA, basic, type SmsDriverUnderTest, startRig, TEXT, testAnswers, testFaults } from './support.ts';

const PASSWORD = 'open sesame, open wide';

/** documenter.getpostman.com/view/4680389/SW7dX7JL, "Send single SMS message to single destination". */
const SingleText = v.strictObject({
  from: v.pipe(v.string(), v.maxLength(11)),
  to: v.pipe(v.string(), v.regex(/^\d{9,15}$/)),
  text: v.string(),
});

/** The same page, "Response" and "Status object". */
const submitted = (groupName: string, name: string, description: string) => ({
  body: {
    messages: [
      {
        to: ASHA.slice(1),
        status: { groupId: 18, groupName, id: 51, name, description },
        messageId: '28089492984101631440',
        smsCount: 1,
      },
    ],
  },
});

const driver: SmsDriverUnderTest = {
  name: 'nextsms',
  create: (apiUrl, tools) => nextsms.create({ apiUrl, username: 'lango', apiKey: PASSWORD, senderId: 'LANGO' }, tools),
  play: () => submitted('PENDING', 'ENROUTE (SENT)', 'Message sent to next instance'),
  secrets: [PASSWORD],
};

test('a message goes to NextSMS as its documents say, the number without a plus', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.send(), { outcome: 'accepted', reference: '28089492984101631440', message: null });
  const [request] = rig.server.requests;
  assert.equal(`${request?.method} ${request?.path}`, 'POST /api/sms/v1/text/single');
  assert.equal(request?.headers.authorization, basic('lango', PASSWORD));
  assert.equal(request?.headers['content-type'], 'application/json');
  assert.equal(request?.headers.accept, 'application/json');
  assert.deepEqual(v.parse(SingleText, JSON.parse(request?.body ?? '')), {
    from: 'LANGO',
    to: '255712345678',
    text: TEXT,
  });
});

test('a token without a user name goes to version 2, as a bearer token', async t => {
  const rig = await startRig(t, {
    ...driver,
    create: (apiUrl, tools) =>
      nextsms.create({ apiUrl, username: null, apiKey: 'api-token', senderId: 'LANGO' }, tools),
  });
  assert.equal((await rig.send()).outcome, 'accepted');
  const [request] = rig.server.requests;
  assert.equal(`${request?.method} ${request?.path}`, 'POST /api/sms/v2/text/single');
  assert.equal(request?.headers.authorization, 'Bearer api-token');
  v.parse(SingleText, JSON.parse(request?.body ?? ''));
});

const rejected = (name: string) => submitted('REJECTED', name, 'Rejected');

testAnswers(driver, [
  ['a message that is waiting', submitted('PENDING', 'PENDING_WAITING_DELIVERY', 'Waiting'), 'accepted'],
  ['a message that is delivered', submitted('DELIVERED', 'DELIVERED_TO_HANDSET', 'Delivered'), 'accepted'],
  ['an empty account', rejected('REJECTED_NOT_ENOUGH_CREDITS'), 'retry', /NOT ENOUGH CREDITS/],
  ['a sender on the blacklist', rejected('REJECTED_SENDER'), 'refused', /REJECTED SENDER/],
  ['a network that is not served', rejected('REJECTED_NETWORK'), 'refused'],
  ['a number on the blacklist', rejected('REJECTED_DESTINATION'), 'refused'],
  ['an invalid number', rejected('REJECTED_INVALID_DESTINATION'), 'refused'],
  ['a message that cannot be delivered', submitted('UNDELIVERABLE', 'UNDELIVERABLE_REJECTED_OPERATOR', ''), 'refused'],
  ['a group nobody documented', submitted('DREAMING', 'DREAMING', ''), 'refused', /DREAMING/],
  [
    'a request that is not understood',
    { status: 400, body: { requestError: { serviceException: { messageId: 'BAD_REQUEST', text: 'Bad request' } } } },
    'refused',
    /Bad request/,
  ],
  ['a success in HTML', { body: '<h1>Welcome</h1>' }, 'uncertain'],
  ['a success without messages', { body: { messages: [] } }, 'uncertain'],
]);

testFaults(driver);
