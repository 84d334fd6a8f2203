/** Admin login, logout and profile. See docs/rules.md: Admins. */
import { LangoError } from '../domain/errors.ts';
import type { Instant } from '../domain/time.ts';
import { logIn } from './admin-login.ts';
import { attempt, hasBeenAt, loginSubject, sessionSubject } from './confirmation.ts';
import type { Context } from './context.ts';
import { ownSession } from './credentials.ts';
import { fields, optional, secret } from './fields.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';
import { profileView } from './views/admins.ts';

const Login = fields({ username: secret(150), password: secret(1_024), totp_code: optional(secret(64)) });
const Confirm = fields({ password: secret(1_024), code: optional(secret(64)) });

export function authRoutes(api: Api, context: Context): void {
  const { reads, commit, passwords, limits } = context;
  api.post(
    '/auth/login/',
    route({ auth: 'none', body: Login, limit: limits.login }, ({ body, clientIp, headers }) => {
      const admin = reads.admins.byUsername(body.username);
      const subject = loginSubject(context, body.username, admin, clientIp);
      return attempt(limits.adminAttempts.take(null, subject), async () => {
        const known = admin === null ? null : reads.admins.passwordHashOf(admin.id);
        // The hash is worked out for unknown names too: both refusals take the same time.
        const turn = hasBeenAt(context, admin, clientIp) ? 'staff' : 'stranger';
        const isRight = await passwords.verify(known, body.password, turn);
        if (admin === null || !isRight || !admin.isActive) {
          throw new LangoError('LOGIN_FAILED', 'The user name or the password is wrong.');
        }
        const code = body.totp_code ?? null;
        if (admin.hasTotp && code === null) {
          return CODE_REQUIRED;
        }
        return logIn(context, admin, code, { clientIp, headers });
      });
    }),
  );

  api.post(
    '/auth/confirm/',
    route({ auth: 'cashier', body: Confirm, limit: limits.login }, ({ body, caller }) => {
      const { id: sessionId, admin } = ownSession(caller);
      const adminId = admin.id;
      return attempt(limits.adminAttempts.take(null, sessionSubject(adminId)), async () => {
        const passwordIsRight = await passwords.verify(reads.admins.passwordHashOf(adminId), body.password);
        const input = { sessionId, adminId, passwordIsRight, code: body.code ?? null };
        const confirmedUntil = await commit('confirmSession', input);
        const message = 'Thank you. For ten minutes you need not give it again.';
        return json(200, { success: true, message, confirmed_until: confirmedUntil });
      });
    }),
  );

  api.post(
    '/auth/logout/',
    route({ auth: 'cashier' }, async ({ caller }) => {
      if (caller.kind === 'session') await commit('endSession', { sessionId: caller.session.id });
      return json(200, { success: true, message: 'You are logged out.' });
    }),
  );

  api.get(
    '/auth/profile/',
    route({ auth: 'cashier' }, ({ caller }) => {
      const admin = caller.kind === 'session' ? reads.admins.byId(caller.session.admin.id) : null;
      return json(
        200,
        admin === null ? { ...CONFIGURED_TOKEN, date_joined: booksCreatedAt(context) } : profileView(admin),
      );
    }),
  );
}

/** The configured token acts as an owner who is no person. */
const CONFIGURED_TOKEN = {
  id: 0,
  username: 'configured token',
  email: '',
  is_staff: true,
  role: 'owner',
  first_name: '',
  last_name: '',
  totp_enabled: false,
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
});
