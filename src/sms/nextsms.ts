/**
 * NextSMS: Tanzania. Source: documenter.getpostman.com/view/4680389/SW7dX7JL ("Developer API"). An API token is for
 * version 2 of its API, user name and password are for version 1; requests and replies are the same.
 * Numbers are digits without a plus; the group of a message's status says what became of it.
 */
import type { SmsAnswer, SmsProvider } from '../domain/ports.ts';
import { field, textAt } from '../outbound/json.ts';
import {
  accepted,
  answer,
  basicAuth,
  createTransmit,
  jsonBody,
  type SmsReply,
  type SmsTools,
  unclear,
} from './transmit.ts';

export interface NextSmsOptions {
  apiUrl: string;
  /** null: the key is an API token, sent as a bearer token. */
  username: string | null;
  /** The password, or the API token. */
  key: string;
  senderId: string;
}

export const NEXTSMS_API = 'https://messaging-service.co.tz';

const ACCEPTED_GROUPS = ['PENDING', 'DELIVERED'];

export function createNextSmsProvider(options: NextSmsOptions, tools: SmsTools): SmsProvider {
  const { apiUrl, username, key } = options;
  const transmit = createTransmit('nextsms', tools);
  const version = username === null ? 'v2' : 'v1';
  const authorization = username === null ? `Bearer ${key}` : basicAuth(username, key);
  return {
    name: 'nextsms',
    send: ({ to, text }) =>
      transmit(
        {
          method: 'POST',
          url: `${apiUrl}/api/sms/${version}/text/single`,
          headers: { authorization },
          body: jsonBody({ from: options.senderId, to: to.slice(1), text }),
        },
        readAnswer,
      ),
  };
}

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
