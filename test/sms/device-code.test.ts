/** Codes by SMS that prove a number: sent to customers alone, told by nothing, right once and where they were asked for. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SMS_LANGUAGES } from '../../src/contract/settings.ts';
import { gsmPlaces, smsText, toGsm } from '../../src/domain/sms-texts.ts';
import { type ProviderServer, type Scripted, startProvider } from '../payment/support.ts';
import { type AppOptions, startApp, type TestApp, until } from '../support/app.ts';
import { assertShape, string } from '../support/shape.ts';

const ASHA = '+255712345678';
const STRANGER = '+255699000111';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const NEW_PHONE = { mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };
const THIEF = '10.5.50.99';
const MINUTE = 60_000;

const from = (address: string) => ({ 'x-forwarded-for': address });

interface Rig {
  app: TestApp;
  gateway: ProviderServer;
  ask(phone: string, address: string): ReturnType<TestApp['post']>;
  /** Asks for a code, and reads it off the message. */
  code(address: string): Promise<string>;
  remove(address: string, proof: string): Promise<number>;
  verify(address: string, proof?: string): ReturnType<TestApp['post']>;
}

/** Asha is online by a voucher on her phone, and the message about it is out. */
async function startRig(t: TestContext, options: AppOptions = {}): Promise<Rig> {
  const gateway = await startProvider(t, (): Scripted => ({ body: 'OK' }));
  const app = await startApp(t, {
    router: true,
    ...options,
    environment: {
      LANGO_TRUSTED_PROXIES: '127.0.0.1',
      LANGO_SMS_PROVIDER: 'http',
      LANGO_SMS_API_URL: `${gateway.url}/send`,
      LANGO_SMS_API_BODY: '{"to":"{to}","text":"{text}"}',
      LANGO_SMS_API_KEY: 'the-key-of-the-gateway',
      ...options.environment,
    },
  });
  app.router.join(PHONE);
  app.router.join(NEW_PHONE);
  const [code] = await app.issueVouchers({ hours: 240 });
  const body = { voucher_code: code, phone_number: ASHA, mac_address: PHONE.mac };
  assert.equal((await app.post('/api/vouchers/redeem/', body, from(PHONE.address))).status, 200);
  await app.schedule.run('send sms');
  const ask: Rig['ask'] = (phone, address) => app.post('/api/devices/proof/', { phone_number: phone }, from(address));
  const queued = () => app.context.reads.sms.due(app.context.clock.now(), 10).length > 0;
  return {
    app,
    gateway,
    ask,
    async code(address) {
      assert.equal((await ask(ASHA, address)).status, 200);
      await until(queued);
      await app.schedule.run('send sms');
      const { to, text } = JSON.parse(gateway.requests.at(-1)?.body ?? '{}');
      assert.equal(to, ASHA);
      return /\b\d{6}\b/.exec(text)?.[0] ?? assert.fail(text);
    },
    async remove(address, proof) {
      const device = { phone_number: ASHA, mac_address: PHONE.mac, proof };
      return (await app.post('/api/devices/remove/', device, from(address))).status;
    },
    verify: (address, proof) =>
      app.post('/api/verify/', { phone_number: ASHA, mac_address: NEW_PHONE.mac, proof }, from(address)),
  };
}

test('a code makes the whole way to a new phone, and lets one device in', async t => {
  const { app, code, remove, verify } = await startRig(t);
  await app.post('/api/admin/settings/devices/', { new_devices: 'with_proof' }, app.admin);
  const right = await code(NEW_PHONE.address);
  assert.equal((await verify(NEW_PHONE.address, right)).body.device_allowed, false, 'there is no room yet');
  assert.equal(await remove(NEW_PHONE.address, `${right.slice(0, 3)} ${right.slice(3)}`), 200);
  assert.equal((await verify(NEW_PHONE.address)).body.proof_required, true);
  assert.equal((await verify(NEW_PHONE.address, right)).body.device_allowed, true);
  const device = { phone_number: ASHA, mac_address: NEW_PHONE.mac };
  await app.post('/api/devices/remove/', device, from(NEW_PHONE.address));
  const again = await verify(NEW_PHONE.address, right);
  assert.deepEqual([again.status, again.body.code], [403, 'PROOF_REQUIRED'], 'one device');
});

test('the reply does not tell which numbers are customers, and only those get a message', async t => {
  const { app, gateway, ask } = await startRig(t);
  const sent = gateway.requests.length;
  const [known, unknown] = [await ask(ASHA, NEW_PHONE.address), await ask(STRANGER, THIEF)];
  assert.equal(known.status, 200);
  assert.equal(known.body.success, true);
  assert.deepEqual([unknown.status, unknown.body], [known.status, known.body]);
  await until(() => app.context.reads.sms.due(app.context.clock.now(), 10).length === 1);
  for (let run = 0; run < 3; run += 1) await app.schedule.run('send sms');
  assert.deepEqual(
    gateway.requests.slice(sent).map(request => JSON.parse(request.body).to),
    [ASHA],
  );
});

