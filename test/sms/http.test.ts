import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SmsValues } from '../../src/sms/driver.ts';
import { http } from '../../src/sms/http.ts';
import type { SmsTools } from '../../src/sms/transmit.ts';
import { ASHA, basic, formOf, type SmsDriverUnderTest, startRig, TEXT, testAnswers, testFaults } from './support.ts';

const KEY = 'a-long-key-of-the-gateway-0123456789';

function template(change: Partial<SmsValues> & { path?: string } = {}): SmsDriverUnderTest {
  const { path = '/send', ...options } = change;
  return {
    name: 'http',
    create: (apiUrl: string, tools: SmsTools) =>
      http.create(
        {
          apiBody: '{"to": "{to}", "text": "{text}", "from": "{sender}"}',
          apiKey: KEY,
          username: null,
          senderId: 'LANGO',
          ...options,
          apiUrl: `${apiUrl}${path}`,
        },
        tools,
      ),
    play: () => ({ body: 'OK' }),
    secrets: [KEY],
  };
}

test('a JSON template is posted with every value escaped for JSON, and the key as a bearer token', async t => {
  const rig = await startRig(t, template());
  const awkward = 'a "b" \\ c\nd {to} {key} é';
  assert.deepEqual(await rig.send(awkward), { outcome: 'accepted', reference: null, message: null });
  const [request] = rig.server.requests;
  assert.equal(`${request?.method} ${request?.path}`, 'POST /send');
  assert.equal(request?.headers['content-type'], 'application/json');
  assert.equal(request?.headers.authorization, `Bearer ${KEY}`);
  assert.deepEqual(JSON.parse(request?.body ?? ''), { to: ASHA, text: awkward, from: 'LANGO' });
});

test('a form template is posted with every value escaped for a form', async t => {
  const rig = await startRig(t, template({ apiBody: 'phone={digits}&msg={text}', username: 'lango' }));
  await rig.send();
  const [request] = rig.server.requests;
  assert.equal(request?.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.equal(request?.headers.authorization, basic('lango', KEY));
  assert.deepEqual(formOf(request?.body ?? ''), { phone: ASHA.slice(1), msg: TEXT });
});

test('an address without a body is asked by GET, and a key that stands in it is in no header', async t => {
  const path = '/sms?u={username}&k={key}&to={to}&t={text}&s={sender}';
  const rig = await startRig(t, template({ path, apiBody: null, username: 'lango' }));
  await rig.send();
  const [request] = rig.server.requests;
  assert.equal(`${request?.method} ${request?.path}`, 'GET /sms');
  assert.equal(request?.headers.authorization, undefined);
  assert.equal(request?.body, '');
  assert.deepEqual(Object.fromEntries(request?.query ?? []), { u: 'lango', k: KEY, to: ASHA, t: TEXT, s: 'LANGO' });
});

test('a word in braces that is no placeholder stays as it is', async t => {
  const rig = await startRig(t, template({ apiBody: '{"to":"{to}","text":"{text}","tag":"{constructor}"}' }));
  await rig.send();
  assert.equal(JSON.parse(rig.server.requests[0]?.body ?? '').tag, '{constructor}');
});

testAnswers(template(), [
  ['202 without a body', { status: 202, body: '' }, 'accepted'],
  ['404', { status: 404, body: 'No such account' }, 'refused', /404 No such account/],
]);

testFaults(template());
