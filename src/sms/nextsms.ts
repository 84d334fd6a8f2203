/**
 * NextSMS: Tanzania. Source: documenter.getpostman.com/view/4680389/SW7dX7JL ("Developer API"). An API token is for
 * version 2 of its API, user name and password are for version 1; requests and replies are the same.
 * Numbers are digits without a plus; the group of a message's status says what became of it.
 */
import * as v from 'valibot';
import type { SmsAnswer } from '../domain/ports.ts';
import { field, textAt } from '../outbound/json.ts';
import { addressOr, needed, optional } from '../outbound/settings.ts';
import { smsDriver } from './driver.ts';
import { accepted, answer, authorization, jsonBody, type SmsReply, unclear } from './transmit.ts';

const ACCEPTED_GROUPS = ['PENDING', 'DELIVERED'];

export const nextsms = smsDriver({
  name: 'nextsms',
  settings: v.object({
    apiUrl: addressOr('https://messaging-service.co.tz'),
    username: optional('the user name, where a password is used'),
    apiKey: needed('the API token, or the password beside a user name'),
    senderId: needed('a registered sender name'),
  }),
  request: ({ to, text }, { apiUrl, username, apiKey, senderId }) => ({
    url: `${apiUrl}/api/sms/${username === null ? 'v2' : 'v1'}/text/single`,
    headers: { authorization: authorization(username, apiKey) },
    body: jsonBody({ from: senderId, to: to.slice(1), text }),
  }),
  readAnswer,
});

function readAnswer(reply: SmsReply): SmsAnswer {
  if (reply.status >= 400) {
    const serviceWords = textAt(reply.json, 'requestError', 'serviceException', 'text');
    return answer('refused', serviceWords ?? textAt(reply.json, 'message') ?? `status ${reply.status}`);
  }
  const messages = field(reply.json, 'messages');
  const message = Array.isArray(messages) ? messages[0] : undefined;
  const group = textAt(message, 'status', 'groupName');
  if (group === null) return unclear(reply);
  if (ACCEPTED_GROUPS.includes(group)) return accepted(textAt(message, 'messageId'));
  const name = textAt(message, 'status', 'name') ?? group;
  const words = textAt(message, 'status', 'description') ?? '';
  return answer(/NOT_ENOUGH_CREDITS/.test(name) ? 'retry' : 'refused', `${name.replaceAll('_', ' ')}: ${words}`);
}
