/**
 * Twilio: the whole world. Source: twilio.com/docs/messaging/api/message-resource and
 * twilio.com/docs/usage/twilios-response; `twilio_api_v2010.json` of github.com/twilio/twilio-oai.
 */
import * as v from 'valibot';
import type { SmsAnswer } from '../domain/ports.ts';
import { textAt } from '../outbound/json.ts';
import { addressOr, needed } from '../outbound/settings.ts';
import { smsDriver } from './driver.ts';
import { accepted, answer, basicAuth, formBody, type SmsReply, unclear } from './transmit.ts';

export const twilio = smsDriver({
  name: 'twilio',
  settings: v.object({
    apiUrl: addressOr('https://api.twilio.com'),
    /** With an API key's `:SK…` behind it, the secret is that key's. */
    username: v.pipe(
      needed('the account SID'),
      v.regex(
        /^AC[0-9a-f]{32}(:SK[0-9a-f]{32})?$/i,
        'is not a Twilio account SID (AC and 32 hex digits), nor one with an API key (AC…:SK…).',
      ),
    ),
    apiKey: needed('the auth token, or the secret of an API key'),
    senderId: needed('a number of yours or the SID of a messaging service'),
  }),
  request({ to, text }, { apiUrl, username, apiKey, senderId }) {
    const [accountSid = '', keySid = accountSid] = username.split(':');
    const from = /^MG[0-9a-f]{32}$/i.test(senderId) ? { MessagingServiceSid: senderId } : { From: senderId };
    return {
      url: `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
      headers: { authorization: basicAuth(keySid, apiKey) },
      body: formBody({ To: to, ...from, Body: text }),
    };
  },
  readAnswer,
});

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
