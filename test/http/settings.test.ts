/** What the owner sets while the appliance runs: the words of messages, and limits. It all holds at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp, until } from '../support/app.ts';
import { hire } from '../support/staff.ts';

const juma = '+255754321987';
const mary = '+255765222333';
const MESSAGES = '/api/admin/settings/messages/';
const LIMITS = '/api/admin/settings/limits/';
const SMS = {
  LANGO_SMS_PROVIDER: 'http',
  LANGO_SMS_API_URL: 'http://127.0.0.1:1/?to={to}&text={text}',
  LANGO_SMS_API_KEY: 'sms-key',
};

interface Text {
  language: string;
  kind: string;
  placeholders: string[];
  built_in: string;
  own: string | null;
  example: string;
}

const settingsOf = async (app: TestApp) => (await app.get('/api/admin/settings/', app.admin)).body.settings;
const textIn = (texts: Text[], language: string, kind: string): Text => {
  const found = texts.find(text => text.language === language && text.kind === kind);
  assert.ok(found, `${language} ${kind}`);
  return found;
};
const outbox = async (app: TestApp): Promise<{ text: string; status: string; message: string | null }[]> =>
  (await app.get('/api/admin/sms/', app.admin)).body.messages;
const auditOf = async (app: TestApp, action: string) =>
  (await app.get(`/api/admin/audit-log/?action=${action}`, app.admin)).body.entries;

test('the settings list the words of every message in every language that messages speak', async t => {
  const app = await startApp(t);
  const { messages } = await settingsOf(app);
  assert.equal(messages.length, 5 * 8);
  const french = textIn(messages, 'fr', 'vouchers');
  assert.deepEqual(french, {
    language: 'fr',
    kind: 'vouchers',
    placeholders: ['bundle', 'code'],
    built_in: 'Bon Wi-Fi pour {bundle} : {code}',
    own: null,
    example: 'Bon Wi-Fi pour Two months : ABCD-EFGH-2345',
  });
  for (const { example, own } of messages) {
    assert.equal(own, null);
    assert.doesNotMatch(example, /[{}?]/);
  }
});

test('a text of the business’s own is sent at once, in its language only, until it is taken back', async t => {
  const app = await startApp(t, { environment: { ...SMS, LANGO_LANGUAGE: 'sw' } });
  const text = 'Asante! {bundle} ni yako hadi {until}. {bundle} $& karibu';
  const change = { language: 'sw', kind: 'voucher_redeemed', text };
  const { status, body } = await app.post(MESSAGES, change, app.admin);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(textIn(body.messages, 'sw', 'voucher_redeemed').own, text);
  assert.equal(
    textIn(body.messages, 'sw', 'voucher_redeemed').example,
    'Asante! Two months ni yako hadi 2026-11-21 18:20. Two months $& karibu',
  );
  assert.equal(textIn(body.messages, 'en', 'voucher_redeemed').own, null);
  const english = { ...change, language: 'en', text: 'Enjoy {bundle} until {until}.' };
  assert.equal((await app.post(MESSAGES, english, app.admin)).status, 200);

  const codes = await app.issueVouchers({ quantity: 2 });
  await app.redeem(codes[0]!, juma);
  assert.match((await outbox(app))[0]!.text, /^Asante! (.+) ni yako hadi 2026-11-22 13:00\. \1 \$& karibu$/);

  const back = await app.post(MESSAGES, { ...change, text: '' }, app.admin);
  assert.equal(textIn(back.body.messages, 'sw', 'voucher_redeemed').own, null);
  assert.equal(textIn(back.body.messages, 'en', 'voucher_redeemed').own, english.text, 'the other one stays');
  await app.redeem(codes[1]!, mary);
  assert.match((await outbox(app))[0]!.text, /^Vocha yako ya /);

  const entries = await auditOf(app, 'settings.messages');
  assert.equal(entries.length, 3);
  assert.deepEqual(entries[0].before, { language: 'sw', kind: 'voucher_redeemed', text });
  assert.deepEqual(entries[0].after, { language: 'sw', kind: 'voucher_redeemed', text: null });
});

test('who reads a language that messages cannot write gets the business’s own English', async t => {
  const app = await startApp(t, { environment: { ...SMS, LANGO_LANGUAGE: 'hi' } });
  const text = 'Code for you: {code}';
  await app.post(MESSAGES, { language: 'en', kind: 'vouchers', text }, app.admin);
  const bundle = await app.createBundle();
  const order = { bundle_id: bundle.id, quantity: 1, expiry_days: 5, phone_number: juma };
  const { body } = await app.post('/api/vouchers/generate/', order, app.admin);
  assert.equal((await outbox(app))[0]!.text, `Code for you: ${body.vouchers[0].code}`);
});

test('a bundle’s name with a placeholder in it is a name, and a long one gives way to the rest', async t => {
  const app = await startApp(t, { environment: SMS });
  await app.post(
    MESSAGES,
    { language: 'en', kind: 'payment_received', text: `${'x'.repeat(90)} {bundle} {amount} {until}` },
    app.admin,
  );
  const bundle = await app.createBundle({ name: `{until} ${'long '.repeat(12)}`.trim(), price: 1_000 });
  await app.pay({ phone: juma, bundle });
  await until(async () => (await outbox(app)).length === 1);
  const { text } = (await outbox(app))[0]!;
  assert.ok(text.length <= 160, `${text.length}`);
  assert.match(text, /^x{90} \{until\} long [long ]* ?TZS 1,000 2026-11-22 13:00$/);
});

test('a text that could not be sent whole is refused, with what to change', async t => {
  const app = await startApp(t);
  const refusals: [kind: string, text: string, why: RegExp][] = [
    ['access_ending', 'Ends {until}, {amount}', /knows only \{until\}/],
    ['access_ending', 'Ends {Until}', /knows only \{until\}/],
    ['access_ending', 'Ends {until', /knows only \{until\}/],
    ['access_ending', 'Ends }{ {until}', /knows only/],
    ['access_ending', 'x'.repeat(161), /takes 161 of the 160 places.*1 shorter/],
    ['access_ending', `${'€'.repeat(80)}.`, /takes 161 of the 160/],
    ['access_ending', `{until}${'x'.repeat(145)}`, /takes 161 of the 160/],
    ['payment_received', `{amount}{bundle}{until}${'x'.repeat(119)}`, /takes 161 of the 160/],
    ['vouchers', 'Your {bundle} is ready', /nobody gets the code/],
    ['access_expired', 'Karibu 👍 नमस्ते', /cannot show 👍 /],
    ['access_expired', 'Two\nlines', /one line/],
    ['access_expired', 'A\u0007bell', /one line/],
    ['access_expired', 'x'.repeat(481), /480/],
  ];
  for (const [kind, text, why] of refusals) {
    const { status, body } = await app.post(MESSAGES, { language: 'en', kind, text }, app.admin);
    assert.equal(status, 400, text);
    assert.match(body.details.text.join(' '), why, text);
  }
  const wrong = await app.post(MESSAGES, { language: 'ar', kind: 'greeting', text: 'Hello' }, app.admin);
  assert.deepEqual(Object.keys(wrong.body.details).toSorted(), ['kind', 'language']);
  assert.equal((await app.post(MESSAGES, { language: 'en', kind: 'vouchers' }, app.admin)).status, 200);
  assert.ok((await settingsOf(app)).messages.every(({ own }: Text) => own === null));
  const fits = { language: 'en', kind: 'access_ending', text: `{until}${'x'.repeat(144)}` };
  assert.equal((await app.post(MESSAGES, fits, app.admin)).status, 200, 'exactly 160 places');
});

test('limits hold at once for new people and new orders, and survive a restart', async t => {
  const environment = { LANGO_DEFAULT_MAX_DEVICES: '2', LANGO_PAYMENT_EXPIRES_MINUTES: '60' };
  const app = await startApp(t, { environment });
  const configured = {
    default_max_devices: 2,
    order_expiry_minutes: 60,
    sms_per_number_per_day: 20,
    sms_per_day: 1_000,
  };
  assert.deepEqual((await settingsOf(app)).limits, { ...configured, configured });
  const devicesOf = async (phone: string) => {
    const [code] = await app.issueVouchers();
    await app.redeem(code!, phone);
    return (await app.get(`/api/user-status/${phone}/`, app.admin)).body.user.max_devices;
  };
  assert.equal(await devicesOf(juma), 2);

  const limits = { default_max_devices: 5, order_expiry_minutes: 10 };
  const { status, body } = await app.post(LIMITS, limits, app.admin);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.limits, { ...configured, ...limits, configured });
  assert.equal((await settingsOf(app)).system.default_max_devices, 5);
  assert.equal(await devicesOf(mary), 5);
  assert.equal(await devicesOf(juma), 2, 'who was there keeps what they had');
  const stranger = await app.post('/api/verify/', { phone_number: '+255783444555' });
  assert.equal(stranger.body.user.max_devices, 5);

  const bundle = await app.createBundle();
  const order = await app.post('/api/initiate-payment/', { phone_number: juma, bundle_id: bundle.id });
  const { expiresAt, createdAt } = app.context.reads.payments.byOrderReference(order.body.order_reference)!;
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 600_000);

  await app.close();
  const again = await startApp(t, { environment, dataDir: app.dataDir });
  assert.equal((await settingsOf(again)).limits.default_max_devices, 5);
  const back = await again.post(LIMITS, { sms_per_day: 3 }, again.admin);
  assert.deepEqual(
    back.body.limits,
    { ...configured, sms_per_day: 3, configured },
    'what is left out is as configured',
  );
  const [entry] = await auditOf(again, 'settings.limits');
  assert.deepEqual([entry.before.defaultMaxDevices, entry.after.defaultMaxDevices, entry.after.smsPerDay], [5, 2, 3]);
});

test('the most messages a day and to one number hold for what waits already', async t => {
  const app = await startApp(t, { environment: SMS });
  for (const phone of [juma, juma, mary, '+255712345678']) {
    const [code] = await app.issueVouchers();
    await app.redeem(code!, phone);
  }
  await app.post(LIMITS, { sms_per_number_per_day: 1, sms_per_day: 2 }, app.admin);
  await app.schedule.run('send sms');
  const dropped = (await outbox(app)).filter(({ status }) => status === 'dropped');
  const reasons = dropped.map(({ message }) => message ?? '').toSorted((a, b) => a.localeCompare(b));
  assert.deepEqual(reasons, ['The limit of 1 message a day to one number.', 'The limit of 2 messages a day.']);
});

test('limits outside their bounds are refused, all fields at once', async t => {
  const app = await startApp(t);
  const wrong = {
    default_max_devices: 101,
    order_expiry_minutes: 4,
    sms_per_number_per_day: 0,
    sms_per_day: 1.5,
  };
  const { status, body } = await app.post(LIMITS, wrong, app.admin);
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.details).toSorted(), Object.keys(wrong).toSorted());
  assert.equal((await app.post(LIMITS, { order_expiry_minutes: 1_441 }, app.admin)).status, 400);
});

test('only an owner changes words and limits', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  for (const path of [MESSAGES, LIMITS]) {
    for (const headers of [staff.headers, {}]) assert.equal((await app.post(path, {}, headers)).status, 403);
  }
});

test('the portal’s facts name the address that phones reach it by', async t => {
  const app = await startApp(t);
  assert.equal((await app.get('/api/portal/')).body.base_url, app.url);
});

test('status tells the problems and the devices online that the live stream tells', async t => {
  const app = await startApp(t, { router: true });
  const [code] = await app.issueVouchers();
  app.router.join({ mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' });
  await app.redeem(code!, juma, 'A4:83:E7:12:34:56');
  await until(() => app.router.activeSessions().length === 1);
  await app.schedule.run('reconcile router');
  app.clock.jump(30 * 24 * 3_600_000);
  const { status } = (await app.get('/api/admin/status/', app.admin)).body;
  assert.equal(status.online, 1);
  assert.ok(status.problems.some((problem: string) => problem.startsWith('The clock jumped')));
});
