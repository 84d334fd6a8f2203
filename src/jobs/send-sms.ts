/** Sends what waits in the outbox. Nothing waits for it, and no message is ever sent twice. */
import type { Log, SmsProvider } from '../domain/ports.ts';
import type { ProofCodes } from '../domain/proof-codes.ts';
import { CODE_GAP, type SmsMessage } from '../domain/sms.ts';
import type { Commit } from '../domain/transaction.ts';
import type { Job } from './schedule.ts';

/** Messages sent at the same time in one run: one that hangs holds up nine others at most. */
const BATCH = 10;

/** Codes are in memory alone. */
const CODE_LOST = { outcome: 'refused', reference: null, message: 'The code in it is not valid any more.' } as const;

export interface SendSmsOptions {
  provider: SmsProvider;
  commit: Commit;
  log: Log;
  codes: ProofCodes;
}

export function sendSmsJob({ provider, commit, log, codes }: SendSmsOptions): Job {
  let isFirstRun = true;

  async function send({ id, kind, key, phone, text, attempts }: SmsMessage): Promise<void> {
    const words = kind === 'device_code' ? withCode(key, text) : text;
    const answer = words === null ? CODE_LOST : await provider.send({ to: phone, text: words });
    if (answer.outcome !== 'retry') codes.forgetText(key);
    const { status } = await commit('recordSmsAnswer', { smsId: id, attempt: attempts, answer });
    const facts = { sms: id, kind, provider: provider.name, status, attempts };
    if (answer.outcome === 'accepted') log.info(facts, 'sms.sent');
    else log.warn({ ...facts, outcome: answer.outcome, words: answer.message }, 'sms.not_sent');
  }

  function withCode(key: string, text: string): string | null {
    const code = codes.codeToSend(key);
    return code === null ? null : text.replace(CODE_GAP, code);
  }

  return {
    name: 'send sms',
    periodSeconds: 5,
    async run() {
      if (isFirstRun) {
        const { uncertain } = await commit('endInterruptedSms', undefined);
        if (uncertain > 0) log.warn({ uncertain }, 'sms.interrupted');
        isFirstRun = false;
      }
      const { messages } = await commit('claimSms', { limit: BATCH });
      await Promise.all(messages.map(send));
    },
  };
}
