/** What the file of an SMS provider exports: everything that the rest of Lango knows about it. */
import * as v from 'valibot';
import type { SmsAnswer, SmsProvider } from '../domain/ports.ts';
import type { SettingsSchema } from '../outbound/settings.ts';
import { type SmsReply, type SmsRequest, type SmsTools, transmit } from './transmit.ts';

/** The `LANGO_SMS_*` variables. */
export interface SmsValues {
  /** null: the provider's own. */
  apiUrl: string | null;
  /** null: GET. */
  apiBody: string | null;
  apiKey: string | null;
  username: string | null;
  senderId: string | null;
}

type SmsMessage = Parameters<SmsProvider['send']>[0];

interface SmsDescription<Name extends string, Schema extends SettingsSchema> {
  name: Name;
  /** Of {@link SmsValues}, those that it works with. */
  settings: Schema;
  request(message: SmsMessage, settings: v.InferOutput<Schema>): SmsRequest;
  /** What a reply of the provider says that is neither a refusal of our keys, nor a limit, nor a breakdown. */
  readAnswer(reply: SmsReply): SmsAnswer;
}

export function smsDriver<const Name extends string, Schema extends SettingsSchema>(
  description: SmsDescription<Name, Schema>,
) {
  const { name, settings, request, readAnswer } = description;
  const create = (own: v.InferOutput<Schema>, tools: SmsTools): SmsProvider => ({
    name,
    async send(message) {
      const reply = await transmit(name, request(message, own), tools);
      return 'outcome' in reply ? reply : readAnswer(reply);
    },
  });
  return {
    name,
    settings: settings as SettingsSchema,
    create,
    /** @param values without problems */
    configure: (values: SmsValues, tools: SmsTools) => create(v.parse(settings, values), tools),
  };
}
