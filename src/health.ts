/** What the appliance says of itself: to `/health/`, and to staff. */
import { statfs } from 'node:fs/promises';
import type { Config } from './config.ts';
import type { GuardedClock } from './domain/clock-guard.ts';
import type { ConfiguredFacts, Health, Vitals } from './http/context.ts';
import type { Schedule } from './jobs/schedule.ts';
import { addressWarning, isBuiltIn, isPractice } from './payment/index.ts';
import type { Store } from './store/store.ts';

export function healthOf(store: Store, schedule: Schedule, clock: GuardedClock, warnings: string[]): Health {
  const late = schedule.report().filter(job => job.late);
  const problems: string[] = [];
  if (late.length > 0) {
    const names = late.map(job => `"${job.name}"`).join(', ');
    problems.push(`${late.length === 1 ? 'This job has' : 'These jobs have'} not run for three periods: ${names}.`);
  }
  if (!clock.trusted)
    problems.push('The clock jumped: nobody is cut off for a day, until it is right again or an operator confirms it.');
  const databaseConnected = store.isWorking();
  if (!databaseConnected) problems.push('The database does not answer.');
  if (!store.isSaving())
    problems.push('The disk does not take what is to be saved: it is full, broken, or much too slow.');
  return { databaseConnected, problems, warnings };
}

export async function vitalsOf(folder: string, uptimeSeconds: number): Promise<Vitals> {
  const memoryBytes = process.memoryUsage.rss();
  try {
    const { bsize, blocks, bavail } = await statfs(folder);
    const disk = { usedBytes: (blocks - bavail) * bsize, totalBytes: blocks * bsize };
    return { uptimeSeconds, memoryBytes, disk };
  } catch {
    return { uptimeSeconds, memoryBytes, disk: null };
  }
}

export function configuredFacts({ payment, sms, logLevel, baseUrl, frontendOrigins }: Config): ConfiguredFacts {
  return {
    paymentEnvironment: payment.environment,
    practicePayments: isPractice(payment),
    paymentKey: payment.apiKey !== null || isBuiltIn(payment),
    smsProvider: sms.provider,
    smsKey: sms.apiKey !== null,
    smsSenderId: sms.senderId,
    debug: logLevel === 'debug' || logLevel === 'trace',
    hosts: [...new Set([baseUrl, ...frontendOrigins].map(url => new URL(url).hostname))],
  };
}

/** What works as it was set, and yet should not stay so. */
export function warningsOf({ payment, baseUrl }: Config): string[] {
  const address = addressWarning(payment, baseUrl);
  const warnings = address === null ? [] : [address];
  if (!isPractice(payment)) return warnings;
  return [
    ...warnings,
    `Payments are for practice (${payment.provider}, LANGO_PAYMENT_ENVIRONMENT=sandbox): no money moves, and anybody gets access for nothing.`,
  ];
}
