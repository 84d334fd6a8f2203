/** The payment drivers. The configuration names one; the rest of the program never learns which. */
import { LangoError } from '../domain/errors.ts';
import type { PaymentCapabilities, PaymentProvider } from '../domain/ports.ts';
import { isWebAddress, reachOf } from '../outbound/reach.ts';
import { byName, settingsProblems } from '../outbound/settings.ts';
import { clickpesa } from './clickpesa.ts';
import type { DriverTools } from './client.ts';
import { apiOf, type PaymentValues } from './driver.ts';
import { flutterwave } from './flutterwave.ts';
import { none } from './none.ts';
import { paystack } from './paystack.ts';
import { pesapal } from './pesapal.ts';
import { sandbox } from './sandbox.ts';
import { stripe } from './stripe.ts';

const LIST = [none, sandbox, clickpesa, pesapal, flutterwave, paystack, stripe];
const DRIVERS = byName(LIST);

export const PAYMENT_PROVIDERS = LIST.map(({ name }) => name);
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

export interface PaymentConfig extends PaymentValues {
  provider: PaymentProviderName;
}

const VARIABLES = {
  apiKey: 'LANGO_PAYMENT_API_KEY',
  clientId: 'LANGO_PAYMENT_CLIENT_ID',
  webhookSecret: 'LANGO_PAYMENT_WEBHOOK_SECRET',
  emailDomain: 'LANGO_PAYMENT_EMAIL_DOMAIN',
};

/** True: orders can be paid, and no money moves. With it left on, access is to be had for nothing. */
export function isPractice({ provider, environment }: PaymentConfig): boolean {
  return provider !== 'none' && environment === 'sandbox';
}

/** Whether the provider is a part of Lango: no money moves whatever the environment, and it has keys of its own. */
export function isBuiltIn({ provider }: PaymentConfig): boolean {
  return DRIVERS[provider].isBuiltIn === true;
}

export function capabilitiesOf({ provider }: PaymentConfig): PaymentCapabilities {
  return DRIVERS[provider].capabilities;
}

/** What is wrong with the configuration: one sentence a problem, each naming its variable; empty when nothing is. */
export function paymentConfigProblems(config: PaymentConfig): string[] {
  const { provider, environment, apiUrl, apiKey, emailDomain, currency } = config;
  const driver = DRIVERS[provider];
  const { api, keys, title, capabilities } = driver;
  const problems: string[] = [];
  if (isBuiltIn(config) && environment === 'live') {
    problems.push(
      `LANGO_PAYMENT_PROVIDER is ${provider}, which moves no money: with LANGO_PAYMENT_ENVIRONMENT=live choose a real provider.`,
    );
  }
  if (api !== undefined && apiUrl === null && apiOf(driver, environment) === null) {
    problems.push(`LANGO_PAYMENT_ENVIRONMENT is sandbox, but ${title} has no sandbox: set it to live.`);
  }
  problems.push(...settingsProblems(driver, config, VARIABLES));
  if (keys !== undefined && apiKey !== null && !keys[environment].test(apiKey)) {
    problems.push(`LANGO_PAYMENT_API_KEY is not a ${provider} key for LANGO_PAYMENT_ENVIRONMENT=${environment}.`);
  }
  if (emailDomain !== null && !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(emailDomain)) {
    problems.push('LANGO_PAYMENT_EMAIL_DOMAIN is not a domain name such as wifi.example.com.');
  }
  if (apiUrl !== null && !isWebAddress(apiUrl)) {
    problems.push('LANGO_PAYMENT_API_URL is not an http or https address.');
  }
  const { currencies } = capabilities;
  if (currencies !== 'any' && !currencies.includes(currency)) {
    problems.push(`LANGO_CURRENCY is ${currency}, but ${provider} takes ${currencies.join(', ')}.`);
  }
  return problems;
}

/** Why the provider would take no order with this base URL, judging by the URL alone; null: no reason found. */
export function addressWarning({ provider }: PaymentConfig, baseUrl: string): string | null {
  if (DRIVERS[provider].needsPublicAddress === undefined || reachOf(baseUrl) === 'anywhere') return null;
  return `${provider} takes no order without a public address for its notifications, and LANGO_BASE_URL is ${baseUrl}: see docs/payments/webhooks.md.`;
}

/** @throws LangoError VALIDATION when {@link paymentConfigProblems} finds any */
export function createPaymentProvider(config: PaymentConfig, tools: DriverTools): PaymentProvider {
  const problems = paymentConfigProblems(config);
  if (problems.length > 0) throw new LangoError('VALIDATION', problems.join('\n'));
  return DRIVERS[config.provider].configure(config, tools);
}