test('three codes an hour go to a number, whoever asks; ten are asked for from an address', async t => {
  const { app, ask } = await startRig(t);
  for (const phone of [ASHA, STRANGER]) {
    for (const address of [THIEF, PHONE.address, NEW_PHONE.address])
      assert.equal((await ask(phone, address)).status, 200);
    const held = await ask(phone, '10.5.50.77');
    assert.equal(held.status, 429, 'known or not');
    assert.ok(Number(held.headers.get('retry-after')) > 0);
  }
  const numbers = Array.from({ length: 11 }, (_, n) => `+2557120000${10 + n}`);
  const statuses = [];
  for (const phone of numbers) statuses.push((await ask(phone, '10.5.50.88')).status);
  assert.deepEqual(statuses, [...Array(10).fill(200), 429]);
  app.clock.advance(60 * MINUTE);
  assert.equal((await ask(ASHA, '10.5.50.88')).status, 200);
});

test('five wrong tries void a code, ten minutes do, a newer one does', async t => {
  const { app, code, remove } = await startRig(t);
  const other = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0');
  const first = await code(NEW_PHONE.address);
  for (let tried = 0; tried < 5; tried += 1) assert.equal(await remove(NEW_PHONE.address, other(first)), 403);
  assert.equal(await remove(NEW_PHONE.address, first), 403, 'worn out');
  const second = await code(NEW_PHONE.address);
  const third = await code(NEW_PHONE.address);
  if (second !== third) assert.equal(await remove(NEW_PHONE.address, second), 403, 'replaced');
  app.clock.advance(10 * MINUTE - 1);
  assert.equal(await remove(NEW_PHONE.address, third), 200, 'up to the last moment');
  await app.post('/api/verify/', { phone_number: ASHA, mac_address: PHONE.mac }, from(PHONE.address));
  app.clock.advance(1);
  assert.equal(await remove(NEW_PHONE.address, third), 403, 'too late');
});

test('a code is right where it was asked for: nobody else uses it, or wears it out', async t => {
  const { code, ask, remove } = await startRig(t);
  const right = await code(NEW_PHONE.address);
  assert.equal(await remove(THIEF, right), 403);
  for (let tried = 0; tried < 8; tried += 1) assert.equal(await remove(THIEF, `00000${tried}`), 403);
  assert.equal((await ask(ASHA, THIEF)).status, 200, 'one of their own does not replace it');
  assert.equal(await remove(NEW_PHONE.address, right), 200);
});

test('a code is on no disk, in no log and in no list; a message that lost its code is not sent', async t => {
  const { app, code, ask, gateway } = await startRig(t);
  const right = await code(NEW_PHONE.address);
  const [message] = (await app.get('/api/admin/sms/', app.admin)).body.messages;
  assert.equal(message.kind, 'device_code');
  assert.match(message.text, /\{code\}/);
  for (const name of readdirSync(app.dataDir)) {
    const bytes = readFileSync(join(app.dataDir, name)).toString('latin1');
    assert.ok(!new RegExp(`(?<!\\d)${right}(?!\\d)`).test(bytes), name);
  }
  assert.ok(!app.logged.some(line => new RegExp(`(?<!\\d)${right}(?!\\d)`).test(line)));
  const sent = gateway.requests.length;
  await ask(ASHA, NEW_PHONE.address);
  await until(() => app.context.reads.sms.due(app.context.clock.now(), 10).length === 1);
  app.context.proofCodes.useUp(ASHA as never, NEW_PHONE.address);
  await app.schedule.run('send sms');
  const [lost] = (await app.get('/api/admin/sms/', app.admin)).body.messages;
  assert.deepEqual([lost.status, gateway.requests.length], ['failed', sent]);
});

test('without a provider, and when the day has no more messages for codes, it is said', async t => {
  const without = await startApp(t);
  const none = await without.post('/api/devices/proof/', { phone_number: ASHA });
  assert.equal(none.status, 503);
  assertShape(none.body, { success: false, error: string, message: string, code: 'SMS_UNAVAILABLE' });

  const { app, code, ask } = await startRig(t);
  await app.post('/api/admin/settings/limits/', { sms_per_day: 5, sms_per_number_per_day: 1 }, app.admin);
  await code(NEW_PHONE.address);
  for (const phone of [ASHA, STRANGER]) {
    const used = await ask(phone, PHONE.address);
    assert.deepEqual([used.status, used.body.code], [503, 'SMS_UNAVAILABLE'], 'a fifth of the day, known or not');
  }
});

test('in every language the message fits one of the GSM alphabet, code and all', () => {
  for (const language of SMS_LANGUAGES) {
    const text = smsText('device_code', language, { bundle: '', amount: '', until: '', code: '{code}' });
    assert.ok(gsmPlaces(text) <= 160 && text.includes('{code}') && toGsm(text) === text, `${language}: ${text}`);
  }
});
