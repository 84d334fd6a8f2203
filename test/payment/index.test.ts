import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  createPaymentProvider,
  PAYMENT_PROVIDERS,
  type PaymentConfig,
  type PaymentProviderName,
  paymentConfigProblems,
} from '../../src/payment/index.ts';
import { SMS_PROVIDERS } from '../../src/sms/index.ts';
import { manualClock, recordingLog } from './support.ts';

const NOTHING: PaymentConfig = {
  provider: 'sandbox',
  environment: 'sandbox',
  apiUrl: null,
  apiKey: null,
  clientId: null,
  webhookSecret: null,
  emailDomain: null,
  currency: 'TZS',
};

const GOOD: Readonly<Record<PaymentProviderName, Partial<PaymentConfig>>> = {
  none: {},
  sandbox: { apiUrl: 'http://127.0.0.1:8080/sandbox', apiKey: 'k', webhookSecret: 's' },
  clickpesa: { environment: 'live', apiKey: 'k', clientId: 'c' },
  pesapal: { apiKey: 'k', clientId: 'c' },
  flutterwave: { apiKey: 'FLWSECK_TEST-1-X', webhookSecret: 'h', emailDomain: 'wifi.example' },
  paystack: { apiKey: 'sk_test_1', emailDomain: 'wifi.example', currency: 'KES' },
  stripe: { apiKey: 'sk_test_1', webhookSecret: 'whsec_1' },
};

const tools = { log: recordingLog(), clock: manualClock() };

for (const provider of PAYMENT_PROVIDERS) {
  test(`${provider} is created from a whole configuration and says what it is able to do`, () => {
    const config = { ...NOTHING, ...GOOD[provider], provider };
    assert.deepEqual(paymentConfigProblems(config), []);
    const created = createPaymentProvider(config, tools);
    assert.equal(created.name, provider);
    const { currencies, requestsPerMinute, walledGarden } = created.capabilities;
    assert.ok(currencies === 'any' || currencies.includes(config.currency));
    assert.ok(requestsPerMinute > 0);
    for (const host of walledGarden) assert.match(host, /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  });
}

test('a missing variable is told with the provider’s own word for it', () => {
  assert.deepEqual(paymentConfigProblems({ ...NOTHING, provider: 'pesapal' }), [
    'LANGO_PAYMENT_API_KEY is missing: pesapal needs the consumer secret there.',
    'LANGO_PAYMENT_CLIENT_ID is missing: pesapal needs the consumer key there.',
  ]);
});

test('no file names a provider but its own and the list', () => {
  const source = join(import.meta.dirname, '../../src');
  // Words of the program's own: what is built in, and a protocol.
  const names = [...PAYMENT_PROVIDERS, ...SMS_PROVIDERS].filter(name => !['none', 'sandbox', 'http'].includes(name));
  const own = ['payment', 'sms'].flatMap(folder => ['index', ...names].map(name => join(folder, `${name}.ts`)));
  const files = globSync('**/*.ts', { cwd: source });
  assert.equal(own.filter(file => files.includes(file)).length, names.length + 2);
  const named = files.filter(
    file => !own.includes(file) && new RegExp(names.join('|'), 'i').test(readFileSync(join(source, file), 'utf8')),
  );
  assert.deepEqual(named, []);
});

test('every missing variable is named at once', () => {
  const missing = (provider: PaymentProviderName, change: Partial<PaymentConfig> = {}) =>
    paymentConfigProblems({ ...NOTHING, provider, ...change }).map(problem => problem.split(' ')[0]);
  assert.deepEqual(missing('clickpesa'), [
    'LANGO_PAYMENT_ENVIRONMENT',
    'LANGO_PAYMENT_API_KEY',
    'LANGO_PAYMENT_CLIENT_ID',
  ]);
  assert.deepEqual(missing('pesapal'), ['LANGO_PAYMENT_API_KEY', 'LANGO_PAYMENT_CLIENT_ID']);
  assert.deepEqual(missing('flutterwave'), [
    'LANGO_PAYMENT_API_KEY',
    'LANGO_PAYMENT_WEBHOOK_SECRET',
    'LANGO_PAYMENT_EMAIL_DOMAIN',
  ]);
  assert.deepEqual(missing('paystack'), ['LANGO_PAYMENT_API_KEY', 'LANGO_PAYMENT_EMAIL_DOMAIN', 'LANGO_CURRENCY']);
  assert.deepEqual(missing('stripe', { apiUrl: 'ftp://x', emailDomain: 'not a domain' }), [
    'LANGO_PAYMENT_API_KEY',
    'LANGO_PAYMENT_WEBHOOK_SECRET',
    'LANGO_PAYMENT_EMAIL_DOMAIN',
    'LANGO_PAYMENT_API_URL',
  ]);
});

test('the sandbox never runs live, and test keys never run live nor live keys in a sandbox', () => {
  const problems = (config: Partial<PaymentConfig>) => paymentConfigProblems({ ...NOTHING, ...config });
  assert.match(problems({ environment: 'live' })[0] ?? '', /LANGO_PAYMENT_PROVIDER is sandbox/);
  assert.match(problems({ ...GOOD.stripe, provider: 'stripe', environment: 'live' })[0] ?? '', /LANGO_PAYMENT_API_KEY/);
  const live = { ...GOOD.paystack, provider: 'paystack', apiKey: 'sk_live_1' } as const;
  assert.match(problems(live)[0] ?? '', /LANGO_PAYMENT_API_KEY/);
  assert.deepEqual(problems({ ...live, environment: 'live' }), []);
});

test('a problem never repeats a secret, and a provider with problems is not created', () => {
  const config: PaymentConfig = { ...NOTHING, ...GOOD.stripe, provider: 'stripe', apiKey: 'pk_live_secret' };
  assert.ok(!paymentConfigProblems(config).join().includes('pk_live_secret'));
  assert.throws(() => createPaymentProvider(config, tools), { code: 'VALIDATION' });
});
