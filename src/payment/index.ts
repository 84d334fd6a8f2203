/** Chooses the payment driver that the configuration names; the rest of the program never learns which. */
import { LangoError } from '../domain/errors.ts';
import type { PaymentProvider } from '../domain/ports.ts';
import { reachOf } from '../outbound/reach.ts';
import { CLICKPESA_API, CLICKPESA_CURRENCIES, createClickpesaProvider } from './clickpesa.ts';
import { createFlutterwaveProvider, FLUTTERWAVE_API, FLUTTERWAVE_CURRENCIES } from './flutterwave.ts';
import type { DriverTools } from './http.ts';
import { createNoProvider } from './none.ts';
import { createPaystackProvider, PAYSTACK_API, PAYSTACK_CURRENCIES } from './paystack.ts';
import { createPesapalProvider, PESAPAL_API, PESAPAL_CURRENCIES, PESAPAL_SANDBOX_API } from './pesapal.ts';
import { createSandboxProvider } from './sandbox.ts';
import { createStripeProvider, STRIPE_API } from './stripe.ts';

export const PAYMENT_PROVIDERS = [
  'none',
  'sandbox',
  'clickpesa',
  'pesapal',
  'flutterwave',
  'paystack',
  'stripe',
] as const;
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

/** The `LANGO_PAYMENT_*` variables. For the sandbox, `apiUrl`, `apiKey` and `webhookSecret` are its service's. */
export interface PaymentConfig {
  provider: PaymentProviderName;
  environment: 'sandbox' | 'live';
  /** null: the provider's own. */
  apiUrl: string | null;
  apiKey: string | null;
  clientId: string | null;
  webhookSecret: string | null;
  /** Domain of the address that stands in for a payer's e-mail where the provider insists on one. */
  emailDomain: string | null;
  /** `LANGO_CURRENCY`. */
  currency: string;
}

type Secret = 'apiKey' | 'clientId' | 'webhookSecret' | 'emailDomain';

const VARIABLES: Readonly<Record<Secret, string>> = {
  apiKey: 'LANGO_PAYMENT_API_KEY',
  clientId: 'LANGO_PAYMENT_CLIENT_ID',
  webhookSecret: 'LANGO_PAYMENT_WEBHOOK_SECRET',
  emailDomain: 'LANGO_PAYMENT_EMAIL_DOMAIN',
};

interface Driver {
  /** What it cannot work without, each with the provider's own word for it. */
  needs: Partial<Record<Secret, string>>;
  /** What keys of each environment look like, where the provider tells them apart. */
  keys?: Readonly<Record<PaymentConfig['environment'], RegExp>>;
  /** Takes no order without an address for notifications that it can reach. */
  needsPublicAddress?: true;
  /** Absent: all. */
  currencies?: readonly string[];
  /** Called with a configuration that has no problems. */
  create(config: PaymentConfig, tools: DriverTools): PaymentProvider;
}

const DRIVERS: Readonly<Record<PaymentProviderName, Driver>> = {
  none: { needs: {}, create: createNoProvider },
  sandbox: {
    needs: {},
    create: ({ apiUrl, apiKey, webhookSecret }, tools) =>
      createSandboxProvider({ apiUrl: apiUrl ?? '', apiKey: apiKey ?? '', webhookSecret: webhookSecret ?? '' }, tools),
  },
  clickpesa: {
    needs: { apiKey: 'the API key', clientId: 'the client id' },
    currencies: CLICKPESA_CURRENCIES,
    create: ({ apiUrl, apiKey, clientId, webhookSecret }, tools) =>
      createClickpesaProvider(
        {
          apiUrl: apiUrl ?? CLICKPESA_API,
          apiKey: apiKey ?? '',
          clientId: clientId ?? '',
          checksumKey: webhookSecret,
        },
        tools,
      ),
  },
  pesapal: {
    needs: { apiKey: 'the consumer secret', clientId: 'the consumer key' },
    needsPublicAddress: true,
    currencies: PESAPAL_CURRENCIES,
    create: ({ apiUrl, apiKey, clientId, environment }, tools) =>
      createPesapalProvider(
        {
          apiUrl: apiUrl ?? (environment === 'live' ? PESAPAL_API : PESAPAL_SANDBOX_API),
          consumerKey: clientId ?? '',
          consumerSecret: apiKey ?? '',
        },
        tools,
      ),
  },
  flutterwave: {
    needs: {
      apiKey: 'the secret key',
      webhookSecret: 'the secret hash of the webhook',
      emailDomain: 'a domain for the payers’ e-mail addresses',
    },
    currencies: FLUTTERWAVE_CURRENCIES,
    keys: { sandbox: /^FLWSECK_TEST-/, live: /^FLWSECK-/ },
    create: ({ apiUrl, apiKey, webhookSecret, emailDomain }, tools) =>
      createFlutterwaveProvider(
        {
          apiUrl: apiUrl ?? FLUTTERWAVE_API,
          secretKey: apiKey ?? '',
          secretHash: webhookSecret ?? '',
          emailDomain: emailDomain ?? '',
        },
        tools,
      ),
  },
  paystack: {
    needs: { apiKey: 'the secret key', emailDomain: 'a domain for the payers’ e-mail addresses' },
    currencies: PAYSTACK_CURRENCIES,
    keys: { sandbox: /^sk_test_/, live: /^sk_live_/ },
    create: ({ apiUrl, apiKey, emailDomain }, tools) =>
      createPaystackProvider(
        { apiUrl: apiUrl ?? PAYSTACK_API, secretKey: apiKey ?? '', emailDomain: emailDomain ?? '' },
        tools,
      ),
  },
  stripe: {
    needs: { apiKey: 'the secret key', webhookSecret: 'the signing secret of the webhook endpoint' },
    keys: { sandbox: /^[sr]k_test_/, live: /^[sr]k_live_/ },
    create: ({ apiUrl, apiKey, webhookSecret }, tools) =>
      createStripeProvider(
        { apiUrl: apiUrl ?? STRIPE_API, secretKey: apiKey ?? '', webhookSecret: webhookSecret ?? '' },
        tools,
      ),
  },
};

