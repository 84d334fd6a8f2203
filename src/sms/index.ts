/** Chooses the SMS driver that the configuration names; the rest of the program never learns which. */
import type { SmsProvider } from '../domain/ports.ts';
import { AFRICASTALKING_API, AFRICASTALKING_SANDBOX_API, createAfricasTalkingProvider } from './africastalking.ts';
import { BEEM_API, createBeemProvider } from './beem.ts';
import { createHttpSmsProvider, namesPersonAndText } from './http.ts';
import { createNextSmsProvider, NEXTSMS_API } from './nextsms.ts';
import type { SmsTools } from './transmit.ts';
import { createTwilioProvider, TWILIO_API } from './twilio.ts';

export const SMS_PROVIDERS = ['none', 'africastalking', 'twilio', 'nextsms', 'beem', 'http'] as const;
export type SmsProviderName = (typeof SMS_PROVIDERS)[number];

/** The `LANGO_SMS_*` variables. */
export interface SmsConfig {
  provider: SmsProviderName;
  /** null: the provider's own. */
  apiUrl: string | null;
  /** Of the generic provider alone; null: GET. */
  apiBody: string | null;
  apiKey: string | null;
  username: string | null;
  senderId: string | null;
}

type Value = 'apiUrl' | 'apiKey' | 'username' | 'senderId';

const VARIABLES: Readonly<Record<Value, string>> = {
  apiUrl: 'LANGO_SMS_API_URL',
  apiKey: 'LANGO_SMS_API_KEY',
  username: 'LANGO_SMS_USERNAME',
  senderId: 'LANGO_SMS_SENDER_ID',
};

interface Driver {
  /** What it cannot work without, each with the provider's own word for it. */
  needs: Partial<Record<Value, string>>;
  /** Called with a configuration that has no problems. */
  create(config: SmsConfig, tools: SmsTools): SmsProvider;
}

const DRIVERS: Readonly<Record<Exclude<SmsProviderName, 'none'>, Driver>> = {
  africastalking: {
    needs: { username: 'the user name of the app', apiKey: 'the API key' },
    create: ({ apiUrl, username, apiKey, senderId }, tools) =>
      createAfricasTalkingProvider(
        {
          apiUrl: apiUrl ?? (username === 'sandbox' ? AFRICASTALKING_SANDBOX_API : AFRICASTALKING_API),
          username: username ?? '',
          apiKey: apiKey ?? '',
          senderId,
        },
        tools,
      ),
  },
  twilio: {
    needs: {
      username: 'the account SID',
      apiKey: 'the auth token, or the secret of an API key',
      senderId: 'a number of yours or the SID of a messaging service',
    },
    create: ({ apiUrl, username, apiKey, senderId }, tools) => {
      const [accountSid = '', keySid = null] = (username ?? '').split(':');
      return createTwilioProvider(
        { apiUrl: apiUrl ?? TWILIO_API, accountSid, keySid, secret: apiKey ?? '', sender: senderId ?? '' },
        tools,
      );
    },
  },
  nextsms: {
    needs: { apiKey: 'the API token, or the password beside a user name', senderId: 'a registered sender name' },
    create: ({ apiUrl, username, apiKey, senderId }, tools) =>
      createNextSmsProvider(
        { apiUrl: apiUrl ?? NEXTSMS_API, username, key: apiKey ?? '', senderId: senderId ?? '' },
        tools,
      ),
  },
  beem: {
    needs: { username: 'the API key', apiKey: 'the secret key', senderId: 'a registered sender name' },
    create: ({ apiUrl, username, apiKey, senderId }, tools) =>
      createBeemProvider(
        { apiUrl: apiUrl ?? BEEM_API, apiKey: username ?? '', secretKey: apiKey ?? '', senderId: senderId ?? '' },
        tools,
      ),
  },
  http: {
    needs: { apiUrl: 'the address with its placeholders' },
    create: (config, tools) => createHttpSmsProvider({ ...config, apiUrl: config.apiUrl ?? '' }, tools),
  },
};

/** What is wrong with the configuration: one sentence a problem, each naming its variable; empty when nothing is. */
export function smsConfigProblems(config: SmsConfig): string[] {
  const { provider, apiUrl, apiBody, username } = config;
  if (provider === 'none') return [];
  const problems: string[] = [];
  for (const [name, what] of Object.entries(DRIVERS[provider].needs) as [Value, string][]) {
    if (config[name] === null) problems.push(`${VARIABLES[name]} is missing: ${provider} needs ${what} there.`);
  }
  if (provider === 'twilio' && username !== null && !/^AC[0-9a-f]{32}(:SK[0-9a-f]{32})?$/i.test(username)) {
    problems.push(
      'LANGO_SMS_USERNAME is not a Twilio account SID (AC and 32 hex digits), nor one with an API key (AC…:SK…).',
    );
  }
  if (provider === 'http' && apiUrl !== null && !namesPersonAndText(apiUrl, apiBody)) {
    problems.push(
      'LANGO_SMS_API_URL and LANGO_SMS_API_BODY hold no {to} (or {digits}) and {text}: nothing says whom to send what.',
    );
  }
  if (provider !== 'http' && apiBody !== null) {
    problems.push('LANGO_SMS_API_BODY is set, but only LANGO_SMS_PROVIDER=http uses it: remove one of them.');
  }
  return problems;
}

/** @returns null when messages are switched off. Call it with a configuration that has no problems. */
export function createSmsProvider(config: SmsConfig, tools: SmsTools): SmsProvider | null {
  return config.provider === 'none' ? null : DRIVERS[config.provider].create(config, tools);
}
