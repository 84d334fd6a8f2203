/** Admin login, logout and profile. See docs/rules.md: Admins. */
import { confirmSession, logIn, logOut, readProfile } from '../contract/auth.ts';
import type { Admin } from '../domain/admins.ts';
import { LangoError } from '../domain/errors.ts';
import type { Instant } from '../domain/time.ts';
import { openSession } from './admin-login.ts';
import { attempt, hasBeenAt, loginSubject, sessionSubject } from './confirmation.ts';
import type { Context } from './context.ts';
import { ownSession } from './credentials.ts';
import { json } from './reply.ts';
import type { Api } from './route.ts';
import { profileView } from './views/admins.ts';

export function authRoutes(api: Api, context: Context): void {
  const { reads, commit, passwords, limits } = context;
  api.handle(
    logIn,
    ({ body, clientIp, headers }) => {
      const admin = reads.admins.byUsername(body.username);
      const subject = loginSubject(context, body.username, admin, clientIp);
      return attempt(limits.adminAttempts.take(null, subject), async () => {
        const known = admin === null ? null : reads.admins.passwordHashOf(admin.id);
        // The hash is worked out for unknown names too: both refusals take the same time.
        const priority = hasBeenAt(context, admin, clientIp) ? 'staff' : 'anonymous';
        const isRight = await passwords.verify(known, body.password, priority);
        if (admin === null || !isRight || !admin.isActive) {
          throw new LangoError('LOGIN_FAILED', 'The user name or the password is wrong.');
        }
        const code = body.totp_code ?? null;
        if (admin.hasTotp && code === null) {
          return CODE_REQUIRED;
        }
        return openSession(context, admin, code, { clientIp, headers });
      });
    },
    { limit: limits.login },
  );

  api.handle(
    confirmSession,
    ({ body, caller }) => {
      const { id: sessionId, admin } = ownSession(caller);
      const adminId = admin.id;
      return attempt(limits.adminAttempts.take(null, sessionSubject(adminId)), async () => {
        const passwordIsRight = await passwords.verify(reads.admins.passwordHashOf(adminId), body.password);
        const input = { sessionId, adminId, passwordIsRight, code: body.code ?? null };
        const confirmedUntil = await commit('confirmSession', input);
        const message = 'Thank you. For ten minutes you need not give it again.';
        return { success: true, message, confirmed_until: confirmedUntil };
      });
    },
    { limit: limits.login },
  );

  api.handle(logOut, async ({ caller }) => {
    if (caller.kind === 'session') await commit('endSession', { sessionId: caller.session.id });
    return { success: true, message: 'You are logged out.' };
  });

  api.handle(readProfile, ({ caller }) => {
    const admin = caller.kind === 'session' ? reads.admins.byId(caller.session.admin.id) : null;
    return profileView(admin ?? { ...CONFIGURED_TOKEN, createdAt: booksCreatedAt(context) });
  });
}

/** The configured token acts as an owner who is no person. */
const CONFIGURED_TOKEN: Omit<Admin, 'createdAt'> = {
  id: 0,
  username: 'configured token',
  email: '',
  firstName: '',
  lastName: '',
  role: 'owner',
  isActive: true,
  hasTotp: false,
  lastLoginAt: null,
};

/** The first admin is made with the books, or sets them up. */
function booksCreatedAt({ reads, clock }: Context): Instant {
  const [first = clock.now()] = reads.admins
    .list()
    .map(admin => admin.createdAt)
    .toSorted();
  return first;
}

/** Said only after the right password. */
const CODE_REQUIRED = json(401, {
  error: 'Login failed',
  message: 'Enter the code of your authenticator app.',
  totp_required: true,
} as const);
