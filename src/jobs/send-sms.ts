/** Sends what waits in the outbox. Nothing waits for it, and no message is ever sent twice. */
import type { Log, SmsProvider } from '../domain/ports.ts';
import type { SmsMessage } from '../domain/sms.ts';
import type { Clock } from '../domain/time.ts';
import type { Commit } from '../domain/transaction.ts';
import type { Job } from './schedule.ts';

const PERIOD_SECONDS = 5;
/** Sent side by side in one run: two messages a second are plenty, and one that hangs holds up nine others at most. */
const BATCH = 10;

export interface SendSmsOptions {
  provider: SmsProvider;
  commit: Commit;
  clock: Clock;
  log: Log;
}

export function sendSmsJob({ provider, commit, clock, log }: SendSmsOptions): Job {
  let isFirstRun = true;

  async function send({ id, kind, phone, text, attempts }: SmsMessage): Promise<void> {
    const answer = await provider.send({ to: phone, text });
    const { status } = await commit('noteSmsAnswer', { smsId: id, attempt: attempts, answer, now: clock.now() });
    const facts = { sms: id, kind, provider: provider.name, status, attempts };
    if (answer.outcome === 'accepted') log.info(facts, 'sms.sent');
    else log.warn({ ...facts, outcome: answer.outcome, words: answer.message }, 'sms.not_sent');
  }

  return {
    name: 'send sms',
    cron: `*/${PERIOD_SECONDS} * * * * *`,
    periodSeconds: PERIOD_SECONDS,
    async run() {
      if (isFirstRun) {
        const { uncertain } = await commit('endInterruptedSms', undefined);
        if (uncertain > 0) log.warn({ uncertain }, 'sms.interrupted');
        isFirstRun = false;
      }
      const { messages } = await commit('claimSms', { limit: BATCH, now: clock.now() });
      await Promise.all(messages.map(send));
    },
  };
}
