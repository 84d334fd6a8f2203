/**
 * Beem: Tanzania and East Africa. Source: docs.beem.africa, "SMS", and login.beem.africa's API reference.
 * Numbers are digits without a plus. Code 100 is success, every other code a refusal.
 */
import * as v from 'valibot';
import type { SmsAnswer } from '../domain/ports.ts';
import { textAt } from '../outbound/json.ts';
import { addressOr, needed } from '../outbound/settings.ts';
import { smsDriver } from './driver.ts';
import { accepted, answer, basicAuth, jsonBody, type SmsReply, unclear } from './transmit.ts';

const SUBMITTED = '100';
/** Not enough balance, and keys that are not accepted: nothing was sent, and staff can mend both. */
const MENDABLE = ['102', '120'];
/** Beem's own network timed out. */
const BROKEN = '103';

export const beem = smsDriver({
  name: 'beem',
  settings: v.object({
    apiUrl: addressOr('https://apisms.beem.africa'),
    username: needed('the API key'),
    apiKey: needed('the secret key'),
    senderId: needed('a registered sender name'),
  }),
  request: ({ to, text }, { apiUrl, username, apiKey, senderId }) => ({
    url: `${apiUrl}/v1/send`,
    headers: { authorization: basicAuth(username, apiKey) },
    body: jsonBody({
      source_addr: senderId,
      encoding: 0,
      schedule_time: '',
      message: text,
      recipients: [{ recipient_id: '1', dest_addr: to.slice(1) }],
    }),
  }),
  readAnswer,
});

function readAnswer(reply: SmsReply): SmsAnswer {
  const code = textAt(reply.json, 'code');
  const words = `${code ?? reply.status} ${textAt(reply.json, 'message') ?? ''}`;
  if (code === SUBMITTED) return accepted(textAt(reply.json, 'request_id'));
  if (code === BROKEN) return answer('uncertain', words);
  if (code !== null && MENDABLE.includes(code)) return answer('retry', words);
  return code === null && reply.status < 400 ? unclear(reply) : answer('refused', words);
}
