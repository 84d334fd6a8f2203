/**
 * Africa's Talking: most of Africa. Source: developers.africastalking.com/docs/sms/sending/bulk.
 * A reply of 201 says nothing yet: each recipient has a status of its own.
 */
import * as v from 'valibot';
import type { SmsAnswer } from '../domain/ports.ts';
import { field, textAt } from '../outbound/json.ts';
import { needed, optional } from '../outbound/settings.ts';
import { smsDriver } from './driver.ts';
import { accepted, answer, formBody, type SmsReply, unclear } from './transmit.ts';

const API = 'https://api.africastalking.com';
const SANDBOX_API = 'https://api.sandbox.africastalking.com';
const SANDBOX_USERNAME = 'sandbox';

/** Processed, sent, queued. */
const ACCEPTED = ['100', '101', '102'];
const NO_BALANCE = '405';
/** The gateway failed half way; whether the message went out is not said. */
const BROKEN = ['500', '501'];

export const africastalking = smsDriver({
  name: 'africastalking',
  settings: v.object({
    apiUrl: v.nullable(v.string()),
    username: needed('the user name of the app'),
    apiKey: needed('the API key'),
    /** null: the provider's shared one. */
    senderId: optional('a registered sender name'),
  }),
  request({ to, text }, { apiUrl, username, apiKey, senderId }) {
    const api = apiUrl ?? (username === SANDBOX_USERNAME ? SANDBOX_API : API);
    return {
      url: `${api}/version1/messaging`,
      headers: { apikey: apiKey },
      body: formBody({ username, to, message: text, ...(senderId === null ? {} : { from: senderId }) }),
    };
  },
  readAnswer,
});

function readAnswer(reply: SmsReply): SmsAnswer {
  if (reply.status >= 400) return answer('refused', reply.text);
  const recipients = field(reply.json, 'SMSMessageData', 'Recipients');
  const summary = textAt(reply.json, 'SMSMessageData', 'Message') ?? '';
  if (!Array.isArray(recipients)) return unclear(reply);
  const recipient = recipients[0];
  // Nobody was sent anything; why stands in the summary.
  if (recipient === undefined) return answer(/InsufficientBalance/i.test(summary) ? 'retry' : 'refused', summary);

  const code = textAt(recipient, 'statusCode');
  const status = textAt(recipient, 'status') ?? '';
  if (code === null) return unclear(reply);
  if (ACCEPTED.includes(code)) return accepted(textAt(recipient, 'messageId'));
  if (BROKEN.includes(code)) return answer('uncertain', `${code} ${status}`);
  return answer(code === NO_BALANCE ? 'retry' : 'refused', `${code} ${status}`);
}
