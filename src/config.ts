/** Environment → one frozen, typed configuration. Every problem is reported at once. */
import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { UsageError } from './commands/command.ts';
import { MAX_DEVICES, SHORTEST_PASSWORD } from './contract/fields.ts';
import { isCurrency } from './domain/money.ts';
import { isCountry } from './domain/phone.ts';
import { apiPort, type RouterSettings } from './domain/ports.ts';
import { isTimeZone } from './domain/time.ts';
import type { Policy } from './domain/transaction.ts';
import { isWebAddress } from './outbound/reach.ts';
import { PAYMENT_PROVIDERS, type PaymentConfig, paymentConfigProblems } from './payment/index.ts';
import { SMS_PROVIDERS, type SmsConfig, smsConfigProblems } from './sms/index.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const SHORTEST_TOKEN = 24;

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash; for links and webhooks. */
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly frontendOrigins: readonly string[];
  /** Addresses or CIDRs. */
  readonly trustedProxies: readonly string[];
  /** Addresses or CIDRs that the admin API and site answer; none: all. */
  readonly adminNetworks: readonly string[];
  readonly defaultCountry: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly simpleAdminToken: string | null;
  readonly firstAdmin: { username: string; password: string } | null;
  /** null: no router; the API works and paid time is kept. */
  readonly router: RouterSettings | null;
  readonly payment: PaymentConfig;
  readonly sms: SmsConfig;
  readonly policy: Policy;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends UsageError {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError with all problems */
export function readConfig(environment: Environment): Config {
  const read = reader(environment);
  const host = read.text('LANGO_HOST', '0.0.0.0');
  const port = read.integer('LANGO_PORT', 8080, 0, 65_535);
  const currency = read.checked(
    'LANGO_CURRENCY',
    'TZS',
    isCurrency,
    'a currency code of three capital letters, such as KES',
  );
  const payment = paymentConfig(read, currency);
  const sms = smsConfig(read);
  const config: Config = {
    host,
    port,
    baseUrl: read.url('LANGO_BASE_URL') ?? `http://${linkHost(host)}:${port}`,
    dataDir: read.text('LANGO_DATA_DIR', './data'),
    frontendOrigins: read.list('LANGO_FRONTEND_ORIGIN', isOrigin, 'an origin such as https://wifi.example'),
    trustedProxies: read.list('LANGO_TRUSTED_PROXIES', isAddressOrRange, 'an IP address or a CIDR such as 10.0.0.0/8'),
    adminNetworks: read.list('LANGO_ADMIN_NETWORKS', isAddressOrRange, 'an IP address or a CIDR such as 10.0.0.0/8'),
    defaultCountry: read.checked(
      'LANGO_DEFAULT_COUNTRY',
      'TZ',
      isCountry,
      'a country code of two capital letters, such as KE',
    ),
    logLevel: read.choice('LANGO_LOG_LEVEL', LOG_LEVELS, 'info'),
    simpleAdminToken: adminToken(read),
    firstAdmin: firstAdmin(read),
    router: routerSettings(read),
    payment,
    sms,
    policy: {
      currency,
      timeZone: read.checked(
        'LANGO_TIME_ZONE',
        'Africa/Dar_es_Salaam',
        isTimeZone,
        'a time zone such as Africa/Nairobi',
      ),
      language: read.checked('LANGO_LANGUAGE', 'en', isLanguage, 'a language code of two letters, such as sw'),
      defaultMaxDevices: read.integer('LANGO_DEFAULT_MAX_DEVICES', 1, MAX_DEVICES.min, MAX_DEVICES.max),
      orderExpiryMinutes: read.integer('LANGO_PAYMENT_EXPIRES_MINUTES', 30, 5, 1_440),
      paymentProvider: payment.provider,
      smsEnabled: sms.provider !== 'none',
    },
  };
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return Object.freeze(config);
}

type Reader = ReturnType<typeof reader>;

function reader(environment: Environment) {
  const problems: string[] = [];
  const problem = (name: string, text: string) => void problems.push(`${name} ${text}.`);
  // An empty value is how environment files leave a variable out.
  const optional = (name: string): string | null => environment[name]?.trim() || null;

  const checked = (name: string, fallback: string, isValid: (text: string) => boolean, wanted: string): string => {
    const text = optional(name) ?? fallback;
    if (!isValid(text)) problem(name, `is "${text}", which is not ${wanted}`);
    return text;
  };
  return {
    problems: problems as readonly string[],
    problem,
    complain: (sentence: string) => void problems.push(sentence),
    optional,
    checked,
    text: (name: string, fallback: string) => optional(name) ?? fallback,
    integer(name: string, fallback: number, min: number, max: number): number {
      const text = checked(
        name,
        String(fallback),
        value => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max,
        `a whole number from ${min} to ${max}`,
      );
      return Number(text);
    },
    /** What is none of the choices is reported, and read as the fallback. */
    choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const isChoice = (text: string) => (choices as readonly string[]).includes(text);
      const text = checked(name, fallback, isChoice, `one of ${choices.join(', ')}`);
      return choices.find(choice => choice === text) ?? fallback;
    },
    flag(name: string): boolean {
      const text = checked(name, 'false', value => /^(true|false|1|0|yes|no)$/i.test(value), 'true or false');
      return /^(true|1|yes)$/i.test(text);
    },
    url(name: string): string | null {
      const text = optional(name);
      if (text === null) return null;
      if (!isWebAddress(text)) problem(name, `is "${text}", which is not an http or https address`);
      return text.replace(/\/+$/, '');
    },
    list(name: string, isValid: (text: string) => boolean, wanted: string): string[] {
      const items = (optional(name) ?? '')
        .split(',')
        .map(item => item.trim())
        .filter(item => item !== '');
      for (const item of items) if (!isValid(item)) problem(name, `has "${item}", which is not ${wanted}`);
      return items;
    },
    /** The value itself, or the content of the file that `NAME_FILE` names. Never quoted in a problem. */
    secret(name: string): string | null {
      const file = optional(`${name}_FILE`);
      if (file === null) return environment[name] || null;
      if (environment[name]) problem(name, `and ${name}_FILE are both set; keep one`);
      try {
        const content = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
        if (content === '') problem(`${name}_FILE`, `names ${file}, which is empty`);
        return content || null;
      } catch (error) {
        problem(`${name}_FILE`, `names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
        return null;
      }
    },
  };
}

function paymentConfig(read: Reader, currency: string): PaymentConfig {
  const payment: PaymentConfig = {
    provider: read.choice('LANGO_PAYMENT_PROVIDER', PAYMENT_PROVIDERS, 'none'),
    environment: read.choice('LANGO_PAYMENT_ENVIRONMENT', ['sandbox', 'live'] as const, 'sandbox'),
    apiUrl: read.url('LANGO_PAYMENT_API_URL'),
    apiKey: read.secret('LANGO_PAYMENT_API_KEY'),
    clientId: read.secret('LANGO_PAYMENT_CLIENT_ID'),
    webhookSecret: read.secret('LANGO_PAYMENT_WEBHOOK_SECRET'),
    emailDomain: read.optional('LANGO_PAYMENT_EMAIL_DOMAIN'),
    currency,
  };
  for (const sentence of paymentConfigProblems(payment)) read.complain(sentence);
  return payment;
}

function smsConfig(read: Reader): SmsConfig {
  const sms: SmsConfig = {
    provider: read.choice('LANGO_SMS_PROVIDER', SMS_PROVIDERS, 'none'),
    apiUrl: read.url('LANGO_SMS_API_URL'),
    apiBody: read.optional('LANGO_SMS_API_BODY'),
    apiKey: read.secret('LANGO_SMS_API_KEY'),
    username: read.secret('LANGO_SMS_USERNAME'),
    senderId: read.optional('LANGO_SMS_SENDER_ID'),
  };
  for (const sentence of smsConfigProblems(sms)) read.complain(sentence);
  return sms;
}

function adminToken(read: Reader): string | null {
  const token = read.secret('SIMPLE_ADMIN_TOKEN');
  if (token !== null && token.length < SHORTEST_TOKEN) {
    read.problem('SIMPLE_ADMIN_TOKEN', `is too short; give at least ${SHORTEST_TOKEN} random characters`);
  }
  return token;
}

function firstAdmin(read: Reader): Config['firstAdmin'] {
  const username = read.optional('LANGO_ADMIN_USERNAME');
  const password = read.secret('LANGO_ADMIN_PASSWORD');
  if (username === null && password === null) return null;
  if (username === null)
    read.problem('LANGO_ADMIN_USERNAME', 'is missing, and LANGO_ADMIN_PASSWORD is set; set both or neither');
  if (password === null)
    read.problem('LANGO_ADMIN_PASSWORD', 'is missing, and LANGO_ADMIN_USERNAME is set; set both or neither');
  else if (password.length < SHORTEST_PASSWORD) {
    read.problem('LANGO_ADMIN_PASSWORD', `is too short; give at least ${SHORTEST_PASSWORD} characters`);
  }
  return username === null || password === null ? null : { username, password };
}

function routerSettings(read: Reader): RouterSettings | null {
  const ssl = read.flag('LANGO_ROUTER_SSL');
  const settings = {
    host: read.optional('LANGO_ROUTER_HOST'),
    port: read.integer('LANGO_ROUTER_PORT', apiPort(ssl), 1, 65_535),
    username: read.optional('LANGO_ROUTER_USERNAME'),
    password: read.secret('LANGO_ROUTER_PASSWORD') ?? '',
    ssl,
    sslFingerprint: fingerprint(read),
    hotspot: read.optional('LANGO_ROUTER_HOTSPOT'),
    profile: read.text('LANGO_ROUTER_PROFILE', 'default'),
  };
  if (settings.host === null) return null;
  if (settings.username === null) read.problem('LANGO_ROUTER_USERNAME', 'is missing, and LANGO_ROUTER_HOST is set');
  return { ...settings, host: settings.host, username: settings.username ?? '' };
}

function fingerprint(read: Reader): string | null {
  const text = read.optional('LANGO_ROUTER_SSL_FINGERPRINT');
  if (text === null) return null;
  const hex = text.replace(/[:\s]/g, '').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hex)) {
    read.problem('LANGO_ROUTER_SSL_FINGERPRINT', 'is not a SHA-256 fingerprint of 64 hex digits');
  }
  return hex;
}

function linkHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Where this machine itself reaches the server. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

function isLanguage(text: string): boolean {
  return /^[a-z]{2}$/.test(text);
}

function isOrigin(text: string): boolean {
  return isWebAddress(text) && new URL(text).origin === text;
}

function isAddressOrRange(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}
