/**
 * Admin passwords: argon2id with 19 MiB, two passes, one lane (OWASP's smallest), one at a time. The library's
 * defaults would let eight logins at once take 270 MB and half a second of everybody's time.
 */
import { randomUUID } from 'node:crypto';
import argon2 from 'argon2';
import { LangoError } from './domain/errors.ts';
import type { Passwords } from './domain/ports.ts';

const PARAMETERS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const MOST_WAITING = 16;

export function createPasswords(): Passwords {
  let tail: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  // Verified against when there is no such admin, so that both refusals take the same time.
  let nobody: string | null = null;

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (waiting >= MOST_WAITING) {
      throw new LangoError('RATE_LIMITED', 'Too many logins at once. Please try again in a moment.', {
        retryAfterSeconds: 2,
      });
    }
    waiting += 1;
    const turn = tail.then(work);
    tail = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      waiting -= 1;
    }
  }

  return {
    hash: password => inTurn(() => argon2.hash(password, PARAMETERS)),
    verify: (hash, password) =>
      inTurn(async () => {
        nobody ??= await argon2.hash(randomUUID(), PARAMETERS);
        return (await argon2.verify(hash ?? nobody, password)) && hash !== null;
      }),
  };
}
