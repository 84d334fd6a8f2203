/** Voucher codes are money until they are used: who reads which, and the trace that reading them leaves. */
import type { Actor } from '../domain/audit.ts';
import type { Voucher } from '../domain/vouchers.ts';
import type { Context } from './context.ts';
import { type Caller, hasRole } from './credentials.ts';

/** A cashier's name: others' unused codes are masked to them. null: staff, who read all. */
export type CodeReader = string | null;

export const readerOf = (caller: Caller): CodeReader =>
  caller.kind === 'static-token' || hasRole(caller, 'staff') ? null : caller.session.admin.username;

export const mayRead = (reader: CodeReader, { soldBy, usedAt }: Voucher): boolean =>
  reader === null || usedAt !== null || soldBy === reader;

/** `ABCD-EFGH-7KQ2` → `••••-••••-7KQ2`: enough to tell two papers apart. */
export const maskedCode = (code: string): string => `••••-••••-${code.slice(-4)}`;

/** Lists are asked for again and again by pages that are open: of those, one entry in so long. */
const SELDOM_MS = 10 * 60_000;

export interface Look {
  subject: string;
  subjectId?: number;
  /** How many codes that could still be used were shown. */
  codes: number | 'all of a filter';
  actor: Actor;
}

/** Notes who has looked at codes: one entry a look, which the reply does not wait for. */
export function createLooks({ commit, clock, log }: Context) {
  const lastNoted = new Map<string, number>();
  function note({ subject, subjectId, codes, actor }: Look): void {
    if (codes === 0) return;
    const entry = { action: 'voucher.look', subject, subjectId, details: { codes } };
    commit('noteAction', entry, actor).catch(error => log.warn({ err: error }, 'look.not_noted'));
  }
  return {
    note,
    noteSeldom(look: Look): void {
      const key = `${look.actor.name} ${look.subject} ${look.subjectId ?? ''}`;
      const last = lastNoted.get(key);
      if (look.codes === 0 || (last !== undefined && clock.monotonic() - last < SELDOM_MS)) return;
      lastNoted.set(key, clock.monotonic());
      note(look);
    },
  };
}

/** Of those that are shown, the ones that could still be used. */
export const readableCodes = (vouchers: readonly Voucher[], reader: CodeReader): number =>
  vouchers.filter(voucher => voucher.usedAt === null && mayRead(reader, voucher)).length;
