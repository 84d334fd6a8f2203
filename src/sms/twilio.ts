/**
 * Twilio: the whole world. Source: twilio.com/docs/messaging/api/message-resource and
 * twilio.com/docs/usage/twilios-response; `twilio_api_v2010.json` of github.com/twilio/twilio-oai.
 */
import type { SmsAnswer, SmsProvider } from '../domain/ports.ts';
import { textAt } from '../outbound/json.ts';
import {
  accepted,
  answer,
  basicAuth,
  createTransmit,
  formBody,
  type SmsReply,
  type SmsTools,
  unclear,
} from './transmit.ts';

export interface TwilioOptions {
  apiUrl: string;
  accountSid: string;
  /** `SK…` of an API key; null: the account's own token is used. */
  keySid: string | null;
  /** The key's secret, or the account's token. */
  secret: string;
  /** A number of ours, an alphanumeric sender, or a messaging service (`MG…`). */
  sender: string;
}

export const TWILIO_API = 'https://api.twilio.com';

export function createTwilioProvider(options: TwilioOptions, tools: SmsTools): SmsProvider {
  const { apiUrl, accountSid, keySid, secret, sender } = options;
  const transmit = createTransmit('twilio', tools);
  const from = /^MG[0-9a-f]{32}$/i.test(sender) ? { MessagingServiceSid: sender } : { From: sender };
  return {
    name: 'twilio',
    send: ({ to, text }) =>
      transmit(
        {
          method: 'POST',
          url: `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
          headers: { authorization: basicAuth(keySid ?? accountSid, secret) },
          body: formBody({ To: to, ...from, Body: text }),
        },
        readAnswer,
      ),
  };
}

function readAnswer(reply: SmsReply): SmsAnswer {
  if (reply.status >= 400) {
    return answer('refused', `${textAt(reply.json, 'code') ?? reply.status} ${textAt(reply.json, 'message') ?? ''}`);
  }
  const sid = textAt(reply.json, 'sid');
  if (sid === null) return unclear(reply);
  if (textAt(reply.json, 'status') === 'failed') {
    return answer('refused', `${textAt(reply.json, 'error_code') ?? ''} ${textAt(reply.json, 'error_message') ?? ''}`);
  }
  return accepted(sid);
}
