/** Admin login, logout and profile. Decisions: 10. */
import { randomBytes } from 'node:crypto';
import { LangoError } from '../domain/errors.ts';
import type { Context } from './context.ts';
import { tokenHash } from './credentials.ts';
import { fields, secret } from './fields.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';
import { adminView, profileView } from './views.ts';

const Login = fields({ username: secret(150), password: secret(1_024) });

const LONGEST_USER_AGENT = 200;

export function authRoutes(api: Api, { reads, commit, clock, passwords, limits }: Context): void {
  api.post(
    '/auth/login/',
    route({ auth: 'none', body: Login, limit: limits.login }, async ({ body, clientIp, headers }) => {
      const admin = reads.admins.byUsername(body.username);
      const known = admin === null ? null : reads.admins.passwordHashOf(admin.id);
      // The hash is worked out for unknown names too: both refusals take the same time.
      const isRight = await passwords.verify(known, body.password);
      if (admin === null || !isRight || !admin.isActive) {
        throw new LangoError('LOGIN_FAILED', 'The user name or the password is wrong.');
      }
      const token = newToken();
      const accessToken = newToken();
      await commit('openSession', {
        adminId: admin.id,
        tokenHash: tokenHash(token),
        accessHash: tokenHash(accessToken),
        ip: clientIp,
        userAgent: headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null,
        now: clock.now(),
      });
      const tokens = { token, admin_access_token: accessToken };
      return json(200, { success: true, ...tokens, user: adminView(admin), message: 'You are logged in.' });
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
      return json(200, admin === null ? CONFIGURED_TOKEN : profileView(admin));
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
  date_joined: null,
};

/** 256 random bits. */
function newToken(): string {
  return randomBytes(32).toString('base64url');
}
