/** The SMS drivers. The configuration names one; the rest of the program never learns which. */
import type { SmsProvider } from '../domain/ports.ts';
import { byName, settingsProblems } from '../outbound/settings.ts';
import { africastalking } from './africastalking.ts';
import { beem } from './beem.ts';
import type { SmsValues } from './driver.ts';
import { http } from './http.ts';
import { nextsms } from './nextsms.ts';
import type { SmsTools } from './transmit.ts';
import { twilio } from './twilio.ts';

const LIST = [africastalking, twilio, nextsms, beem, http];
const DRIVERS = byName(LIST);

export const SMS_PROVIDERS = ['none' as const, ...LIST.map(({ name }) => name)];
export type SmsProviderName = (typeof SMS_PROVIDERS)[number];

export interface SmsConfig extends SmsValues {
  provider: SmsProviderName;
}

const VARIABLES: Readonly<Record<keyof SmsValues, string>> = {
  apiUrl: 'LANGO_SMS_API_URL',
  apiBody: 'LANGO_SMS_API_BODY',
  apiKey: 'LANGO_SMS_API_KEY',
  username: 'LANGO_SMS_USERNAME',
  senderId: 'LANGO_SMS_SENDER_ID',
};

/** What is wrong with the configuration: one sentence a problem, each naming its variable; empty when nothing is. */
export function smsConfigProblems(config: SmsConfig): string[] {
  if (config.provider === 'none') return [];
  const driver = DRIVERS[config.provider];
  const problems = settingsProblems(driver, config, VARIABLES);
  if (config.apiBody !== null && !usesBody(driver)) {
    const users = LIST.filter(usesBody).map(({ name }) => name);
    problems.push(
      `LANGO_SMS_API_BODY is set, but only LANGO_SMS_PROVIDER=${users.join(' or ')} uses it: remove one of them.`,
    );
  }
  return problems;
}

const usesBody = ({ settings }: (typeof LIST)[number]) => 'apiBody' in settings.entries;

/** @returns null when messages are switched off. Call it with a configuration that has no problems. */
export function createSmsProvider(config: SmsConfig, tools: SmsTools): SmsProvider | null {
  return config.provider === 'none' ? null : DRIVERS[config.provider].configure(config, tools);
}
