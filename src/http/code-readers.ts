/** Voucher codes are money until they are used: who reads which, and what the audit log keeps of it. */
import type { Actor } from '../domain/audit.ts';
import type { Voucher } from '../domain/vouchers.ts';
import type { Context } from './context.ts';
import { type Caller, hasRole } from './credentials.ts';

/** A cashier's name: unused codes that others made and sold are masked to them. null: staff, who read all. */
export type CodeReader = string | null;

export const readerOf = (caller: Caller): CodeReader =>
  caller.kind === 'static-token' || hasRole(caller, 'staff') ? null : caller.session.admin.username;

export const mayRead = (reader: CodeReader, { madeBy, soldBy, usedAt }: Voucher): boolean =>
  reader === null || usedAt !== null || madeBy === reader || soldBy === reader;

/** `ABCD-EFGH-7KQ2` → `••••-••••-7KQ2`: enough to tell two papers apart. */
export const maskedCode = (code: string): string => `••••-••••-${code.slice(-4)}`;

/** Open pages ask for lists again and again: of those, one entry in this time. */
const THROTTLE_MS = 10 * 60_000;

export interface CodeRead {
  subject: string;
  subjectId?: number | undefined;
  /** How many codes that could still be used were shown. */
  codes: number | 'all of a filter';
  actor: Actor;
}

/** Records in the audit log who has read codes. The reply does not wait for it. */
export function createCodeReadLog({ commit, clock, log }: Context) {
  const lastRecorded = new Map<string, number>();
  function record({ subject, subjectId, codes, actor }: CodeRead): void {
    if (codes === 0) return;
    const entry = { action: 'voucher.look', subject, subjectId, details: { codes } };
    commit('recordAction', entry, actor).catch(error => log.warn({ err: error }, 'code_read.not_recorded'));
  }
  return {
    record,
    recordThrottled(read: CodeRead): void {
      const key = `${read.actor.name} ${read.subject} ${read.subjectId ?? ''}`;
      const last = lastRecorded.get(key);
      if (read.codes === 0 || (last !== undefined && clock.monotonic() - last < THROTTLE_MS)) return;
      lastRecorded.set(key, clock.monotonic());
      record(read);
    },
  };
}

/** Of those that are shown, the ones that could still be used. */
export const readableCodes = (vouchers: readonly Voucher[], reader: CodeReader): number =>
  vouchers.filter(voucher => voucher.usedAt === null && mayRead(reader, voucher)).length;
