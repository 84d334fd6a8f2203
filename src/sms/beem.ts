/**
 * Beem: Tanzania and East Africa. Source: docs.beem.africa, "SMS", and login.beem.africa's API reference.
 * Numbers are digits without a plus. Code 100 is success, every other code a refusal.
 */
import type { SmsAnswer, SmsProvider } from '../domain/ports.ts';
import { textAt } from '../outbound/json.ts';
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

export interface BeemOptions {
  apiUrl: string;
  apiKey: string;
  secretKey: string;
  senderId: string;
}

export const BEEM_API = 'https://apisms.beem.africa';

const SUBMITTED = '100';
/** Not enough balance, and keys that are not accepted: nothing was sent, and staff can mend both. */
const MENDABLE = ['102', '120'];
/** Beem's own network timed out. */
const BROKEN = '103';

export function createBeemProvider(options: BeemOptions, tools: SmsTools): SmsProvider {
  const transmit = createTransmit('beem', tools);
  return {
    name: 'beem',
    send: ({ to, text }) =>
      transmit(
        {
          method: 'POST',
          url: `${options.apiUrl}/v1/send`,
          headers: { authorization: basicAuth(options.apiKey, options.secretKey) },
          body: jsonBody({
            source_addr: options.senderId,
            encoding: 0,
            schedule_time: '',
            message: text,
            recipients: [{ recipient_id: '1', dest_addr: to.slice(1) }],
          }),
        },
        readAnswer,
      ),
  };
}

function readAnswer(reply: SmsReply): SmsAnswer {
  const code = textAt(reply.json, 'code');
  const words = `${code ?? reply.status} ${textAt(reply.json, 'message') ?? ''}`;
  if (code === SUBMITTED) return accepted(textAt(reply.json, 'request_id'));
  if (code === BROKEN) return answer('uncertain', words);
  if (code !== null && MENDABLE.includes(code)) return answer('retry', words);
  return code === null && reply.status < 400 ? unclear(reply) : answer('refused', words);
}
