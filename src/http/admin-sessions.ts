import { secondsBetween } from '../domain/time.ts';
import type { Context } from './context.ts';
import type { AdminSessions } from './credentials.ts';

/** The sliding end of a session is as exact as this; a write for every request would buy nothing. */
const SESSION_TOUCH_SECONDS = 60;

export function adminSessions({ reads, commit, clock, log }: Context): AdminSessions {
  const inUse = (found: ReturnType<typeof reads.admins.sessionByToken>) => {
    if (found === null) return null;
    const { session, admin } = found;
    const now = clock.now();
    if (secondsBetween(session.lastUsedAt, now) >= SESSION_TOUCH_SECONDS) {
      commit('touchSession', { session }).catch(error => log.warn({ err: error }, 'session.not_touched'));
    }
    return { id: session.id, confirmedAt: session.confirmedAt, admin };
  };
  return {
    byTokenHash: hash => inUse(reads.admins.sessionByToken(hash, clock.now())),
    byAccessTokenHash: hash => inUse(reads.admins.sessionByAccess(hash, clock.now())),
  };
}
