/**
 * Admin passwords: argon2id with 46 MiB, one pass, one lane (OWASP's first choice), one at a time. The library's
 * defaults would let eight logins at once take 270 MB and half a second of everybody's time. Staff go before strangers,
 * and do not lack room because of them.
 *
 * More than 32 MiB goes back to the system after each password: what is smaller, glibc keeps in an arena of whichever
 * thread of libuv's four did the work, and four times 19 MiB stayed for good.
 */
import { randomUUID } from 'node:crypto';
import argon2 from 'argon2';
import { LangoError } from './domain/errors.ts';
import type { PasswordPriority, Passwords } from './domain/ports.ts';

const PARAMETERS = { type: argon2.argon2id, memoryCost: 47_104, timeCost: 1, parallelism: 1 } as const;
/** Of each kind. */
const MOST_WAITING = 16;

export function createPasswords(): Passwords {
  const waiting: Record<PasswordPriority, (() => void)[]> = { staff: [], anonymous: [] };
  let isBusy = false;
  // Verified against when there is no such admin, so that both refusals take the same time.
  let nobody: string | null = null;

  async function inTurn<Result>(priority: PasswordPriority, work: () => Promise<Result>): Promise<Result> {
    if (waiting[priority].length >= MOST_WAITING) {
      throw new LangoError('RATE_LIMITED', 'Too many logins at once. Please try again in a moment.', {
        retryAfterSeconds: 2,
      });
    }
    if (isBusy) await new Promise<void>(resolve => void waiting[priority].push(resolve));
    isBusy = true;
    try {
      return await work();
    } finally {
      const next = waiting.staff.shift() ?? waiting.anonymous.shift();
      // It stays busy for the next one, so that no new caller gets in between.

      if (next === undefined) isBusy = false;
      else next();
    }
  }

  return {
    hash: (password, priority = 'staff') => inTurn(priority, () => argon2.hash(password, PARAMETERS)),
    verify: (hash, password, priority = 'staff') =>
      inTurn(priority, async () => {
        nobody ??= await argon2.hash(randomUUID(), PARAMETERS);
        return (await argon2.verify(hash ?? nobody, password)) && hash !== null;
      }),
  };
}