/** True: orders can be paid, and no money moves. With it left on, access is to be had for nothing. */
export function isPractice({ provider, environment }: PaymentConfig): boolean {
  return provider !== 'none' && environment === 'sandbox';
}

/** What is wrong with the configuration: one sentence a problem, each naming its variable; empty when nothing is. */
export function paymentConfigProblems(config: PaymentConfig): string[] {
  const { provider, environment, apiKey, emailDomain } = config;
  const { needs, keys, currencies } = DRIVERS[provider];
  const problems: string[] = [];
  if (provider === 'sandbox' && environment === 'live') {
    problems.push(
      'LANGO_PAYMENT_PROVIDER is sandbox, which moves no money: with LANGO_PAYMENT_ENVIRONMENT=live choose a real provider.',
    );
  }
  if (provider === 'clickpesa' && environment === 'sandbox' && config.apiUrl === null) {
    problems.push('LANGO_PAYMENT_ENVIRONMENT is sandbox, but ClickPesa has no sandbox: set it to live.');
  }
  for (const [name, what] of Object.entries(needs) as [Secret, string][]) {
    if (config[name] === null) problems.push(`${VARIABLES[name]} is missing: ${provider} needs ${what} there.`);
  }
  if (keys !== undefined && apiKey !== null && !keys[environment].test(apiKey)) {
    problems.push(`LANGO_PAYMENT_API_KEY is not a ${provider} key for LANGO_PAYMENT_ENVIRONMENT=${environment}.`);
  }
  if (emailDomain !== null && !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(emailDomain)) {
    problems.push('LANGO_PAYMENT_EMAIL_DOMAIN is not a domain name such as wifi.example.com.');
  }
  if (config.apiUrl !== null && !/^https?:$/.test(URL.parse(config.apiUrl)?.protocol ?? '')) {
    problems.push('LANGO_PAYMENT_API_URL is not an http or https address.');
  }
  if (currencies !== undefined && !currencies.includes(config.currency)) {
    problems.push(`LANGO_CURRENCY is ${config.currency}, but ${provider} takes ${currencies.join(', ')}.`);
  }
  return problems;
}

/** Why the provider will take no order with this base URL, as far as its looks tell; null: nothing speaks against it. */
export function addressWarning({ provider }: PaymentConfig, baseUrl: string): string | null {
  if (DRIVERS[provider].needsPublicAddress === undefined || reachOf(baseUrl) === 'anywhere') return null;
  return `${provider} takes no order without a public address for its notifications, and LANGO_BASE_URL is ${baseUrl}: see docs/payments/webhooks.md.`;
}

/** @throws LangoError VALIDATION when {@link paymentConfigProblems} finds any */
export function createPaymentProvider(config: PaymentConfig, tools: DriverTools): PaymentProvider {
  const problems = paymentConfigProblems(config);
  if (problems.length > 0) throw new LangoError('VALIDATION', problems.join('\n'));
  return DRIVERS[config.provider].create(config, tools);
}
