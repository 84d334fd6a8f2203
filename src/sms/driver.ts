/** What the file of an SMS provider exports: everything that the rest of Lango knows about it. */
import * as v from 'valibot';
import type { SmsProvider } from '../domain/ports.ts';
import type { SettingsSchema } from '../outbound/settings.ts';
import { createTransmit, type SmsTools, type Transmit } from './transmit.ts';

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

interface SmsDescription<Name extends string, Schema extends SettingsSchema> {
  name: Name;
  /** Of {@link SmsValues}, those that it works with. */
  settings: Schema;
  sender(settings: v.InferOutput<Schema>, transmit: Transmit): SmsProvider['send'];
}

export function smsDriver<const Name extends string, Schema extends SettingsSchema>(
  description: SmsDescription<Name, Schema>,
) {
  const { name, settings, sender } = description;
  const create = (own: v.InferOutput<Schema>, tools: SmsTools): SmsProvider => ({
    name,
    send: sender(own, createTransmit(name, tools)),
  });
  return {
    name,
    settings: settings as SettingsSchema,
    create,
    /** @param values without problems */
    configure: (values: SmsValues, tools: SmsTools) => create(v.parse(settings, values), tools),
  };
}
