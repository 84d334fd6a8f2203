/** Admin login, logout and profile. Decisions: 10. */
import { LangoError } from '../domain/errors.ts';
import { logIn } from './admin-login.ts';
import type { Context } from './context.ts';
import { fields, optional, secret } from './fields.ts';
import { json, type Reply } from './reply.ts';
import { type Api, route } from './route.ts';
import { profileView } from './views.ts';

const Login = fields({ username: secret(150), password: secret(1_024), totp_code: optional(secret(64)) });

export function authRoutes(api: Api, context: Context): void {
  const { reads, commit, passwords, limits } = context;
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
      const code = body.totp_code ?? null;
      if (!admin.hasTotp) return logIn(context, admin, null, { clientIp, headers });
      if (code === null) return codeRequired('Enter the code of your authenticator app.');
      // Only who knows the password gets here, so nobody can lock an admin out.
      limits.secondFactor.take(clientIp, String(admin.id));
      try {
        return await logIn(context, admin, code, { clientIp, headers });
      } catch (error) {
        if (error instanceof LangoError && error.code === 'LOGIN_FAILED') return codeRequired(error.message);
        throw error;
      }
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
  totp_enabled: false,
  date_joined: null,
};

/** Said only after the right password. */
function codeRequired(message: string): Reply {
  return json(401, { error: 'Login failed', message, totp_required: true });
}
