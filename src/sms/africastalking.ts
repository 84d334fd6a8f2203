/**
 * Africa's Talking: most of Africa. Source: developers.africastalking.com/docs/sms/sending/bulk.
 * A reply of 201 says nothing yet: each recipient has a status of its own.
 */
import type { SmsAnswer, SmsProvider } from '../domain/ports.ts';
import { field, textAt } from '../outbound/json.ts';
import { accepted, answer, createTransmit, formBody, type SmsReply, type SmsTools, unclear } from './transmit.ts';

export interface AfricasTalkingOptions {
  apiUrl: string;
  /** `sandbox` in the sandbox. */
  username: string;
  apiKey: string;
  /** null: the provider's shared one. */
  senderId: string | null;
}

export const AFRICASTALKING_API = 'https://api.africastalking.com';
export const AFRICASTALKING_SANDBOX_API = 'https://api.sandbox.africastalking.com';

/** Processed, sent, queued. */
const ACCEPTED = ['100', '101', '102'];
const NO_BALANCE = '405';
/** The gateway failed half way; whether the message went out is not said. */
const BROKEN = ['500', '501'];

export function createAfricasTalkingProvider(options: AfricasTalkingOptions, tools: SmsTools): SmsProvider {
  const transmit = createTransmit('africastalking', tools);
  return {
    name: 'africastalking',
    send: ({ to, text }) =>
      transmit(
        {
          method: 'POST',
          url: `${options.apiUrl}/version1/messaging`,
          headers: { apikey: options.apiKey },
          body: formBody({
            username: options.username,
            to,
            message: text,
            ...(options.senderId === null ? {} : { from: options.senderId }),
          }),
        },
        readAnswer,
      ),
  };
}

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
