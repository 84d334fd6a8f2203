/**
 * NextSMS: Tanzania. Source: documenter.getpostman.com/view/4680389/SW7dX7JL ("Developer API").
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
  username: string;
  password: string;
  senderId: string;
}

export const NEXTSMS_API = 'https://messaging-service.co.tz';

const ACCEPTED_GROUPS = ['PENDING', 'DELIVERED'];

export function createNextSmsProvider(options: NextSmsOptions, tools: SmsTools): SmsProvider {
  const transmit = createTransmit('nextsms', tools);
  return {
    name: 'nextsms',
    send: ({ to, text }) =>
      transmit(
        {
          method: 'POST',
          url: `${options.apiUrl}/api/sms/v1/text/single`,
          headers: { authorization: basicAuth(options.username, options.password) },
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
